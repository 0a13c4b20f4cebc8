package org.lexigraph.codec;

import org.lexigraph.LexigraphException;

/** Unsigned lengths below 2^32: little-endian base 128, only the shortest form. */
public final class Varint {

  private static final int MAX_BYTES = 5;

  private Varint() {}

  /** Appends a length. */
  public static void write(long number, Buffer out) {
    long rest = number;
    while (rest > 0x7f) {
      out.add((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.add((int) rest);
  }

  /** Reads a length and moves the reader behind it. */
  public static long read(ByteReader in) {
    int start = in.position();
    long number = 0;
    for (int place = 0; place < MAX_BYTES && !in.isAtEnd(); place++) {
      int one = in.readByte("length");
      number |= (long) (one & 0x7f) << 7 * place;
      if (one < 0x80) {
        if (number >> 32 != 0 || one == 0 && place > 0) {
          break;
        }
        return number;
      }
    }
    throw LexigraphException.invalidBytes("the length is not in its shortest form at byte " + start);
  }
}
