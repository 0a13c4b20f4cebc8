package org.lexigraph.codec;

/** IP addresses: every one of version 4 before every one of version 6. */
final class IpCodec extends Codec {

  IpCodec() {
    super("ip");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    if (!(value instanceof Ip)) {
      throw wrong(value);
    }
    byte[] address = ((Ip) value).address();
    out.add(address.length == 4 ? 4 : 6);
    out.add(address);
  }

  @Override
  public Object readPart(ByteReader in) {
    int version = in.readByte(name());
    if (version != 4 && version != 6) {
      throw refused("starts with 04 or 06, not " + version);
    }
    return new Ip(in.take(version == 4 ? 4 : 16, name()));
  }
}
