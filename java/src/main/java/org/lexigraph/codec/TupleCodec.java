package org.lexigraph.codec;

import java.util.ArrayList;
import java.util.List;

/** A fixed number of parts, each with its codec: ordered by the first part, then the second, and so on. */
public final class TupleCodec extends Codec {

  private final List<Codec> parts;

  /** Puts codecs side by side. */
  public TupleCodec(List<Codec> parts) {
    super("tuple");
    this.parts = parts;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    List<?> items = items(value);
    for (int at = 0; at < parts.size(); at++) {
      parts.get(at).writePart(items.get(at), out);
    }
  }

  @Override
  public Object readPart(ByteReader in) {
    List<Object> items = new ArrayList<>();
    for (Codec part : parts) {
      items.add(part.readPart(in));
    }
    return new Tuple(items);
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    List<?> items = items(value);
    for (int at = 0; at < parts.size(); at++) {
      ListCodec.writeItem(parts.get(at), items.get(at), out);
    }
  }

  @Override
  public Object readValue(Slice data) {
    List<Slice> written = ListCodec.split(data, name());
    if (written.size() != parts.size()) {
      throw refused("has " + parts.size() + " parts, not " + written.size());
    }
    List<Object> items = new ArrayList<>();
    for (int at = 0; at < parts.size(); at++) {
      items.add(parts.get(at).readValue(written.get(at)));
    }
    return new Tuple(items);
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  private List<?> items(Object value) {
    List<?> items = ListCodec.itemsOf(value);
    if (items == null || items.size() != parts.size()) {
      throw wrong(value);
    }
    return items;
  }
}
