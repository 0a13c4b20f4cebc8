package org.lexigraph.codec;

import org.lexigraph.LexigraphException;

/**
 * One type's key, part and value bytes. Byte order of keys is value order; equal values have one key; no part is a
 * prefix of another part; readers accept only what writers write and throw nothing but InvalidBytes. Writers refuse
 * values of other types with InvalidValue. Codecs have no state and are shared.
 */
public abstract class Codec {

  private final String name;

  /** A codec of that name, which is stored in key plans. */
  protected Codec(String name) {
    this.name = name;
  }

  /** The name in key plans. */
  public final String name() {
    return name;
  }

  /** Appends the bytes inside a longer key: prefix-free, in the order of values. */
  public abstract void writePart(Object value, Buffer out);

  /** Reads one part. */
  public abstract Object readPart(ByteReader in);

  /** Appends the key bytes: ordered and canonical. */
  public void writeKey(Object value, Buffer out) {
    writePart(value, out);
  }

  /** Reads key bytes that take up all of <code>data</code>. */
  public Object readKey(Slice data) {
    ByteReader in = new ByteReader(data);
    Object value = readPart(in);
    in.finish(name);
    return value;
  }

  /** Appends the bytes to store as a value: faithful, not ordered. */
  public void writeValue(Object value, Buffer out) {
    writeKey(value, out);
  }

  /** Reads stored bytes that take up all of <code>data</code>. */
  public Object readValue(Slice data) {
    return readKey(data);
  }

  /** Refuses what {@link #readKey} refuses. */
  public void checkKey(Slice data) {
    readKey(data);
  }

  /** Refuses what {@link #readValue} refuses. */
  public void checkValue(Slice data) {
    readValue(data);
  }

  /** Whether the value form of everything it holds is the key form too. */
  public boolean storesKeys() {
    return true;
  }

  /** Appends the key form of what is stored in <code>data</code>. */
  public final void keyOfValue(Slice data, Buffer out) {
    if (storesKeys()) {
      out.add(data);
    } else {
      writeKey(readValue(data), out);
    }
  }

  /** Whether a key, or a stored value, is null. */
  public boolean isNull(Slice data) {
    return false;
  }

  /** Whether a part is the key form, escaped, and 00. */
  public boolean isTerminated() {
    return false;
  }

  /** The error for a value that it does not hold. */
  protected final LexigraphException wrong(Object value) {
    String given = value == null ? "null" : value.getClass().getSimpleName();
    return LexigraphException.invalidValue("codec '" + name + "' does not hold this " + given);
  }

  /** The error for bytes that it does not write. */
  protected final LexigraphException refused(String why) {
    return LexigraphException.invalidBytes("codec '" + name + "' " + why);
  }

  @Override
  public String toString() {
    return "<codec " + name + ">";
  }
}
