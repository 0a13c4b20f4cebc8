package org.lexigraph.iterators;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Looks at the cells of a source on their way to a stage; {@link #arrived} is called at every cell. */
abstract class Wrapped implements SortedKeyValueIterator<Key, Value> {

  final SortedKeyValueIterator<Key, Value> source;

  Wrapped(SortedKeyValueIterator<Key, Value> source) {
    this.source = source;
  }

  /** The source stands at a cell. */
  abstract void arrived(Key key);

  /** The same around a copy of the source. */
  abstract Wrapped around(SortedKeyValueIterator<Key, Value> copy);

  @Override
  public final void seek(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    source.seek(range, families, inclusive);
    look();
  }

  @Override
  public final void next() throws IOException {
    source.next();
    look();
  }

  @Override
  public final boolean hasTop() {
    return source.hasTop();
  }

  @Override
  public final Key getTopKey() {
    return source.getTopKey();
  }

  @Override
  public final Value getTopValue() {
    return source.getTopValue();
  }

  @Override
  public final void init(
      SortedKeyValueIterator<Key, Value> below, Map<String, String> options, IteratorEnvironment env) {
    throw new UnsupportedOperationException("made with its source");
  }

  @Override
  public final SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    return around(source.deepCopy(env));
  }

  private void look() {
    if (source.hasTop()) {
      arrived(source.getTopKey());
    }
  }
}
