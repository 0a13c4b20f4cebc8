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
  private final Tap tap;
  private SortedKeyValueIterator<Key, Value> stage;
  private boolean keeps = true;
  private Range range;

  /** What a stage reads, and what all markers pass on their way there. */
  private MarkerKeeper(SortedKeyValueIterator<Key, Value> source, Tap tap) {
    this.source = source;
    this.tap = tap;
  }

  /** A keeper of the markers of a source. */
  static MarkerKeeper on(SortedKeyValueIterator<Key, Value> source) {
    Tap tap = new Tap(source);
    return new MarkerKeeper(tap, tap);
  }

  /** The keeper for a stage above, which reads from <code>above</code>; this one keeps nothing any more. */
  MarkerKeeper handUp(SortedKeyValueIterator<Key, Value> above) {
    keeps = false;
    return new MarkerKeeper(above, tap);
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
      tap.markers.clear();
    }
    stage.seek(wanted, families, inclusive);
    settle();
  }

  @Override
  public void next() throws IOException {
    if (isMarkerNext()) {
      tap.markers.remove();
    } else {
      stage.next();
    }
    settle();
  }

  @Override
  public boolean hasTop() {
    return stage.hasTop() || keeps && !tap.markers.isEmpty();
  }

  @Override
  public Key getTopKey() {
    return isMarkerNext() ? tap.markers.peek() : stage.getTopKey();
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
    throw new UnsupportedOperationException("create a new one instead");
  }

  private boolean isMarkerNext() {
    return keeps
        && !tap.markers.isEmpty()
        && (!stage.hasTop() || tap.markers.peek().compareTo(stage.getTopKey()) < 0);
  }

  // Markers that the stage gives itself, and those it only read to get at a group, are no concern.
  private void settle() throws IOException {
    if (keeps && !stage.hasTop()) {
      // A stage may end before its source does.
      tap.drain();
    }
    while (keeps && !tap.markers.isEmpty() && isSettled(tap.markers.peek())) {
      tap.markers.remove();
    }
  }

  private boolean isSettled(Key marker) {
    return !range.contains(marker) || stage.hasTop() && marker.equals(stage.getTopKey());
  }

  /** Remembers the markers that pass, each once. */
  private static final class Tap extends Wrapped {
    private final Deque<Key> markers = new ArrayDeque<>();
    private boolean used;

    private Tap(SortedKeyValueIterator<Key, Value> source) {
      super(source);
    }

    /** Lets the rest pass; nothing where nobody reads from here but from copies. */
    private void drain() throws IOException {
      while (used && hasTop()) {
        next();
      }
    }

    @Override
    void arrived(Key key) {
      used = true;
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
