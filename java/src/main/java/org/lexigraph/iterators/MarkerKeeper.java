package org.lexigraph.iterators;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Puts back the delete markers that a stage has dropped. A stage may count a marker as a version, as Accumulo's does; a
 * flush or a partial compaction keeps it all the same, or what it hides in other files would come back.
 */
final class MarkerKeeper implements SortedKeyValueIterator<Key, Value> {

  private final SortedKeyValueIterator<Key, Value> stage;
  private final Deque<Key> markers;
  private Range range;

  /** A stage, and the markers that a {@link Tap} below it has seen and nobody has given yet. */
  private MarkerKeeper(SortedKeyValueIterator<Key, Value> stage, Deque<Key> markers) {
    this.stage = stage;
    this.markers = markers;
  }

  /** Keeps the markers that pass a tap. */
  static SortedKeyValueIterator<Key, Value> keep(SortedKeyValueIterator<Key, Value> stage, Tap tap) {
    return new MarkerKeeper(stage, tap.markers);
  }

  @Override
  public void seek(Range wanted, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    range = wanted;
    markers.clear();
    stage.seek(wanted, families, inclusive);
    settle();
  }

  @Override
  public void next() throws IOException {
    if (isMarkerNext()) {
      markers.remove();
    } else {
      stage.next();
    }
    settle();
  }

  @Override
  public boolean hasTop() {
    return stage.hasTop() || !markers.isEmpty();
  }

  @Override
  public Key getTopKey() {
    return isMarkerNext() ? markers.peek() : stage.getTopKey();
  }

  @Override
  public Value getTopValue() {
    return isMarkerNext() ? new Value() : stage.getTopValue();
  }

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> source, Map<String, String> options, IteratorEnvironment env) {
    throw new UnsupportedOperationException("made with its stage");
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    throw new UnsupportedOperationException("whoever made it makes another");
  }

  private boolean isMarkerNext() {
    return !markers.isEmpty()
        && (!stage.hasTop() || markers.peek().compareTo(stage.getTopKey()) < 0);
  }

  // Markers that the stage gives itself, and those it only read to get at a group, are no concern.
  private void settle() {
    while (!markers.isEmpty() && isSettled(markers.peek())) {
      markers.remove();
    }
  }

  private boolean isSettled(Key marker) {
    return !range.contains(marker) || stage.hasTop() && marker.equals(stage.getTopKey());
  }

  /** Remembers the markers that pass, each once. */
  static final class Tap extends Wrapped {
    private final Deque<Key> markers = new ArrayDeque<>();

    Tap(SortedKeyValueIterator<Key, Value> source) {
      super(source);
    }

    @Override
    void arrived(Key key) {
      if (key.isDeleted() && (markers.isEmpty() || markers.peekLast().compareTo(key) < 0)) {
        markers.add(new Key(key));
      }
    }

    @Override
    Wrapped around(SortedKeyValueIterator<Key, Value> copy) {
      return new Tap(copy);
    }
  }
}
