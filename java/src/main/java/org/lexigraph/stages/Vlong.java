package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidBytes;

/** Hadoop's variable-length integers: longer forms than needed are read too, as in Java. */
final class Vlong {

  private Vlong() {}

  /** The number at an offset. */
  static long read(byte[] data, int offset) {
    int size = size(data, offset);
    if (size == 1) {
      return data[offset];
    }
    if (data.length - offset < size) {
      throw invalidBytes("a vlong of " + size + " bytes is cut after " + (data.length - offset));
    }
    long number = 0;
    for (int at = 1; at < size; at++) {
      number = number << 8 | data[offset + at] & 0xff;
    }
    return data[offset] < -120 ? ~number : number;
  }

  /** How many bytes the number at an offset takes. */
  static int size(byte[] data, int offset) {
    if (offset >= data.length) {
      throw invalidBytes("a vlong is missing at byte " + offset);
    }
    byte first = data[offset];
    if (first >= -112) {
      return 1;
    }
    return first < -120 ? -119 - first : -111 - first;
  }

  /** The shortest form of a number. */
  static byte[] write(long number) {
    if (number >= -112 && number <= 127) {
      return new byte[] {(byte) number};
    }
    long magnitude = number >= 0 ? number : ~number;
    int size = (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + 7) / 8;
    byte[] data = new byte[size + 1];
    data[0] = (byte) ((number >= 0 ? -112 : -120) - size);
    for (int at = 1; at <= size; at++) {
      data[at] = (byte) (magnitude >> 8 * (size - at));
    }
    return data;
  }
}
