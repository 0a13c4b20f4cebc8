package org.lexigraph.stages;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Finds documents that have all <code>terms</code> and none of <code>negated</code>, in a table where a row is a
 * partition, a family a term and a qualifier a document. A result has the row, an empty family, the document as
 * qualifier and an empty value; it comes once for each cell of the first term. The cursors of all terms leap to the
 * largest document that any of them has reached; where they agree there is a result.
 *
 * <p>A range starts at the qualifier of its first key, whatever the family, and ends with a row; the families of the
 * scan change nothing. A range that starts behind the key of a result, exclusive, starts with the next document.
 */
class Intersect extends CellStage {

  static final byte[] NONE = {};

  final Options options;
  private final List<byte[]> terms;
  private final List<byte[]> negated;
  private final List<TermCursor> wanted = new ArrayList<>();
  private final List<TermCursor> unwanted = new ArrayList<>();
  private Range range;
  private byte[] row;
  private byte[] document;

  /** Reads the options that all kinds have; whoever makes one calls {@link #open} when the others are read. */
  Intersect(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    options = new Options(spec);
    terms = options.byteStrings("terms", 1);
    negated = options.byteStrings("negated", 0);
  }

  /** A stage that finds documents. */
  static StageFactory factory() {
    return (source, spec, context) -> new Intersect(source, spec, context).open();
  }

  /** Makes the cursors, each on a copy of the source: before the first seek, as Accumulo asks for. */
  final Intersect open() {
    options.done();
    for (byte[] term : terms) {
      wanted.add(new TermCursor(copySource(), term, familyOf(term)));
    }
    for (byte[] term : negated) {
      unwanted.add(new TermCursor(copySource(), term, familyOf(term)));
    }
    return this;
  }

  /** A copy of the source. */
  final SortedKeyValueIterator<Key, Value> copySource() {
    return source.deepCopy(context.environment());
  }

  @Override
  protected final void begin(Range asked, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    range = asked;
    row = NONE;
    document = NONE;
    Key start = asked.getStartKey();
    for (TermCursor cursor : wanted) {
      cursor.within(asked);
      cursor.seek(start == null ? null : startKey(start, cursor.term));
    }
    for (TermCursor cursor : unwanted) {
      cursor.within(asked);
      cursor.seek(start == null ? null : startKey(start, cursor.term));
    }
    settle();
  }

  @Override
  protected final void advance() throws IOException {
    wanted.get(0).advance();
    settle();
  }

  private void settle() throws IOException {
    while (agree()) {
      if (!rejected()) {
        Key key = resultKey(row, document);
        if (!givenBefore(key)) {
          topKey = key;
          topValue = new Value(body(row, document));
          return;
        }
      }
      wanted.get(0).advance();
    }
    topKey = null;
  }

  /** Moves row and document to the next that all wanted terms have; false at the end. */
  private boolean agree() throws IOException {
    int agreed = 0;
    while (agreed < wanted.size()) {
      byte[] beforeRow = row;
      byte[] before = document;
      if (!leap(wanted.get(agreed))) {
        return false;
      }
      boolean same = Arrays.equals(beforeRow, row) && Arrays.equals(before, document);
      agreed = same ? agreed + 1 : 0;
    }
    return true;
  }

  private boolean leap(TermCursor cursor) throws IOException {
    for (Key top = cursor.top(); top != null && !endsBefore(top); top = cursor.top()) {
      int place = compareRow(top, row);
      if (place < 0) {
        cursor.seek(key(row, cursor.term, null));
      } else if (place > 0) {
        row = Bounds.row(top);
        document = NONE;
      } else {
        int term = Arrays.compareUnsigned(termOf(top), cursor.term);
        if (term > 0) {
          cursor.seek(Bounds.following(row));
          continue;
        }
        byte[] found = term < 0 ? null : documentOf(top);
        if (found != null && Arrays.compareUnsigned(found, document) >= 0) {
          document = found;
          return true;
        }
        cursor.seek(key(row, cursor.term, document));
      }
    }
    return false;
  }

  private boolean rejected() throws IOException {
    for (TermCursor cursor : unwanted) {
      if (standsHere(cursor)) {
        return true;
      }
    }
    return false;
  }

  private boolean standsHere(TermCursor cursor) throws IOException {
    for (Key top = cursor.top(); top != null && !endsBefore(top); top = cursor.top()) {
      int place = compareRow(top, row);
      if (place > 0) {
        return false;
      }
      if (place < 0) {
        cursor.seek(key(row, cursor.term, null));
        continue;
      }
      int term = Arrays.compareUnsigned(termOf(top), cursor.term);
      if (term > 0) {
        return false;
      }
      if (term == 0) {
        int found = Arrays.compareUnsigned(documentOf(top), document);
        if (found >= 0) {
          return found == 0;
        }
      }
      cursor.seek(key(row, cursor.term, document));
    }
    return false;
  }

  private boolean givenBefore(Key result) {
    Key start = range.getStartKey();
    return start != null && isResult(start) && range.beforeStartKey(result);
  }

  private boolean endsBefore(Key key) {
    Key end = range.getEndKey();
    if (end == null) {
      return false;
    }
    int place = key.getRowData().compareTo(end.getRowData());
    return place > 0 || place == 0 && !range.isEndKeyInclusive();
  }

  private static int compareRow(Key key, byte[] row) {
    ByteSequence data = key.getRowData();
    int end = data.offset() + data.length();
    return Arrays.compareUnsigned(data.getBackingArray(), data.offset(), end, row, 0, row.length);
  }

  /** The family that holds a term's cells. */
  byte[] familyOf(byte[] term) {
    return term;
  }

  /** Where a document of a term would be; null is before all of them. */
  Key key(byte[] inRow, byte[] term, byte[] ofDocument) {
    return Bounds.leading(inRow, term, ofDocument == null ? NONE : ofDocument);
  }

  /** Where a term's cells start in a range that starts at a key. */
  Key startKey(Key start, byte[] term) {
    return key(Bounds.row(start), term, Bounds.qualifier(start));
  }

  /** The term that a cell is about. */
  byte[] termOf(Key key) {
    return Bounds.family(key);
  }

  /** The document that a cell is about. */
  byte[] documentOf(Key key) {
    return Bounds.qualifier(key);
  }

  /** Whether a key is one that results have. */
  boolean isResult(Key key) {
    return !range.isStartKeyInclusive()
        && key.getColumnFamilyData().length() == 0
        && key.getColumnVisibilityData().length() == 0
        && key.getTimestamp() == Long.MAX_VALUE;
  }

  /** The key of the result for a document. */
  Key resultKey(byte[] inRow, byte[] ofDocument) {
    return new Key(inRow, NONE, ofDocument, NONE, Long.MAX_VALUE, false, false);
  }

  /** The value of the result for a document. */
  byte[] body(byte[] inRow, byte[] ofDocument) throws IOException {
    return NONE;
  }
}
