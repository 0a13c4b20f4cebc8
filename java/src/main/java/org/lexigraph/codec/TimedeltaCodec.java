package org.lexigraph.codec;

/** Spans of time, in days and microseconds: the whole range takes more than 64 bits. */
final class TimedeltaCodec extends Codec {

  private static final long MAX_DAYS = 999_999_999;
  private static final long BIAS = 1L << 31;

  TimedeltaCodec() {
    super("timedelta");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    if (!(value instanceof Timedelta) || !isValid((Timedelta) value)) {
      throw wrong(value);
    }
    Timedelta span = (Timedelta) value;
    out.addNumber(span.days() ^ BIAS, 4);
    out.addNumber(span.micros(), 5);
  }

  @Override
  public Object readPart(ByteReader in) {
    long days = (int) (in.readNumber(4, name()) ^ BIAS);
    Timedelta span = new Timedelta(days, in.readNumber(5, name()));
    if (!isValid(span)) {
      throw refused("reads no span of too many days, or with a day of too many microseconds");
    }
    return span;
  }

  private static boolean isValid(Timedelta span) {
    return Math.abs(span.days()) <= MAX_DAYS && span.micros() >= 0 && span.micros() < DatetimeCodec.DAY_MICROS;
  }
}
