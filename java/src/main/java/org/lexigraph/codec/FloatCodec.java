package org.lexigraph.codec;

/**
 * Floats of 64 or 32 bits, as Double. Negative numbers have all bits flipped, others the sign bit. Keys know one zero
 * and one NaN, which comes last; values keep -0.0.
 */
final class FloatCodec extends Codec {

  private static final long NAN = 0x7ff8_0000_0000_0000L ^ Long.MIN_VALUE;
  private static final long NAN32 = 0x7fc0_0000L ^ 0x8000_0000L;
  private static final long TOP32 = 0x8000_0000L;
  private static final long ALL32 = 0xffff_ffffL;

  private final boolean is32;

  FloatCodec(int bits) {
    super(bits == 64 ? "float" : "float" + bits);
    is32 = bits == 32;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    write(doubleOf(value) + 0.0, out);
  }

  @Override
  public Object readPart(ByteReader in) {
    double number = read(in);
    if (number == 0 && 1 / number < 0) {
      throw refused("has no key for -0.0");
    }
    return number;
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    write(doubleOf(value), out);
  }

  @Override
  public Object readValue(Slice data) {
    ByteReader in = new ByteReader(data);
    double number = read(in);
    in.finish(name());
    return number;
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  private double doubleOf(Object value) {
    Object number = Sized.plain(value);
    if (!(number instanceof Double)) {
      throw wrong(value);
    }
    return (Double) number;
  }

  private void write(double number, Buffer out) {
    if (is32) {
      if (number == number && (float) number != number) {
        throw wrong(number);
      }
      out.addNumber(ordered32(Float.floatToIntBits((float) number) & ALL32), 4);
    } else {
      out.addNumber(ordered(Double.doubleToLongBits(number)), 8);
    }
  }

  private double read(ByteReader in) {
    double number;
    long written;
    long only;
    if (is32) {
      written = in.readNumber(4, name());
      number = Float.intBitsToFloat((int) (written ^ ((written & TOP32) != 0 ? TOP32 : ALL32)));
      only = NAN32;
    } else {
      written = in.readNumber(8, name());
      number = Double.longBitsToDouble(written ^ (written < 0 ? Long.MIN_VALUE : -1L));
      only = NAN;
    }
    if (number != number && written != only) {
      throw refused("stores a single form of NaN, not these bytes");
    }
    return number;
  }

  /** The 64 bits whose unsigned order is that of the numbers. */
  static long ordered(long bits) {
    return bits ^ (bits < 0 ? -1L : Long.MIN_VALUE);
  }

  private static long ordered32(long bits) {
    return bits ^ ((bits & TOP32) != 0 ? ALL32 : TOP32);
  }
}
