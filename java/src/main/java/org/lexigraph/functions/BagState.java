package org.lexigraph.functions;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.ByteReader;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Tuple;
import org.lexigraph.codec.Varint;

/**
 * Values in one order: lists, top values, samples and joined texts. The order decides what stays where only some can,
 * so the order of arrival does not matter.
 */
final class BagState extends State {

  private static final class Item {
    final byte[] key;
    final byte[] value;
    final long hash;

    Item(byte[] key, byte[] value, long hash) {
      this.key = key;
      this.value = value;
      this.hash = hash;
    }
  }

  private final Aggregate aggregate;
  private final Codec codec;
  private final boolean distinct;
  private final int limit;
  private final byte[] separator;
  private final Comparator<Item> ranks;
  private final Comparator<Item> order;
  private List<Item> items = new ArrayList<>();

  BagState(Aggregate aggregate, Codec codec) {
    this.aggregate = aggregate;
    this.codec = codec;
    Kind kind = aggregate.kind();
    distinct = kind == Kind.RESERVOIR || aggregate.distinct();
    limit = kind == Kind.TOP_N || kind == Kind.RESERVOIR ? aggregate.size() : Integer.MAX_VALUE;
    separator = kind == Kind.CONCAT && distinct ? aggregate.separator().getBytes(StandardCharsets.UTF_8) : new byte[0];
    Comparator<Item> byKey = (a, b) -> Arrays.compareUnsigned(a.key, b.key);
    ranks = kind == Kind.TOP_N
        ? byKey.reversed()
        : Comparator.<Item>comparingLong(item -> item.hash).thenComparing(byKey);
    order = ranks.thenComparing((a, b) -> Arrays.compareUnsigned(a.value, b.value));
  }

  @Override
  void merge(Slice data, long timestamp) {
    ByteReader in = new ByteReader(data);
    Slice value = new Slice();
    Item before = null;
    int count = 0;
    while (!in.isAtEnd()) {
      in.show(Varint.read(in), value, aggregate.kind().word());
      codec.checkValue(value);
      if (separator.length > 0 && find(value.toArray(), 0) >= 0) {
        throw refused("a part holds the separator");
      }
      Item item = item(value.toArray());
      if (before != null && (distinct ? ranks.compare(before, item) >= 0 : order.compare(before, item) > 0)) {
        throw refused("its values are not in order");
      }
      count++;
      if (count > limit) {
        throw refused("it has too many values");
      }
      items.add(item);
      before = item;
    }
    trim();
  }

  @Override
  void take(Object given, long timestamp) {
    Buffer written = new Buffer();
    codec.writeValue(given, written);
    byte[] value = written.toArray();
    int from = 0;
    if (separator.length > 0) {
      for (int at = find(value, 0); at >= 0; at = find(value, from)) {
        items.add(item(Arrays.copyOfRange(value, from, at)));
        from = at + separator.length;
      }
    }
    items.add(item(Arrays.copyOfRange(value, from, value.length)));
    trim();
  }

  private Item item(byte[] value) {
    Buffer key = new Buffer();
    codec.keyOfValue(new Slice(value), key);
    byte[] form = codec.storesKeys() ? value : key.toArray();
    return new Item(form, value, aggregate.kind() == Kind.RESERVOIR ? Integer.toUnsignedLong(Murmur3.hash(form, 0, form.length)) : 0);
  }

  private int find(byte[] value, int from) {
    for (int at = from; at + separator.length <= value.length; at++) {
      if (Arrays.equals(value, at, at + separator.length, separator, 0, separator.length)) {
        return at;
      }
    }
    return -1;
  }

  /** Drops what cannot stay, now and then: so that adding one by one costs little. */
  private void trim() {
    if (limit < Integer.MAX_VALUE && items.size() >= Math.max(2 * limit, 16)) {
      items = settled();
    }
  }

  private List<Item> settled() {
    items.sort(order);
    List<Item> kept = new ArrayList<>();
    Item before = null;
    for (Item item : items) {
      if (kept.size() == limit) {
        break;
      }
      if (!distinct || before == null || ranks.compare(before, item) != 0) {
        kept.add(item);
      }
      before = item;
    }
    return kept;
  }

  @Override
  public void write(Buffer out) {
    for (Item item : settled()) {
      Varint.write(item.value.length, out);
      out.add(item.value);
    }
  }

  @Override
  public Object finish() {
    List<Object> values = new ArrayList<>();
    for (Item item : settled()) {
      values.add(codec.readValue(new Slice(item.value)));
    }
    if (aggregate.kind() != Kind.CONCAT) {
      return new Tuple(values);
    }
    return String.join(aggregate.separator(), values.toArray(new String[0]));
  }

  @Override
  void clear() {
    items.clear();
  }

  private LexigraphException refused(String why) {
    return LexigraphException.invalidBytes("a state of '" + aggregate.kind().word() + "': " + why);
  }
}
