package org.lexigraph.stages;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;

/** Cells in the empty column that say something of their whole row, as Accumulo writes them. */
final class RowMarkers {

  private static final byte[] DELETED = "DEL_ROW".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SUPPRESSED = "SUPPRESS_ROW".getBytes(StandardCharsets.US_ASCII);

  private RowMarkers() {}

  /** Whether a cell marks its row as deleted. */
  static boolean isDeleted(Key key, Value value) {
    return inEmptyColumn(key) && Arrays.equals(value.get(), DELETED);
  }

  /** Whether a cell marks its row as too large. */
  static boolean isSuppressed(Key key, Value value) {
    return inEmptyColumn(key) && Arrays.equals(value.get(), SUPPRESSED);
  }

  /** The value that marks a row as too large. */
  static Value suppressed() {
    return new Value(SUPPRESSED, true);
  }

  /** Whether a cell has neither family nor qualifier nor label. */
  static boolean inEmptyColumn(Key key) {
    return key.getColumnFamilyData().length() == 0
        && key.getColumnQualifierData().length() == 0
        && key.getColumnVisibilityData().length() == 0;
  }
}
