package org.lexigraph.functions;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;
import org.apache.datasketches.memory.Memory;
import org.lexigraph.codec.Codec;

/** How many distinct values there are, estimated by HyperLogLog; always through a union, whose estimate is one. */
final class HllState extends SketchState {

  private static final int MAX_LG = 21;
  private static final int MAX_REGISTER = 63;
  private static final int LIST = 2;
  private static final int SET = 3;

  private final Union union;

  HllState(Codec codec, int lgK) {
    super(Kind.HLL, codec);
    union = new Union(lgK);
  }

  @Override
  void unite(byte[] data) {
    checkHead(data);
    union.update(HllSketch.heapify(Memory.wrap(data)));
  }

  /** A list or a set of values, or registers of 4 bits and those that need more. */
  private static void checkHead(byte[] data) {
    long lgK = number(data, 3, 1);
    require(lgK >= 4 && lgK <= MAX_LG && number(data, 4, 1) <= MAX_LG, "its size is none");
    long size;
    switch ((int) number(data, 0, 1)) {
      case LIST:
        size = 8 + 4 * number(data, 6, 1);
        break;
      case SET:
        size = 12 + 4 * number(data, 8, 4);
        break;
      default:
        require(number(data, 7, 1) >> 2 == 0, "its registers are not of 4 bits");
        require(number(data, 6, 1) <= MAX_REGISTER - 15, "its registers are too large");
        size = 40 + (1L << lgK - 1) + 4 * number(data, 36, 4);
    }
    require(size <= data.length, "it is cut");
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
