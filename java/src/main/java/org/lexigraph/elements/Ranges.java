package org.lexigraph.elements;

import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.lexigraph.stages.Bounds;

/** Ranges moved outwards to whole groups of cells. Rows stay whole, so that no other tablet is asked for. */
final class Ranges {

  private static final byte[] NONE = {};

  private Ranges() {}

  /** Moves both ends outwards to whole columns. */
  static Range toColumns(Range range) {
    if (isEmpty(range)) {
      return range;
    }
    Key start = range.getStartKey();
    Key end = range.getEndKey();
    return new Range(
        start == null ? null : column(start, label(start)),
        true,
        end == null ? null : column(end, next(label(end))),
        false);
  }

  /** Moves both ends outwards to all of their family within their row. */
  static Range toFamilies(Range range) {
    if (isEmpty(range)) {
      return range;
    }
    Key start = range.getStartKey();
    Key end = range.getEndKey();
    return new Range(
        start == null ? null : Bounds.leading(Bounds.row(start), Bounds.family(start), NONE),
        true,
        end == null ? null : Bounds.following(Bounds.row(end), Bounds.family(end)),
        false);
  }

  /** Whether a range holds a key. */
  static boolean contains(Range range, Key key) {
    return !range.beforeStartKey(key) && !range.afterEndKey(key);
  }

  private static boolean isEmpty(Range range) {
    Key start = range.getStartKey();
    boolean inclusive = range.isStartKeyInclusive() && range.isEndKeyInclusive();
    return start != null && !inclusive && start.equals(range.getEndKey());
  }

  private static Key column(Key key, byte[] label) {
    return new Key(Bounds.row(key), Bounds.family(key), Bounds.qualifier(key), label, Long.MAX_VALUE, true, false);
  }

  private static byte[] label(Key key) {
    return key.getColumnVisibilityData().toArray();
  }

  private static byte[] next(byte[] part) {
    return java.util.Arrays.copyOf(part, part.length + 1);
  }
}
