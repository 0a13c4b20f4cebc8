package org.lexigraph.stages;

import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Keeps what is not newer than <code>timestamp</code>. */
final class AsOf extends FilterStage {

  private final long timestamp;

  AsOf(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    timestamp = options.number("timestamp");
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    return key.getTimestamp() <= timestamp;
  }
}
