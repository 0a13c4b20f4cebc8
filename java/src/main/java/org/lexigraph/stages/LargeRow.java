package org.lexigraph.stages;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Hides rows of more than <code>max_columns</code> cells; a merge puts a marker in their place, which keeps the row
 * hidden for ever. A row of a single cell is never too large.
 */
final class LargeRow extends CellStage {

  private static final byte[] NONE = {};

  private final long most;
  private final List<Key> keys = new ArrayList<>();
  private final List<Value> values = new ArrayList<>();
  private Range range;
  private Families families;
  private Families wide;
  private int place;

  LargeRow(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Options options = new Options(spec);
    most = options.number("max_columns", 0, Integer.MAX_VALUE);
    options.done();
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> names, boolean inclusive)
      throws IOException {
    range = wanted;
    families = new Families(names, inclusive);
    wide = families.withEmpty();
    source.seek(Bounds.fromRowStart(wanted), wide.names, wide.inclusive);
    forget();
    advance();
  }

  @Override
  protected void advance() throws IOException {
    do {
      while (place >= keys.size()) {
        if (!source.hasTop()) {
          topKey = null;
          return;
        }
        readRow();
      }
      topKey = keys.get(place);
      topValue = values.get(place);
      place++;
    } while (range.beforeStartKey(topKey));
  }

  private void readRow() throws IOException {
    forget();
    Key first = new Key(source.getTopKey());
    if (RowMarkers.isSuppressed(first, source.getTopValue())) {
      mark(first, new Value(source.getTopValue()));
      skipRow(first);
      return;
    }
    boolean lone = true;
    do {
      if (families.wants(source.getTopKey())) {
        keys.add(new Key(source.getTopKey()));
        values.add(new Value(source.getTopValue()));
      }
      if (!lone && keys.size() > most) {
        forget();
        mark(
            new Key(Bounds.row(first), NONE, NONE, NONE, Long.MAX_VALUE, false, false),
            RowMarkers.suppressed());
        skipRow(first);
        return;
      }
      lone = false;
      source.next();
    } while (source.hasTop() && first.equals(source.getTopKey(), PartialKey.ROW));
  }

  private void mark(Key key, Value value) {
    if (context.scope() != Scope.SCAN && families.wantsEmpty()) {
      keys.add(key);
      values.add(value);
    }
  }

  private void skipRow(Key first) throws IOException {
    if (context.scope().keepsDeletes()) {
      // Step by step: whoever keeps the delete markers of a merge has to see them.
      while (source.hasTop() && first.equals(source.getTopKey(), PartialKey.ROW)) {
        source.next();
      }
      return;
    }
    Range behind = Bounds.starting(range, Bounds.following(Bounds.row(first)));
    source.seek(behind, wide.names, wide.inclusive);
  }

  private void forget() {
    keys.clear();
    values.clear();
    place = 0;
  }
}
