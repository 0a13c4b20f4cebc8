package org.lexigraph.stages;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Gives at most <code>cells</code> cells of each range. A server sees neither the other ranges nor what it gave before
 * it was resumed: whoever asked counts again.
 */
final class Limit extends CellStage {

  private final long cells;
  private long given;

  Limit(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Options options = new Options(spec);
    cells = options.number("cells", 0, Long.MAX_VALUE);
    options.done();
  }

  @Override
  protected void begin(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    given = 0;
    if (cells > 0) {
      source.seek(range, families, inclusive);
      takeSource();
    }
  }

  @Override
  protected void advance() throws IOException {
    given++;
    if (given >= cells) {
      topKey = null;
      return;
    }
    source.next();
    takeSource();
  }
}
