package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.ByteReader;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Moment;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Tuple;
import org.lexigraph.codec.Varint;

/** Counts by value, or by the bucket that a moment falls into: one entry for each key form. */
final class CountsState extends State {

  private static final class Entry {
    byte[] value;
    final IntegerState count = new IntegerState(Kind.SUM);
  }

  private final Codec codec;
  /** The buckets of a time series, else null. */
  private final Bucket bucket;
  private final TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);

  CountsState(Codec codec, Bucket bucket) {
    this.codec = codec;
    this.bucket = bucket;
  }

  @Override
  void merge(Slice data, long timestamp) {
    ByteReader in = new ByteReader(data);
    Slice value = new Slice();
    Slice count = new Slice();
    byte[] before = null;
    while (!in.isAtEnd()) {
      in.show(Varint.read(in), value, "key of a map");
      codec.checkValue(value);
      checkStart(value);
      in.show(Varint.read(in), count, "count of a map");
      byte[] key = keyOf(value);
      if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
        throw LexigraphException.invalidBytes("the keys of a map are not distinct and in order");
      }
      add(key, value.toArray(), Codecs.INT.readValue(count));
      before = key;
    }
  }

  private void checkStart(Slice value) {
    if (bucket == null) {
      return;
    }
    Buffer start = new Buffer();
    codec.writeValue(bucket.start((Moment) codec.readValue(value)), start);
    if (!value.is(start.toArray())) {
      throw LexigraphException.invalidBytes("a key of a time series is not the start of a bucket in UTC");
    }
  }

  @Override
  void take(Object given, long timestamp) {
    Buffer written = new Buffer();
    codec.writeValue(given, written);
    if (bucket != null) {
      written.clear();
      codec.writeValue(bucket.start((Moment) given), written);
    }
    Slice value = new Slice(written.toArray());
    add(keyOf(value), value.data(), 1L);
  }

  private byte[] keyOf(Slice value) {
    Buffer key = new Buffer();
    codec.keyOfValue(value, key);
    return key.toArray();
  }

  private void add(byte[] key, byte[] value, Object count) {
    Entry entry = entries.computeIfAbsent(key, missing -> new Entry());
    if (entry.value == null || Arrays.compareUnsigned(value, entry.value) < 0) {
      entry.value = value;
    }
    entry.count.mergeValue(count);
  }

  @Override
  public void write(Buffer out) {
    Buffer count = new Buffer();
    for (Entry entry : entries.values()) {
      Varint.write(entry.value.length, out);
      out.add(entry.value);
      count.clear();
      entry.count.write(count);
      Varint.write(count.length(), out);
      out.add(count);
    }
  }

  @Override
  public Object finish() {
    List<Object> pairs = new ArrayList<>();
    for (Entry entry : entries.values()) {
      Object value = codec.readValue(new Slice(entry.value));
      pairs.add(new Tuple(List.of(value, entry.count.finish())));
    }
    return new Tuple(pairs);
  }

  @Override
  void clear() {
    entries.clear();
  }
}
