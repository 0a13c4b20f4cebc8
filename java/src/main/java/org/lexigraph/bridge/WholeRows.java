package org.lexigraph.bridge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.accumulo.core.clientImpl.IsolationException;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.LexigraphException;

/**
 * The cells of one range, each row as it was at one moment. A server sees to that for as long as it is asked; where it goes
 * away within a row, the row is read again from its start, of which nothing was given yet. A row that is too large to
 * be held is given as it comes: then that is an error.
 */
final class WholeRows implements Iterator<Map.Entry<Key, Value>> {
  static final long HELD_BYTES = 16 << 20;

  private final Function<Range, Iterator<Map.Entry<Key, Value>>> open;
  private final Deque<Map.Entry<Key, Value>> held = new ArrayDeque<>();
  private Range rest;
  private Iterator<Map.Entry<Key, Value>> source;
  private Map.Entry<Key, Value> ahead;
  /** Some key of the row that is read. */
  private Key row;
  /** Whether some of the row that is read was given before all of it was read. */
  private boolean begun;

  /** Reads by scanners that isolate rows, each of them for what is left of the range. */
  WholeRows(Range range, Function<Range, Iterator<Map.Entry<Key, Value>>> open) {
    this.rest = range;
    this.open = open;
  }

  @Override
  public boolean hasNext() {
    while (held.isEmpty()) {
      try {
        if (source == null) {
          source = open.apply(rest);
          ahead = take();
        }
        if (ahead == null) {
          return false;
        }
        hold();
      } catch (IsolationException lost) {
        again(lost);
      }
    }
    return true;
  }

  @Override
  public Map.Entry<Key, Value> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return held.poll();
  }

  private void hold() {
    begun = begun && row.equals(ahead.getKey(), PartialKey.ROW);
    row = ahead.getKey();
    long bytes = 0;
    while (ahead != null && row.equals(ahead.getKey(), PartialKey.ROW)) {
      held.add(ahead);
      bytes += ahead.getKey().getSize() + ahead.getValue().getSize();
      ahead = take();
      if (bytes > HELD_BYTES) {
        begun = true;
        return;
      }
    }
  }

  private Map.Entry<Key, Value> take() {
    return source.hasNext() ? source.next() : null;
  }

  private void again(IsolationException lost) {
    if (begun) {
      throw new LexigraphException(
          "Unreachable",
          "a server went away within a row of more than "
              + (HELD_BYTES >> 20)
              + " MB, which may have changed since: read it again",
          lost);
    }
    if (row != null) {
      rest = rest.clip(new Range(row.getRow(), true, null, false));
    }
    held.clear();
    source = null;
  }
}
