package org.lexigraph.functions;

import org.apache.datasketches.common.ArrayOfStringsSerDe;
import org.apache.datasketches.memory.Memory;

/** The texts in a sketch, each behind its length; a length is looked at before anything is made of it. */
final class Texts extends ArrayOfStringsSerDe {

  static final Texts TEXTS = new Texts();

  private Texts() {}

  @Override
  public String[] deserializeFromMemory(Memory memory, long offset, int count) {
    check(memory, offset, count);
    return super.deserializeFromMemory(memory, offset, count);
  }

  @Override
  public int sizeOf(Memory memory, long offset, int count) {
    check(memory, offset, count);
    return super.sizeOf(memory, offset, count);
  }

  private static void check(Memory memory, long offset, int count) {
    long end = memory.getCapacity();
    long at = offset;
    for (int text = 0; text < count; text++) {
      SketchState.require(at + Integer.BYTES <= end, "its texts are cut");
      int length = memory.getInt(at);
      at += Integer.BYTES;
      SketchState.require(length >= 0 && length <= end - at, "its texts are cut");
      at += length;
    }
  }
}
