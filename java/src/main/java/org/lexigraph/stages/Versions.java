package org.lexigraph.stages;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Keeps the <code>max</code> newest versions of each column; null keeps all. Versions are counted from the newest one
 * even when a range starts among them; cells of fully equal keys and delete markers count too.
 */
final class Versions extends CellStage {

  private final long most;
  private final Key column = new Key();
  private Range range;
  private long count;

  Versions(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Options options = new Options(spec);
    boolean all = spec.options().has("max") && options.optional("max") == null;
    most = all ? Long.MAX_VALUE : options.optionalNumber("max", 1, Integer.MAX_VALUE).orElse(1);
    options.done();
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    range = wanted;
    count = 0;
    boolean counted = most < Long.MAX_VALUE;
    source.seek(counted ? Bounds.fromColumnStart(wanted) : wanted, families, inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    source.next();
    settle();
  }

  private void settle() throws IOException {
    while (source.hasTop() && !keeps(source.getTopKey())) {
      source.next();
    }
    takeSource();
  }

  private boolean keeps(Key key) {
    if (most == Long.MAX_VALUE) {
      return true;
    }
    if (count > 0 && Bounds.sameColumn(column, key)) {
      count++;
    } else {
      column.set(key);
      count = 1;
    }
    return count <= most && !range.beforeStartKey(key);
  }
}
