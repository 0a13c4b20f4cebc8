package org.lexigraph.codec;

import java.util.ArrayList;
import java.util.List;

/** Any number of items of one codec, a shorter list first. */
public final class ListCodec extends Codec {

  private static final int MORE = 1;
  private static final int END = 0;

  private final Codec item;

  /** Lists of what one codec holds. */
  public ListCodec(Codec item) {
    super("list(" + item.name() + ")");
    this.item = item;
  }

  @Override
  public void writePart(Object value, Buffer out) {
    for (Object one : items(value)) {
      out.add(MORE);
      item.writePart(one, out);
    }
    out.add(END);
  }

  @Override
  public Object readPart(ByteReader in) {
    List<Object> items = new ArrayList<>();
    int marker = in.readByte(name());
    while (marker == MORE) {
      items.add(item.readPart(in));
      marker = in.readByte(name());
    }
    if (marker != END) {
      throw refused("has neither 00 nor 01 before or after an item");
    }
    return items;
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    for (Object one : items(value)) {
      writeItem(item, one, out);
    }
  }

  @Override
  public Object readValue(Slice data) {
    List<Object> items = new ArrayList<>();
    for (Slice one : split(data, name())) {
      items.add(item.readValue(one));
    }
    return items;
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  /** Cuts bytes that are nothing but lengths and as many bytes each. */
  static List<Slice> split(Slice data, String name) {
    List<Slice> items = new ArrayList<>();
    ByteReader in = new ByteReader(data);
    while (!in.isAtEnd()) {
      Slice one = new Slice();
      in.show(Varint.read(in), one, name);
      items.add(one);
    }
    return items;
  }

  /** Appends the length and the value form of one item. */
  static void writeItem(Codec codec, Object value, Buffer out) {
    Buffer written = new Buffer();
    codec.writeValue(value, written);
    Varint.write(written.length(), out);
    out.add(written);
  }

  /** The items of a tuple or list; null for anything else. */
  static List<?> itemsOf(Object value) {
    if (value instanceof Tuple) {
      return ((Tuple) value).items();
    }
    return value instanceof List ? (List<?>) value : null;
  }

  private List<?> items(Object value) {
    List<?> items = itemsOf(value);
    if (items == null) {
      throw wrong(value);
    }
    return items;
  }
}
