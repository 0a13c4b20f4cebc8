package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.ByteReader;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Tuple;
import org.lexigraph.codec.Varint;

/** Distinct values: one member for each key form, the one with the smaller value bytes. */
final class SetState extends State {

  private final Codec codec;
  private final TreeMap<byte[], byte[]> members = new TreeMap<>(Arrays::compareUnsigned);

  SetState(Codec codec) {
    this.codec = codec;
  }

  @Override
  void merge(Slice data, long timestamp) {
    ByteReader in = new ByteReader(data);
    Slice value = new Slice();
    byte[] before = null;
    while (!in.isAtEnd()) {
      in.show(Varint.read(in), value, "set");
      codec.checkValue(value);
      byte[] key = keyOf(value);
      if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
        throw LexigraphException.invalidBytes("the members of a set are not distinct and in key order");
      }
      insert(key, value.toArray());
      before = key;
    }
  }

  private byte[] keyOf(Slice value) {
    Buffer key = new Buffer();
    codec.keyOfValue(value, key);
    return key.toArray();
  }

  private void insert(byte[] key, byte[] value) {
    byte[] held = members.putIfAbsent(key, value);
    if (held != null && Arrays.compareUnsigned(value, held) < 0) {
      members.put(key, value);
    }
  }

  @Override
  void take(Object given, long timestamp) {
    Buffer written = new Buffer();
    codec.writeValue(given, written);
    Slice value = new Slice(written.toArray());
    insert(keyOf(value), value.data());
  }

  @Override
  public void write(Buffer out) {
    for (byte[] value : members.values()) {
      Varint.write(value.length, out);
      out.add(value);
    }
  }

  @Override
  public Object finish() {
    List<Object> values = new ArrayList<>();
    for (byte[] value : members.values()) {
      values.add(codec.readValue(new Slice(value)));
    }
    return new Tuple(values);
  }

  @Override
  void clear() {
    members.clear();
  }
}
