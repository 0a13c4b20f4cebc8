package org.lexigraph.bridge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.accumulo.core.data.Mutation;
import org.lexigraph.LexigraphException;

/** Cells by column in one buffer, as they cross the bridge, for reading by one thread. */
public final class Frame {
  static final int MAGIC = 0x3146584c; // "LXF1"
  static final int HEADER = 16;
  static final int COLUMNS = 5;

  private final ByteBuffer buffer;
  private final int count;
  private final int[] offsets = new int[COLUMNS];
  private final byte[][] data = new byte[COLUMNS][];
  private final byte[][] lately = new byte[COLUMNS][0];
  private final int timestamps;
  private final int deleted;
  private final int timed;

  /** Reads the places of the columns; a buffer that is no frame, or is cut, is InvalidBytes. */
  public Frame(ByteBuffer given) {
    buffer = given.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    long size = buffer.remaining();
    if (size < HEADER || buffer.getInt(0) != MAGIC || buffer.getInt(4) != 0) {
      throw LexigraphException.invalidBytes("a frame starts with LXF1 and four bytes of zero");
    }
    long cells = buffer.getLong(8);
    if (cells < 0 || cells > size) {
      throw LexigraphException.invalidBytes("a frame of " + size + " bytes has no " + cells + " cells");
    }
    count = (int) cells;
    long place = HEADER;
    for (int column = 0; column < COLUMNS; column++) {
      offsets[column] = at(place, 8L * (count + 1L));
      place += 8L * (count + 1L);
      long bytes = checkOffsets(column);
      data[column] = copy(at(place, padded(bytes)), (int) bytes);
      place += padded(bytes);
    }
    timestamps = at(place, 8L * count);
    place += 8L * count;
    deleted = at(place, padded(count));
    timed = at(place + padded(count), padded(count));
    if (place + 2 * padded(count) != size) {
      throw LexigraphException.invalidBytes("a frame has bytes after its end");
    }
  }

  static long padded(long bytes) {
    return (bytes + 7) / 8 * 8;
  }

  static void putPadded(ByteBuffer out, byte[] bytes, int length) {
    out.put(bytes, 0, length);
    for (long rest = padded(length) - length; rest > 0; rest--) {
      out.put((byte) 0);
    }
  }

  /** How many cells it has. */
  public int count() {
    return count;
  }

  byte[] row(int cell) {
    return part(0, cell);
  }

  byte[] family(int cell) {
    return part(1, cell);
  }

  byte[] qualifier(int cell) {
    return part(2, cell);
  }

  byte[] visibility(int cell) {
    return part(3, cell);
  }

  byte[] value(int cell) {
    return part(4, cell);
  }

  long timestamp(int cell) {
    return buffer.getLong(timestamps + 8 * cell);
  }

  boolean deleted(int cell) {
    return buffer.get(deleted + cell) != 0;
  }

  boolean timed(int cell) {
    return buffer.get(timed + cell) != 0;
  }

  boolean sameRow(int one, int other) {
    byte[] rows = data[0];
    return Arrays.equals(
        rows, end(0, one), end(0, one + 1), rows, end(0, other), end(0, other + 1));
  }

  /** The order of two cells by their keys. */
  int compareKeys(int one, int other) {
    for (int column = 0; column < COLUMNS - 1; column++) {
      byte[] bytes = data[column];
      int found =
          Arrays.compareUnsigned(
              bytes, end(column, one), end(column, one + 1), bytes, end(column, other), end(column, other + 1));
      if (found != 0) {
        return found;
      }
    }
    int found = Long.compare(timestamp(other), timestamp(one));
    return found != 0 ? found : Boolean.compare(deleted(other), deleted(one));
  }

  int rowHash(int cell) {
    int hash = 0;
    for (int at = end(0, cell), end = end(0, cell + 1); at < end; at++) {
      hash = 31 * hash + data[0][at];
    }
    // Rows mostly differ in their last bytes, which this spreads over all bits.
    hash *= 0x9E3779B1;
    return hash ^ hash >>> 15;
  }

  /** A mutation of a cell's row, with room for that cell. */
  Mutation mutation(int cell) {
    int room = 32;
    for (int column = 1; column < COLUMNS; column++) {
      room += end(column, cell + 1) - end(column, cell);
    }
    int start = end(0, cell);
    return new Mutation(data[0], start, end(0, cell + 1) - start, room);
  }

  /** Bytes that nobody changes: the same array for equal parts that follow each other. */
  private byte[] part(int column, int cell) {
    int start = end(column, cell);
    int stop = end(column, cell + 1);
    byte[] last = lately[column];
    if (!Arrays.equals(last, 0, last.length, data[column], start, stop)) {
      lately[column] = Arrays.copyOfRange(data[column], start, stop);
    }
    return lately[column];
  }

  private byte[] copy(int place, int bytes) {
    byte[] out = new byte[bytes];
    // A copy of the position only: absolute bulk reads came with Java 13.
    ByteBuffer from = buffer.duplicate();
    from.position(place);
    from.get(out);
    return out;
  }

  private int end(int column, int place) {
    return (int) buffer.getLong(offsets[column] + 8 * place);
  }

  private long checkOffsets(int column) {
    long before = 0;
    for (int place = 0; place <= count; place++) {
      long offset = buffer.getLong(offsets[column] + 8 * place);
      if (offset < before || (place == 0 && offset != 0) || offset > buffer.limit()) {
        throw LexigraphException.invalidBytes("the offsets of a frame start at 0 and never fall");
      }
      before = offset;
    }
    return before;
  }

  private int at(long place, long length) {
    if (place + length > buffer.limit()) {
      throw LexigraphException.invalidBytes("a frame ends before its cells do");
    }
    return (int) place;
  }
}
