package org.lexigraph.stages;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Gives the first cell of each row; a row whose first cell lies before the range gives none. */
final class FirstInRow extends CellStage {

  private static final int SKIPS_BEFORE_SEEK = 10;

  private Range range;
  private Families families;

  FirstInRow(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    new Options(spec).done();
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> names, boolean inclusive)
      throws IOException {
    range = wanted;
    families = new Families(names, inclusive);
    source.seek(Bounds.fromRowStart(wanted), names, inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    skipRow();
    settle();
  }

  private void settle() throws IOException {
    while (source.hasTop() && range.beforeStartKey(source.getTopKey())) {
      skipRow();
    }
    takeSource();
  }

  // A partial merge goes step by step: whoever keeps its delete markers has to see them.
  private void skipRow() throws IOException {
    Key first = new Key(source.getTopKey());
    int skipped = 0;
    source.next();
    while (source.hasTop() && first.equals(source.getTopKey(), PartialKey.ROW)) {
      if (++skipped >= SKIPS_BEFORE_SEEK && !context.scope().keepsDeletes()) {
        Key behind = Bounds.following(Bounds.row(first));
        source.seek(Bounds.starting(range, behind), families.names, families.inclusive);
        return;
      }
      source.next();
    }
  }
}
