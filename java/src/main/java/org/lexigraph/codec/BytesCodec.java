package org.lexigraph.codec;

/** Bytes as they are. */
final class BytesCodec extends TerminatedCodec {

  BytesCodec() {
    super("bytes");
  }

  @Override
  byte[] bytes(Object value) {
    if (!(value instanceof byte[])) {
      throw wrong(value);
    }
    return (byte[]) value;
  }

  @Override
  public Object readKey(Slice data) {
    return data.toArray();
  }

  @Override
  public void checkKey(Slice data) {
    // Any bytes will do.
  }
}
