package org.lexigraph.codec;

/** Integers of 8, 16, 32 or 64 bits, as Long: two's complement with the top bit flipped. */
final class FixedIntCodec extends Codec {

  private final int width;
  private final long bias;

  FixedIntCodec(int bits) {
    super("int" + bits);
    width = bits / 8;
    bias = 1L << bits - 1;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    Object number = Sized.plain(value);
    if (!(number instanceof Long) || width < 8 && ((Long) number < -bias || (Long) number >= bias)) {
      throw wrong(value);
    }
    out.addNumber((Long) number ^ bias, width);
  }

  @Override
  public Object readPart(ByteReader in) {
    long flipped = in.readNumber(width, name()) ^ bias;
    int unused = Long.SIZE - 8 * width;
    return flipped << unused >> unused;
  }

  @Override
  public void checkKey(Slice data) {
    if (data.length() != width) {
      throw refused("reads " + width + " bytes, not " + data.length());
    }
  }

  @Override
  public void checkValue(Slice data) {
    checkKey(data);
  }
}
