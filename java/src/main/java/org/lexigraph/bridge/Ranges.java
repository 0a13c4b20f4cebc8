package org.lexigraph.bridge;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.lexigraph.LexigraphException;

/** Ranges of keys as they cross the bridge. */
final class Ranges {
  private static final int HAS_START = 1;
  private static final int START_INCLUSIVE = 2;
  private static final int HAS_END = 4;
  private static final int END_INCLUSIVE = 8;

  private Ranges() {}

  /** Reads ranges; bytes that hold none are InvalidBytes. */
  static List<Range> read(byte[] packed) {
    ByteBuffer in = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int count = in.getInt();
      List<Range> ranges = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        int flags = in.get();
        Key start = (flags & HAS_START) == 0 ? null : key(in);
        Key end = (flags & HAS_END) == 0 ? null : key(in);
        ranges.add(
            new Range(start, (flags & START_INCLUSIVE) != 0, end, (flags & END_INCLUSIVE) != 0));
      }
      return ranges;
    } catch (BufferUnderflowException | NegativeArraySizeException | IllegalArgumentException wrong) {
      throw LexigraphException.invalidBytes("ranges cannot be read: " + wrong.getMessage());
    }
  }

  private static Key key(ByteBuffer in) {
    byte[] row = part(in);
    byte[] family = part(in);
    byte[] qualifier = part(in);
    byte[] visibility = part(in);
    long timestamp = in.getLong();
    return new Key(row, family, qualifier, visibility, timestamp, in.get() != 0);
  }

  private static byte[] part(ByteBuffer in) {
    int length = in.getInt();
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
