package org.lexigraph.codec;

/**
 * Datetimes with an offset, ordered by the moment they mean, and without one. Keys are microseconds since 1970, in UTC
 * where there is an offset; values keep the offset too.
 */
final class DatetimeCodec extends Codec {

  static final long DAY_MICROS = 86_400_000_000L;

  private static final long FIRST = DateCodec.FIRST_DAY * DAY_MICROS;
  private static final long LAST = (DateCodec.LAST_DAY + 1) * DAY_MICROS - 1;

  private final int type;

  DatetimeCodec(int type) {
    super(type == TypeBytes.DATETIME ? "datetime" : "naive_datetime");
    this.type = type;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    Moment moment = moment(value);
    out.addNumber(moment.number() ^ Long.MIN_VALUE, 8);
  }

  @Override
  public Object readPart(ByteReader in) {
    long micros = check(in.readNumber(8, name()) ^ Long.MIN_VALUE);
    return new Moment(type, micros, isAware() ? 0L : null);
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    writePart(value, out);
    if (isAware()) {
      IntCodec.write(((Moment) value).offset(), out);
    }
  }

  @Override
  public Object readValue(Slice data) {
    if (!isAware()) {
      return readKey(data);
    }
    ByteReader in = new ByteReader(data);
    long micros = check(in.readNumber(8, name()) ^ Long.MIN_VALUE);
    long offset = readOffset(in, this);
    in.finish(name());
    check(micros + offset);
    return new Moment(type, micros, offset);
  }

  @Override
  public boolean storesKeys() {
    return !isAware();
  }

  /** Reads an offset of less than a day. */
  static long readOffset(ByteReader in, Codec codec) {
    Object offset = Codecs.INT.readPart(in);
    if (!(offset instanceof Long) || Math.abs((Long) offset) >= DAY_MICROS) {
      throw codec.refused("reads no UTC offset of a day or more");
    }
    return (Long) offset;
  }

  private boolean isAware() {
    return type == TypeBytes.DATETIME;
  }

  private Moment moment(Object value) {
    if (!(value instanceof Moment) || ((Moment) value).type() != type) {
      throw wrong(value);
    }
    Moment moment = (Moment) value;
    if (moment.number() < FIRST || moment.number() > LAST) {
      throw wrong(value);
    }
    return moment;
  }

  private long check(long micros) {
    if (micros < FIRST || micros > LAST) {
      throw refused("reads the years 1 to 9999 only");
    }
    return micros;
  }
}
