package org.lexigraph.iterators;

import java.util.Collection;
import java.util.Map;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** A source without cells, to try out stages on. */
final class Nothing implements SortedKeyValueIterator<Key, Value> {

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> source, Map<String, String> options, IteratorEnvironment env) {}

  @Override
  public boolean hasTop() {
    return false;
  }

  @Override
  public void next() {
    throw new IllegalStateException("there are no cells");
  }

  @Override
  public void seek(Range range, Collection<ByteSequence> families, boolean inclusive) {}

  @Override
  public Key getTopKey() {
    return null;
  }

  @Override
  public Value getTopValue() {
    return null;
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    return new Nothing();
  }
}
