package org.lexigraph.codec;

/**
 * Points on the globe. Keys interleave the bits of latitude and longitude as ordered doubles, latitude first: near
 * points mostly have near keys, and nothing is rounded.
 */
final class GeoCodec extends Codec {

  GeoCodec() {
    super("geo");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    GeoPoint point = point(value);
    long latitude = FloatCodec.ordered(Double.doubleToLongBits(point.latitude() + 0.0));
    long longitude = FloatCodec.ordered(Double.doubleToLongBits(point.longitude() + 0.0));
    for (int shift = 32; shift >= 0; shift -= 32) {
      out.addNumber(spread(latitude >>> shift) << 1 | spread(longitude >>> shift), 8);
    }
  }

  @Override
  public Object readPart(ByteReader in) {
    long high = in.readNumber(8, name());
    long low = in.readNumber(8, name());
    Buffer both = new Buffer();
    both.addNumber(gather(high >>> 1) << 32 | gather(low >>> 1), 8);
    both.addNumber(gather(high) << 32 | gather(low), 8);
    ByteReader parts = new ByteReader(new Slice(both.toArray()));
    Double latitude = (Double) Codecs.FLOAT.readPart(parts);
    return checked(latitude, (Double) Codecs.FLOAT.readPart(parts));
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    GeoPoint point = point(value);
    Codecs.FLOAT.writeValue(point.latitude(), out);
    Codecs.FLOAT.writeValue(point.longitude(), out);
  }

  @Override
  public Object readValue(Slice data) {
    if (data.length() != 16) {
      throw refused("reads 16 bytes, not " + data.length());
    }
    int middle = data.from() + 8;
    Object latitude = Codecs.FLOAT.readValue(new Slice(data.data(), data.from(), middle));
    return checked((Double) latitude, (Double) Codecs.FLOAT.readValue(new Slice(data.data(), middle, data.to())));
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  private GeoPoint point(Object value) {
    if (!(value instanceof GeoPoint) || !((GeoPoint) value).isValid()) {
      throw wrong(value);
    }
    return (GeoPoint) value;
  }

  private GeoPoint checked(double latitude, double longitude) {
    GeoPoint point = new GeoPoint(latitude, longitude);
    if (!point.isValid()) {
      throw refused("reads points on the globe only");
    }
    return point;
  }

  /** Moves the lower 32 bits to the even places of 64. */
  private static long spread(long bits) {
    long moved = bits & 0xffff_ffffL;
    moved = (moved | moved << 16) & 0x0000_ffff_0000_ffffL;
    moved = (moved | moved << 8) & 0x00ff_00ff_00ff_00ffL;
    moved = (moved | moved << 4) & 0x0f0f_0f0f_0f0f_0f0fL;
    moved = (moved | moved << 2) & 0x3333_3333_3333_3333L;
    return (moved | moved << 1) & 0x5555_5555_5555_5555L;
  }

  /** Undoes {@link #spread}; bits at odd places do not count. */
  private static long gather(long bits) {
    long moved = bits & 0x5555_5555_5555_5555L;
    moved = (moved | moved >>> 1) & 0x3333_3333_3333_3333L;
    moved = (moved | moved >>> 2) & 0x0f0f_0f0f_0f0f_0f0fL;
    moved = (moved | moved >>> 4) & 0x00ff_00ff_00ff_00ffL;
    moved = (moved | moved >>> 8) & 0x0000_ffff_0000_ffffL;
    return (moved | moved >>> 16) & 0xffff_ffffL;
  }
}
