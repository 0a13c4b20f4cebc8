package org.lexigraph.stages;

import java.util.Arrays;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;

/** Keys and ranges where groups of cells start and end. */
public final class Bounds {

  private static final byte[] NONE = {};

  private Bounds() {}

  /** The first key of a row: where a delete marker of the largest timestamp would stand. */
  public static Key leading(byte[] row) {
    return leading(row, NONE, NONE);
  }

  /** The first key of a row, family and qualifier. */
  public static Key leading(byte[] row, byte[] family, byte[] qualifier) {
    return new Key(row, family, qualifier, NONE, Long.MAX_VALUE, true, false);
  }

  /** The first key behind a row. */
  public static Key following(byte[] row) {
    return leading(next(row));
  }

  /** The first key behind a family of a row. */
  public static Key following(byte[] row, byte[] family) {
    return leading(row, next(family), NONE);
  }

  /** The first key behind a column of a row, whatever its labels. */
  public static Key following(byte[] row, byte[] family, byte[] qualifier) {
    return leading(row, family, next(qualifier));
  }

  /** A range with another start; where that lies behind the end, the range is empty. */
  public static Range starting(Range range, Key start) {
    Key end = range.getEndKey();
    if (end != null && start.compareTo(end) > 0) {
      return new Range(end, true, end, false);
    }
    return new Range(start, true, end, range.isEndKeyInclusive());
  }

  /** A range with its start moved to the newest version of the column it starts in. */
  public static Range fromColumnStart(Range range) {
    Key start = range.getStartKey();
    // An inclusive start at the largest timestamp stays behind a delete marker there: Accumulo
    // misses it, and stages answer as it does.
    if (start == null || range.isStartKeyInclusive() && start.getTimestamp() == Long.MAX_VALUE) {
      return range;
    }
    Key first = new Key(start);
    first.setTimestamp(Long.MAX_VALUE);
    first.setDeleted(true);
    return starting(range, first);
  }

  /** A range with its start moved to the first key of the row it starts in. */
  public static Range fromRowStart(Range range) {
    Key start = range.getStartKey();
    return start == null ? range : starting(range, leading(row(start)));
  }

  /** Whether two keys have the same row, family, qualifier and visibility. */
  public static boolean sameColumn(Key left, Key right) {
    return left.equals(right, PartialKey.ROW_COLFAM_COLQUAL_COLVIS);
  }

  /** The row of a key. */
  public static byte[] row(Key key) {
    return key.getRowData().toArray();
  }

  /** The family of a key. */
  public static byte[] family(Key key) {
    return key.getColumnFamilyData().toArray();
  }

  /** The qualifier of a key. */
  public static byte[] qualifier(Key key) {
    return key.getColumnQualifierData().toArray();
  }

  /** Bytes to look at in a message: text where it is printable, else hexadecimal; short. */
  public static String show(ByteSequence data) {
    StringBuilder shown = new StringBuilder("b'");
    for (int at = 0; at < data.length() && at < 40; at++) {
      int unit = data.byteAt(at) & 0xff;
      if (unit >= 0x20 && unit <= 0x7e && unit != '\\' && unit != '\'') {
        shown.append((char) unit);
      } else {
        shown.append(String.format("\\x%02x", unit));
      }
    }
    return shown.append(data.length() > 40 ? "...'" : "'").toString();
  }

  /** A key to look at in a message. */
  public static String show(Key key) {
    return "row " + show(key.getRowData()) + ", family " + show(key.getColumnFamilyData())
        + ", qualifier " + show(key.getColumnQualifierData())
        + ", visibility " + show(key.getColumnVisibilityData())
        + ", timestamp " + key.getTimestamp();
  }

  private static byte[] next(byte[] part) {
    return Arrays.copyOf(part, part.length + 1);
  }
}
