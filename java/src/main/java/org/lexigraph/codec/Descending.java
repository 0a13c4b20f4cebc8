package org.lexigraph.codec;

/** Another codec in reverse order: the complement of its parts. Values have no order and stay as they are. */
final class Descending extends Codec {

  private final Codec inner;

  Descending(Codec inner) {
    super("descending(" + inner.name() + ")");
    this.inner = inner;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    int start = out.length();
    inner.writePart(value, out);
    out.complement(start);
  }

  @Override
  public Object readPart(ByteReader in) {
    in.flip();
    Object value = inner.readPart(in);
    in.flip();
    return value;
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    inner.writeValue(value, out);
  }

  @Override
  public Object readValue(Slice data) {
    return inner.readValue(data);
  }

  @Override
  public boolean storesKeys() {
    return false;
  }
}
