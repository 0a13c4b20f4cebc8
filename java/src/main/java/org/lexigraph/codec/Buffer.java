package org.lexigraph.codec;

import java.util.Arrays;

/** Bytes being written. Made once and cleared between uses, so that writing costs no garbage. */
public final class Buffer {

  private byte[] data = new byte[64];
  private int length;

  /** Forgets everything. */
  public void clear() {
    length = 0;
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** Appends one byte. */
  public void add(int value) {
    reserve(1);
    data[length++] = (byte) value;
  }

  /** Appends all of some bytes. */
  public void add(byte[] bytes) {
    add(bytes, 0, bytes.length);
  }

  /** Appends the bytes of a slice. */
  public void add(Slice slice) {
    add(slice.data(), slice.from(), slice.to());
  }

  /** Appends another buffer. */
  public void add(Buffer other) {
    add(other.data, 0, other.length);
  }

  /** Appends <code>bytes[from:to]</code>. */
  public void add(byte[] bytes, int from, int to) {
    reserve(to - from);
    System.arraycopy(bytes, from, data, length, to - from);
    length += to - from;
  }

  /** Appends the last <code>width</code> bytes of a number, big-endian. */
  public void addNumber(long number, int width) {
    reserve(width);
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
      data[length++] = (byte) (number >>> shift);
    }
  }

  /** Turns every byte from <code>start</code> on into its complement. */
  public void complement(int start) {
    for (int at = start; at < length; at++) {
      data[at] = (byte) ~data[at];
    }
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return Arrays.copyOf(data, length);
  }

  /** Makes a slice show the bytes from <code>start</code> on, until the buffer is written to again. */
  public void show(int start, Slice slice) {
    slice.set(data, start, length);
  }

  private void reserve(int more) {
    if (length + more > data.length) {
      data = Arrays.copyOf(data, Math.max(length + more, 2 * data.length));
    }
  }
}
