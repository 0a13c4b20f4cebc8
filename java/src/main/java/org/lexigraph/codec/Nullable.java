package org.lexigraph.codec;

/** Another codec with null before or after all its values: a byte that says which, then the part. */
final class Nullable extends Codec {

  private final Codec inner;
  private final Nulls nulls;

  Nullable(Codec inner, Nulls nulls) {
    super("nullable(" + inner.name() + "," + nulls.name().toLowerCase(java.util.Locale.ROOT) + ")");
    this.inner = inner;
    this.nulls = nulls;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    out.add(value == null ? nulls.marker() : nulls.present());
    if (value != null) {
      inner.writePart(value, out);
    }
  }

  @Override
  public Object readPart(ByteReader in) {
    int marker = in.readByte(name());
    if (marker == nulls.marker()) {
      return null;
    }
    if (marker != nulls.present()) {
      throw refused("starts with 00 or 01, not " + marker);
    }
    return refuseNull(inner.readPart(in));
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    out.add(value == null ? 0 : 1);
    if (value != null) {
      inner.writeValue(value, out);
    }
  }

  @Override
  public Object readValue(Slice data) {
    if (data.length() == 1 && data.at(0) == 0) {
      return null;
    }
    if (data.isEmpty() || data.at(0) != 1) {
      throw refused("has values of 00, or that start with 01");
    }
    return refuseNull(inner.readValue(new Slice(data.data(), data.from() + 1, data.to())));
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  /** The inner codec may know null as well, but null is never written through it. */
  private Object refuseNull(Object value) {
    if (value == null) {
      throw refused("writes null without a value after it");
    }
    return value;
  }
}
