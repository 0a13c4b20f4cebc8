package org.lexigraph.bridge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.iterators.EqualKeys;

/** The cells of one range, one by one, that {@link EqualKeys} gave by their keys. */
final class Unpacked implements Iterator<Map.Entry<Key, Value>> {

  /** Starts to read a range, behind so many cells that have its first key. */
  interface Opener {
    Iterator<Map.Entry<Key, Value>> open(Range range, long skip);
  }

  private final Opener opener;
  private final Range range;
  private final Deque<Map.Entry<Key, Value>> held = new ArrayDeque<>();
  private Iterator<Map.Entry<Key, Value>> source;
  /** The key of which a server left something out, and how much of it was given. */
  private Key cut;
  private long given;

  Unpacked(Range range, Opener opener) {
    this.range = range;
    this.opener = opener;
    this.source = opener.open(range, 0);
  }

  @Override
  public boolean hasNext() {
    while (held.isEmpty()) {
      if (!source.hasNext()) {
        return false;
      }
      take(source.next());
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

  private void take(Map.Entry<Key, Value> packed) {
    Key key = packed.getKey();
    int left = EqualKeys.read(packed.getValue(), value -> held.add(Map.entry(key, value)));
    if (left >= 0) {
      given = key.equals(cut) ? given + left : left;
      cut = key;
      source = opener.open(new Range(key, true, range.getEndKey(), range.isEndKeyInclusive()), given);
    }
  }
}
