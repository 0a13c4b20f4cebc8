package org.lexigraph.codec;

import java.util.Arrays;

/** A view of some bytes that can be moved: reading a cell moves slices instead of copying. */
public final class Slice {

  private byte[] data;
  private int from;
  private int to;

  /** A view of nothing. */
  public Slice() {
    this(new byte[0]);
  }

  /** A view of all of some bytes. */
  public Slice(byte[] data) {
    this(data, 0, data.length);
  }

  /** A view of <code>data[from:to]</code>. */
  public Slice(byte[] data, int from, int to) {
    set(data, from, to);
  }

  /** Moves it to <code>data[from:to]</code>. */
  public Slice set(byte[] newData, int newFrom, int newTo) {
    data = newData;
    from = newFrom;
    to = newTo;
    return this;
  }

  /** Moves it to where another one is. */
  public Slice set(Slice other) {
    return set(other.data, other.from, other.to);
  }

  /** The bytes that it looks into. */
  public byte[] data() {
    return data;
  }

  /** Where it starts in them. */
  public int from() {
    return from;
  }

  /** Where it ends in them. */
  public int to() {
    return to;
  }

  /** How many bytes it shows. */
  public int length() {
    return to - from;
  }

  /** Whether it shows nothing. */
  public boolean isEmpty() {
    return from == to;
  }

  /** The byte at an index, 0 to 255. */
  public int at(int index) {
    return data[from + index] & 0xff;
  }

  /** Whether it shows these bytes. */
  public boolean is(byte[] other) {
    return Arrays.equals(data, from, to, other, 0, other.length);
  }

  /** Order as of unsigned bytes, a shorter prefix first. */
  public int compare(Slice other) {
    return Arrays.compareUnsigned(data, from, to, other.data, other.from, other.to);
  }

  /** Order as of unsigned bytes, a shorter prefix first. */
  public int compare(byte[] other) {
    return Arrays.compareUnsigned(data, from, to, other, 0, other.length);
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return Arrays.copyOfRange(data, from, to);
  }
}
