package org.lexigraph.bridge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
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
  private final byte[] name;
  private final Deque<Map.Entry<Key, Value>> held = new ArrayDeque<>();
  private Iterator<Map.Entry<Key, Value>> source;
  /** The key of which a server left something out, and how much of it was given. */
  private Key cut;
  private long given;

  /** Reads a range of a scan of this name. */
  Unpacked(Range range, byte[] name, Opener opener) {
    this.range = range;
    this.name = name;
    this.opener = opener;
    this.source = opener.open(range, 0);
  }

  @Override
  public boolean hasNext() {
    return !held.isEmpty() || source.hasNext();
  }

  /** The next cell; null where what was announced is gone. */
  @Override
  public Map.Entry<Key, Value> next() {
    while (held.isEmpty()) {
      if (!source.hasNext()) {
        return null;
      }
      Map.Entry<Key, Value> entry = source.next();
      if (!EqualKeys.isPacked(entry.getValue(), name)) {
        return entry;
      }
      take(entry);
    }
    return held.poll();
  }

  private void take(Map.Entry<Key, Value> entry) {
    Key key = entry.getKey();
    int left = EqualKeys.read(entry.getValue(), name, value -> held.add(Map.entry(key, value)));
    if (left >= 0) {
      given = key.equals(cut) ? given + left : left;
      cut = key;
      source = opener.open(new Range(key, true, range.getEndKey(), range.isEndKeyInclusive()), given);
    }
  }
}
