package org.lexigraph.iterators;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Gives all values of fully equal keys in one cell, above everything else of a scan: section 5 of
 * <code>docs/formats/accumulo.md</code>. A server that ends an answer goes on behind the last key it gave, so what else has
 * that key would be lost. Such a value starts with the name of the scan, which nobody knows before; others are as stored.
 */
public final class EqualKeys implements SortedKeyValueIterator<Key, Value> {
  /** The option: how many values of the first key of the range were given before. */
  public static final String SKIP = "skip";

  /** The option: a name for the scan, unlike any other's. */
  public static final String NAME = "name";

  /** How many bytes of values go into one cell, and those of the value with which they are passed. */
  static final int MOST_BYTES = 16 << 20;

  private static final byte ALL = 0;
  private static final byte MORE = 1;

  private SortedKeyValueIterator<Key, Value> source;
  private byte[] name;
  private long skip;
  /** Where the range starts, if with this key. */
  private Key start;
  private Key key;
  private Value value;

  /** Made by Accumulo, which then calls {@link #init}. */
  public EqualKeys() {}

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> below, Map<String, String> options, IteratorEnvironment env) {
    source = below;
    name = options.get(NAME).getBytes(StandardCharsets.UTF_8);
    skip = Long.parseLong(options.getOrDefault(SKIP, "0"));
  }

  @Override
  public void seek(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    source.seek(range, families, inclusive);
    start = range.isStartKeyInclusive() ? range.getStartKey() : null;
    pass();
    next();
  }

  @Override
  public void next() throws IOException {
    if (!source.hasTop()) {
      key = null;
      return;
    }
    key = new Key(source.getTopKey());
    byte[] first = source.getTopValue().get();
    source.next();
    // Not copied: a source that goes on has another array for the next value.
    value =
        source.hasTop() && source.getTopKey().equals(key) ? gather(first) : new Value(first, false);
  }

  @Override
  public boolean hasTop() {
    return key != null;
  }

  @Override
  public Key getTopKey() {
    return key;
  }

  @Override
  public Value getTopValue() {
    return value;
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    EqualKeys copy = new EqualKeys();
    copy.source = source.deepCopy(env);
    copy.name = name;
    copy.skip = skip;
    return copy;
  }

  /** Whether the value of a cell of a scan of this name holds those of several. */
  public static boolean isPacked(Value value, byte[] name) {
    byte[] bytes = value.get();
    // Nearly all differ at once.
    return bytes.length > name.length
        && bytes[0] == name[0]
        && Arrays.equals(bytes, 0, name.length, name, 0, name.length);
  }

  /** Takes such a value apart; gives how many it holds where more of the same key were left out, else -1. */
  public static int read(Value packed, byte[] name, Consumer<Value> each) {
    byte[] bytes = packed.get();
    ByteBuffer rest = ByteBuffer.wrap(bytes, name.length, bytes.length - name.length);
    byte kind = rest.get();
    int count = 0;
    while (rest.hasRemaining()) {
      byte[] one = new byte[rest.getInt()];
      rest.get(one);
      each.accept(new Value(one, false));
      count++;
    }
    return kind == MORE ? count : -1;
  }

  private void pass() throws IOException {
    for (long left = skip; left > 0 && source.hasTop() && source.getTopKey().equals(start); left--) {
      source.next();
    }
  }

  private Value gather(byte[] first) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    begin(out, ALL);
    put(out, first);
    while (source.hasTop() && source.getTopKey().equals(key)) {
      if (out.size() > MOST_BYTES) {
        // Files with equal keys come in an order that depends on where reading began: those who go
        // on begin at this key, so its first cells are given to whoever began there too.
        byte[] bytes = out.toByteArray();
        bytes[name.length] = MORE;
        if (!key.equals(start)) {
          bytes = Arrays.copyOf(bytes, name.length + 1);
        }
        // Whoever reads this asks again; what comes here behind it is not looked at.
        while (source.hasTop() && source.getTopKey().equals(key)) {
          source.next();
        }
        return new Value(bytes, false);
      }
      put(out, source.getTopValue().get());
      source.next();
    }
    return new Value(out.toByteArray(), false);
  }

  private void begin(ByteArrayOutputStream out, byte kind) {
    out.writeBytes(name);
    out.write(kind);
  }

  private static void put(ByteArrayOutputStream out, byte[] value) {
    out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
    out.writeBytes(value);
  }
}
