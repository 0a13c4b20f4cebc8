package org.lexigraph.codec;

import java.util.UUID;

/** UUIDs in the unsigned order of their 16 bytes. */
final class UuidCodec extends Codec {

  UuidCodec() {
    super("uuid");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    if (!(value instanceof UUID)) {
      throw wrong(value);
    }
    UUID uuid = (UUID) value;
    out.addNumber(uuid.getMostSignificantBits(), 8);
    out.addNumber(uuid.getLeastSignificantBits(), 8);
  }

  @Override
  public Object readPart(ByteReader in) {
    long high = in.readNumber(8, name());
    return new UUID(high, in.readNumber(8, name()));
  }
}
