package org.lexigraph.codec;

/**
 * Times of day. A first byte keeps those without an offset, which come first, from the others. Keys of the others hold
 * the moment they mean within the UTC day, never wrapped; values keep local time and offset.
 */
final class TimeCodec extends Codec {

  private static final int NAIVE = 0;
  private static final int AWARE = 1;
  private static final long SECOND = 1_000_000;
  private static final long LAST = DatetimeCodec.DAY_MICROS - 1;

  TimeCodec() {
    super("time");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    Moment time = time(value);
    out.add(time.offset() == null ? NAIVE : AWARE);
    long shift = time.offset() == null ? 0 : time.offset();
    out.addNumber(time.number() - shift ^ Long.MIN_VALUE, 8);
  }

  @Override
  public Object readPart(ByteReader in) {
    int kind = in.readByte(name());
    long number = in.readNumber(8, name()) ^ Long.MIN_VALUE;
    if (kind == NAIVE) {
      return new Moment(TypeBytes.TIME, check(number), null);
    }
    if (kind != AWARE || number < -LAST || number > 2 * LAST) {
      throw refused("does not write these bytes");
    }
    // Python compares offsets by whole seconds only, so these come back in whole seconds.
    long second = Math.floorDiv(number, SECOND);
    long local = clamp(second, 86_399) * SECOND + Math.floorMod(number, SECOND);
    if (Math.abs(local - number) >= DatetimeCodec.DAY_MICROS) {
      local = clamp(number, LAST);
    }
    return new Moment(TypeBytes.TIME, local, local - number);
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    Moment time = time(value);
    out.add(time.offset() == null ? NAIVE : AWARE);
    out.addNumber(time.number() ^ Long.MIN_VALUE, 8);
    if (time.offset() != null) {
      IntCodec.write(time.offset(), out);
    }
  }

  @Override
  public Object readValue(Slice data) {
    ByteReader in = new ByteReader(data);
    int kind = in.readByte(name());
    long local = check(in.readNumber(8, name()) ^ Long.MIN_VALUE);
    if (kind > AWARE) {
      throw refused("starts with 00 or 01");
    }
    Long offset = kind == NAIVE ? null : (Long) DatetimeCodec.readOffset(in, this);
    in.finish(name());
    return new Moment(TypeBytes.TIME, local, offset);
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  private Moment time(Object value) {
    if (!(value instanceof Moment) || ((Moment) value).type() != TypeBytes.TIME) {
      throw wrong(value);
    }
    return (Moment) value;
  }

  private long check(long micros) {
    if (micros < 0 || micros > LAST) {
      throw refused("reads times within the day only");
    }
    return micros;
  }

  private static long clamp(long number, long highest) {
    return Math.min(Math.max(number, 0), highest);
  }
}
