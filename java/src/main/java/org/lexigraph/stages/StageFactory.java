package org.lexigraph.stages;

import java.io.IOException;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Makes one kind of stage. */
@FunctionalInterface
public interface StageFactory {

  /**
   * Puts a stage on a source. Bad options are InvalidOption here, before any cell is read. The iterator may be sought
   * any number of times, to any range, also one that starts inside a group of cells; it copies itself by opening the
   * stage anew on a copy of its source.
   */
  SortedKeyValueIterator<Key, Value> open(
      SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context)
      throws IOException;
}
