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
 * Puts back the delete markers that stages have dropped. A stage may count a marker as a version, as Accumulo's does; a
 * flush or a partial compaction keeps it all the same, or what it hides in other files would come back. The lowest of
 * several stages sees all markers, and behind the topmost those that are lost are put back: no stage between is given a
 * marker that one below it has dropped.
 */
final class MarkerKeeper implements SortedKeyValueIterator<Key, Value> {

  private final SortedKeyValueIterator<Key, Value> source;
  private final Deque<Key> markers;
  private SortedKeyValueIterator<Key, Value> stage;
  private boolean keeps = true;
  private Range range;

  /** What a stage reads, and the markers that were seen and not given yet. */
  private MarkerKeeper(SortedKeyValueIterator<Key, Value> source, Deque<Key> markers) {
    this.source = source;
    this.markers = markers;
  }

  /** A keeper of the markers of a source. */
  static MarkerKeeper on(SortedKeyValueIterator<Key, Value> source) {
    Deque<Key> markers = new ArrayDeque<>();
    return new MarkerKeeper(new Tap(source, markers), markers);
  }

  /** The keeper for a stage above, which reads from <code>above</code>; this one keeps nothing any more. */
  MarkerKeeper handUp(SortedKeyValueIterator<Key, Value> above) {
    keeps = false;
    return new MarkerKeeper(above, markers);
  }

  /** What the stage is to read. */
  SortedKeyValueIterator<Key, Value> source() {
    return source;
  }

  /** Sets the stage. */
  void keep(SortedKeyValueIterator<Key, Value> opened) {
    stage = opened;
  }

  @Override
  public void seek(Range wanted, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    range = wanted;
    if (keeps) {
      markers.clear();
    }
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
    return stage.hasTop() || keeps && !markers.isEmpty();
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
      SortedKeyValueIterator<Key, Value> below, Map<String, String> options, IteratorEnvironment env) {
    throw new UnsupportedOperationException("made with its source");
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    throw new UnsupportedOperationException("whoever made it makes another");
  }

  private boolean isMarkerNext() {
    return keeps
        && !markers.isEmpty()
        && (!stage.hasTop() || markers.peek().compareTo(stage.getTopKey()) < 0);
  }

  // Markers that the stage gives itself, and those it only read to get at a group, are no concern.
  private void settle() {
    while (keeps && !markers.isEmpty() && isSettled(markers.peek())) {
      markers.remove();
    }
  }

  private boolean isSettled(Key marker) {
    return !range.contains(marker) || stage.hasTop() && marker.equals(stage.getTopKey());
  }

  /** Remembers the markers that pass, each once. */
  private static final class Tap extends Wrapped {
    private final Deque<Key> markers;

    private Tap(SortedKeyValueIterator<Key, Value> source, Deque<Key> markers) {
      super(source);
      this.markers = markers;
    }

    @Override
    void arrived(Key key) {
      if (key.isDeleted() && (markers.isEmpty() || markers.peekLast().compareTo(key) < 0)) {
        markers.add(new Key(key));
      }
    }

    // A copy is read in some places only, and they need not be in order: it remembers nothing.
    @Override
    SortedKeyValueIterator<Key, Value> around(SortedKeyValueIterator<Key, Value> copy) {
      return copy;
    }
  }
}
