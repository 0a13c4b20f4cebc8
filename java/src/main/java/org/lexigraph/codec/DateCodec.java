package org.lexigraph.codec;

/** Dates of the years 1 to 9999, as days since 1970. */
final class DateCodec extends Codec {

  static final long FIRST_DAY = -719_162;
  static final long LAST_DAY = 2_932_896;

  private static final long BIAS = 1L << 31;

  DateCodec() {
    super("date");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    if (!(value instanceof Moment) || ((Moment) value).type() != TypeBytes.DATE) {
      throw wrong(value);
    }
    long days = ((Moment) value).number();
    if (days < FIRST_DAY || days > LAST_DAY) {
      throw wrong(value);
    }
    out.addNumber(days ^ BIAS, 4);
  }

  @Override
  public Object readPart(ByteReader in) {
    long days = (int) (in.readNumber(4, name()) ^ BIAS);
    if (days < FIRST_DAY || days > LAST_DAY) {
      throw refused("reads the years 1 to 9999 only");
    }
    return new Moment(TypeBytes.DATE, days, null);
  }
}
