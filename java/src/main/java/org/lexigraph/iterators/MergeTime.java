package org.lexigraph.iterators;

import java.io.IOException;
import java.util.Map;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.apache.accumulo.core.iterators.WrappingIterator;
import org.lexigraph.LexigraphException;

/**
 * Gives the stages of one compaction the time of the option <code>now</code> instead of the server's. It stands directly
 * above the topmost of them and changes no cell.
 */
public final class MergeTime extends WrappingIterator {

  /** Made by Accumulo, which then calls {@link #init}. */
  public MergeTime() {}

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> below, Map<String, String> given, IteratorEnvironment env)
      throws IOException {
    super.init(below, given, env);
    if (!(below instanceof StageIterator)) {
      throw LexigraphException.invalidOption("there is no stage below the time of a merge");
    }
    ((StageIterator) below).runAt(given.get("now"), env);
  }
}
