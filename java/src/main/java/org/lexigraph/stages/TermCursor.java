package org.lexigraph.stages;

import java.io.IOException;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** A position among the cells of one term; it only moves forward. */
final class TermCursor {

  final byte[] term;
  private final SortedKeyValueIterator<Key, Value> source;
  private final Families families;
  private Range rows;

  /** A cursor over a source of its own. */
  TermCursor(SortedKeyValueIterator<Key, Value> source, byte[] term, byte[] family) {
    this.source = source;
    this.term = term;
    this.families = Families.only(family);
  }

  /** Sets the rows that matter: those behind the last one of the range are nobody's business. */
  void within(Range range) {
    Key end = range.getEndKey();
    rows = new Range(null, true, end == null ? null : Bounds.following(Bounds.row(end)), false);
  }

  /** Moves to the first cell at or behind a key, or to the first of all where it is null. */
  void seek(Key key) throws IOException {
    Range rest = key == null ? rows : Bounds.starting(rows, key);
    source.seek(rest, families.names, families.inclusive);
    // A stage below may answer with keys before the range: a leap must not stand still.
    while (key != null && source.hasTop() && source.getTopKey().compareTo(key) < 0) {
      source.next();
    }
  }

  /** Moves to the next cell. */
  void advance() throws IOException {
    source.next();
  }

  /** The key of the present cell; null at the end. */
  Key top() {
    return source.hasTop() ? source.getTopKey() : null;
  }
}
