package org.lexigraph.functions;

import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Union;
import org.lexigraph.codec.Codec;

/** How many distinct values there are, estimated by a theta sketch. */
final class ThetaState extends SketchState {

  private final Union union;

  ThetaState(Codec codec, int lgK) {
    super(Kind.THETA, codec);
    union = SetOperation.builder().setNominalEntries(1 << lgK).buildUnion();
  }

  @Override
  void unite(byte[] data) {
    CompactSketch sketch = CompactSketch.heapify(Memory.wrap(data));
    require(sketch.getCurrentBytes() <= data.length, "it is cut");
    union.union(sketch);
  }

  @Override
  void take(Object value, long timestamp) {
    union.update(Fed.text(codec, value));
  }

  @Override
  byte[] bytes() {
    return union.getResult(true, null).toByteArray();
  }

  @Override
  public Object finish() {
    return union.getResult(true, null).getEstimate();
  }

  @Override
  void clear() {
    union.reset();
  }
}
