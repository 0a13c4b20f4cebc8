package org.lexigraph.bridge;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;

/** Gathers cells by column and gives them as one frame. Not for several threads. */
final class FrameWriter {
  private final Column[] columns = new Column[Frame.COLUMNS];
  private long[] timestamps = new long[256];
  private byte[] deleted = new byte[256];
  private int count;

  FrameWriter() {
    for (int index = 0; index < columns.length; index++) {
      columns[index] = new Column();
    }
  }

  int count() {
    return count;
  }

  /** How many bytes keys and values have so far. */
  long size() {
    long size = 0;
    for (Column column : columns) {
      size += column.size;
    }
    return size;
  }

  void add(Key key, Value value) {
    columns[0].add(key.getRowData());
    columns[1].add(key.getColumnFamilyData());
    columns[2].add(key.getColumnQualifierData());
    columns[3].add(key.getColumnVisibilityData());
    columns[4].add(value.get(), 0, value.getSize());
    if (count == timestamps.length) {
      timestamps = Arrays.copyOf(timestamps, count * 2);
      deleted = Arrays.copyOf(deleted, count * 2);
    }
    timestamps[count] = key.getTimestamp();
    deleted[count] = (byte) (key.isDeleted() ? 1 : 0);
    count++;
  }

  /** The cells so far, in a buffer of their own; the writer is empty then. */
  ByteBuffer take() {
    return take(null);
  }

  /** The same in a buffer that nobody uses any more, where it is there and large enough. */
  ByteBuffer take(ByteBuffer spare) {
    long bytes = Frame.HEADER + 8L * count + 2L * Frame.padded(count);
    for (Column column : columns) {
      bytes += 8L * (count + 1) + Frame.padded(column.size);
    }
    int size = Math.toIntExact(bytes);
    ByteBuffer out =
        spare != null && spare.capacity() >= size ? spare.clear() : ByteBuffer.allocateDirect(size + size / 4);
    out.order(ByteOrder.LITTLE_ENDIAN).limit(size);
    out.putInt(Frame.MAGIC).putInt(0).putLong(count);
    for (Column column : columns) {
      column.write(out, count);
    }
    putLongs(out, timestamps, count);
    Frame.putPadded(out, deleted, count);
    byte[] timed = new byte[count];
    Arrays.fill(timed, (byte) 1);
    Frame.putPadded(out, timed, count);
    count = 0;
    return out.flip();
  }

  private static void putLongs(ByteBuffer out, long[] numbers, int count) {
    out.asLongBuffer().put(numbers, 0, count);
    out.position(out.position() + 8 * count);
  }

  private static final class Column {
    private byte[] data = new byte[1024];
    private long[] ends = new long[256];
    private int entries;
    private int size;

    void add(ByteSequence part) {
      add(part.getBackingArray(), part.offset(), part.length());
    }

    void add(byte[] from, int offset, int length) {
      int end = Math.addExact(size, length);
      if (end > data.length) {
        data = Arrays.copyOf(data, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, 2L * data.length)));
      }
      System.arraycopy(from, offset, data, size, length);
      if (entries == ends.length) {
        ends = Arrays.copyOf(ends, entries * 2);
      }
      ends[entries++] = end;
      size = end;
    }

    void write(ByteBuffer out, int count) {
      out.putLong(0);
      putLongs(out, ends, count);
      Frame.putPadded(out, data, size);
      entries = 0;
      size = 0;
    }
  }
}
