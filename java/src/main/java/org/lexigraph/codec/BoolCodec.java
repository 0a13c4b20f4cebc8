package org.lexigraph.codec;

/** False before true, as 00 and 01. */
final class BoolCodec extends Codec {

  BoolCodec() {
    super("bool");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    if (!(value instanceof Boolean)) {
      throw wrong(value);
    }
    out.add((Boolean) value ? 1 : 0);
  }

  @Override
  public Object readPart(ByteReader in) {
    int read = in.readByte(name());
    if (read > 1) {
      throw refused("reads one byte, 00 or 01");
    }
    return read == 1;
  }
}
