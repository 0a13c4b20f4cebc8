package org.lexigraph.codec;

import java.math.BigInteger;

/**
 * Integers of any size, as Long where 64 bits hold them and else as BigInteger. The first byte holds sign and length;
 * negative ones are the complement of the positive, which keeps them prefix-free.
 */
public final class IntCodec extends Codec {

  private static final int ZERO = 0x80;
  /** The longest magnitude whose length fits into the first byte. */
  private static final int SHORT = 120;

  private static final int LONG_HEAD = ZERO + SHORT;
  private static final int LENGTH_BYTES = 4;

  IntCodec() {
    super("int");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    Object number = Sized.plain(value);
    if (number instanceof Long) {
      write((Long) number, out);
    } else if (number instanceof BigInteger) {
      write((BigInteger) number, out);
    } else {
      throw wrong(value);
    }
  }

  @Override
  public Object readPart(ByteReader in) {
    int first = in.readByte(name());
    if (first == ZERO) {
      return 0L;
    }
    boolean negative = first < ZERO;
    int head = negative ? 0xff - first : first;
    if (negative) {
      in.flip();
    }
    long size = head - ZERO;
    if (head > LONG_HEAD) {
      size = readSize(in, head - LONG_HEAD);
    }
    byte[] magnitude = in.take(size, name());
    if (negative) {
      in.flip();
    }
    if (magnitude.length == 0 || magnitude[0] == 0) {
      throw refused("does not write an integer with leading zeros");
    }
    return plain(new BigInteger(negative ? -1 : 1, magnitude));
  }

  @Override
  public void checkValue(Slice data) {
    if (!isSmall(data)) {
      readValue(data);
    }
  }

  private long readSize(ByteReader in, int count) {
    if (count > LENGTH_BYTES) {
      throw refused("never starts with this byte");
    }
    long size = in.readNumber(count, name());
    if (size <= SHORT || size >>> 8 * (count - 1) == 0) {
      throw refused("has a length that is not in its shortest form");
    }
    return size;
  }

  /** Whether the bytes are a whole integer of at most seven bytes of magnitude, or zero. */
  public static boolean isSmall(Slice data) {
    int length = data.length();
    if (length == 0 || length > 8) {
      return false;
    }
    int first = data.at(0);
    if (first > ZERO) {
      return first - ZERO == length - 1 && data.at(1) != 0;
    }
    return first == ZERO ? length == 1 : 0xff - first - ZERO == length - 1 && data.at(1) != 0xff;
  }

  /** The integer in bytes that {@link #isSmall}. */
  public static long readSmall(Slice data) {
    boolean negative = data.at(0) < ZERO;
    long number = 0;
    for (int at = 1; at < data.length(); at++) {
      number = number << 8 | (negative ? 0xff ^ data.at(at) : data.at(at));
    }
    return negative ? -number : number;
  }

  /** Appends an integer of 64 bits. */
  public static void write(long number, Buffer out) {
    if (number == Long.MIN_VALUE) {
      write(BigInteger.valueOf(number), out);
      return;
    }
    long magnitude = Math.abs(number);
    int size = (71 - Long.numberOfLeadingZeros(magnitude)) / 8;
    int start = out.length();
    out.add(ZERO + size);
    out.addNumber(magnitude, size);
    if (number < 0) {
      out.complement(start);
    }
  }

  /** Appends an integer of any size. */
  public static void write(BigInteger number, Buffer out) {
    if (number.signum() == 0) {
      out.add(ZERO);
      return;
    }
    int start = out.length();
    byte[] magnitude = magnitude(number);
    int size = magnitude.length;
    if (size <= SHORT) {
      out.add(ZERO + size);
    } else {
      int count = (39 - Integer.numberOfLeadingZeros(size)) / 8;
      out.add(LONG_HEAD + count);
      out.addNumber(size, count);
    }
    out.add(magnitude);
    if (number.signum() < 0) {
      out.complement(start);
    }
  }

  /** The magnitude in as few bytes as it needs; none for zero. */
  static byte[] magnitude(BigInteger number) {
    byte[] signed = number.abs().toByteArray();
    int skip = signed[0] == 0 ? 1 : 0;
    return java.util.Arrays.copyOfRange(signed, skip, signed.length);
  }

  /** An integer as a Long where 64 bits hold it. */
  public static Number plain(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Number) number.longValue() : (Number) number;
  }

  /** The BigInteger of what codecs give as an integer. */
  public static BigInteger big(Object number) {
    return number instanceof BigInteger ? (BigInteger) number : BigInteger.valueOf((Long) number);
  }
}
