package org.lexigraph.functions;

import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.CompactSketch;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Union;
import org.lexigraph.codec.Codec;

/** How many distinct values there are, estimated by a theta sketch. */
final class ThetaState extends SketchState {

  private static final int FORMAT_VERSION = 3;

  private final Union union;

  ThetaState(Codec codec, int lgK) {
    super(Kind.THETA, codec);
    union = SetOperation.builder().setNominalEntries(1 << lgK).buildUnion();
  }

  @Override
  void unite(byte[] data) {
    long longs = number(data, 0, 1) & 0x3f;
    require(number(data, 1, 1) == FORMAT_VERSION, "it is of another version");
    boolean few = longs < 2 && (data.length == 8 || data.length == 16);
    require(few || longs > 1 && 8 * (longs + number(data, 8, 4)) == data.length, "it is cut, or more follows");
    union.union(CompactSketch.heapify(Memory.wrap(data)));
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
