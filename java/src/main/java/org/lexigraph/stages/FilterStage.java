package org.lexigraph.stages;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * A stage that keeps some cells and leaves them as they are. Delete markers pass whatever they hold: what they hide may
 * lie in files that the filter does not see.
 */
public abstract class FilterStage extends CellStage {

  /** The options; a subclass reads its own and says when it is done. */
  protected final Options options;

  private final boolean wanted;

  /** A filter on a source. */
  protected FilterStage(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    options = new Options(spec);
    wanted = !options.negate();
  }

  /** Whether the filter keeps a cell when it is not negated. */
  protected abstract boolean accepts(Key key, Value value);

  /** Moves the source from a cell that does not pass to a later one, which may pass or not. */
  void skip() throws IOException {
    source.next();
  }

  @Override
  protected void begin(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    source.seek(range, families, inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    source.next();
    settle();
  }

  private void settle() throws IOException {
    while (source.hasTop() && !passes(source.getTopKey(), source.getTopValue())) {
      skip();
    }
    takeSource();
  }

  private boolean passes(Key key, Value value) {
    return key.isDeleted() || accepts(key, value) == wanted;
  }
}
