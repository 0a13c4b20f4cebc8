package org.lexigraph.functions;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;
import org.apache.datasketches.memory.Memory;
import org.lexigraph.codec.Codec;

/** How many distinct values there are, estimated by HyperLogLog; always through a union, whose estimate is one. */
final class HllState extends SketchState {

  private final Union union;

  HllState(Codec codec, int lgK) {
    super(Kind.HLL, codec);
    union = new Union(lgK);
  }

  @Override
  void unite(byte[] data) {
    HllSketch sketch = HllSketch.heapify(Memory.wrap(data));
    require(sketch.getCompactSerializationBytes() <= data.length, "it is cut");
    union.update(sketch);
  }

  @Override
  void take(Object value, long timestamp) {
    union.update(Fed.text(codec, value));
  }

  @Override
  byte[] bytes() {
    return union.getResult(TgtHllType.HLL_4).toCompactByteArray();
  }

  @Override
  public Object finish() {
    return union.getResult(TgtHllType.HLL_4).getEstimate();
  }

  @Override
  void clear() {
    union.reset();
  }
}
