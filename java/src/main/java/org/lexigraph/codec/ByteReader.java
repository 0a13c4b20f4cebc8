package org.lexigraph.codec;

import org.lexigraph.LexigraphException;

/**
 * A place in some bytes from which parts are read. Bytes are read through a mask: 00, or ff inside a descending part or
 * a negative number, so that a complement costs no copy of the rest.
 */
public final class ByteReader {

  private byte[] data;
  private int start;
  private int at;
  private int end;
  private int mask;

  /** A reader of nothing, to be moved. */
  public ByteReader() {
    this(new Slice());
  }

  /** A reader at the start of a slice. */
  public ByteReader(Slice slice) {
    move(slice.data(), slice.from(), slice.to());
  }

  /** Moves it to the start of <code>bytes[from:to]</code>. */
  public void move(byte[] bytes, int from, int to) {
    data = bytes;
    start = from;
    at = from;
    end = to;
    mask = 0;
  }

  /** How many bytes were read. */
  public int position() {
    return at - start;
  }

  /** Whether nothing is left. */
  public boolean isAtEnd() {
    return at >= end;
  }

  /** Reads the complement from here on, until called again. */
  public void flip() {
    mask ^= 0xff;
  }

  /** The next byte, or -1 at the end. */
  public int peek() {
    return at < end ? data[at] & 0xff ^ mask : -1;
  }

  /** Reads one byte, 0 to 255. */
  public int readByte(String name) {
    require(1, name);
    return data[at++] & 0xff ^ mask;
  }

  /** Reads an unsigned number of at most 8 bytes, big-endian. */
  public long readNumber(int width, String name) {
    require(width, name);
    long number = 0;
    for (int count = 0; count < width; count++) {
      number = number << 8 | data[at++] & 0xff ^ mask;
    }
    return number;
  }

  /** Reads so many bytes. */
  public byte[] take(long count, String name) {
    require(count, name);
    byte[] taken = copy(at, at + (int) count);
    at += (int) count;
    return taken;
  }

  /** Makes a slice show so many bytes and moves behind them; only where nothing is complemented. */
  public void show(long count, Slice slice, String name) {
    require(count, name);
    slice.set(data, at, at + (int) count);
    at += (int) count;
  }

  /** Reads up to the next 00 and past it; gives what stands before it. */
  public byte[] untilZero(String name) {
    for (int stop = at; stop < end; stop++) {
      if ((data[stop] & 0xff ^ mask) == 0) {
        byte[] before = copy(at, stop);
        at = stop + 1;
        return before;
      }
    }
    throw LexigraphException.invalidBytes(
        "codec '" + name + "': no byte 00 ends the part that starts at byte " + position());
  }

  /** Reads all that is left. */
  public byte[] rest() {
    byte[] left = copy(at, end);
    at = end;
    return left;
  }

  /** Refuses bytes after the end of a whole key or value. */
  public void finish(String name) {
    if (at != end) {
      throw LexigraphException.invalidBytes(
          "codec '" + name + "' read " + position() + " bytes, but " + (end - at) + " more follow");
    }
  }

  private byte[] copy(int from, int to) {
    byte[] copied = new byte[to - from];
    for (int place = 0; place < copied.length; place++) {
      copied[place] = (byte) (data[from + place] ^ mask);
    }
    return copied;
  }

  private void require(long count, String name) {
    if (count > end - at) {
      throw LexigraphException.invalidBytes(
          "codec '" + name + "' reads " + count + " bytes at byte " + position() + ", but there are "
              + (end - start) + " in all");
    }
  }
}
