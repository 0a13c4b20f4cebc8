package org.lexigraph.codec;

/** Null, in no bytes at all. */
final class NullCodec extends Codec {

  NullCodec() {
    super("null");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    if (value != null) {
      throw wrong(value);
    }
  }

  @Override
  public Object readPart(ByteReader in) {
    return null;
  }

  @Override
  public boolean isNull(Slice data) {
    return true;
  }
}
