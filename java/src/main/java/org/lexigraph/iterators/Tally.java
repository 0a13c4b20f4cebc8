package org.lexigraph.iterators;

import com.google.gson.JsonObject;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.accumulo.core.data.Key;

/**
 * How many cells one stage has read and given. It counts nothing until {@link #under} says where: then in counters that
 * outlive the iterators, because Accumulo drops these behind any cell.
 */
final class Tally {

  private final String stage;
  private final Key last = new Key();
  private boolean hasRead;
  private Counters counters;

  Tally(String stage) {
    this.stage = stage;
  }

  /** Counts from now on. */
  void under(Counters shared) {
    counters = shared;
  }

  /** One more cell was read. */
  void read(Key key) {
    if (counters != null) {
      counters.read.incrementAndGet();
      // Stages may look back, and read with several cursors: the furthest counts.
      if (!hasRead || last.compareTo(key) < 0) {
        last.set(key);
      }
      hasRead = true;
    }
  }

  /** One more cell was given. */
  void given() {
    if (counters != null) {
      counters.given.incrementAndGet();
    }
  }

  /** A range begins. */
  void begin() {
    hasRead = false;
  }

  /** Whether a cell was read since the range began. */
  boolean hasRead() {
    return hasRead;
  }

  /** The last key in order of all cells read since then. */
  Key last() {
    return last;
  }

  /** Name and counts as JSON; they start again from nothing. */
  JsonObject drain() {
    JsonObject told = new JsonObject();
    told.addProperty("name", stage);
    told.addProperty("read", counters.read.getAndSet(0));
    told.addProperty("given", counters.given.getAndSet(0));
    return told;
  }

  /** Counters of one stage of one scan on this server. */
  static final class Counters {
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong given = new AtomicLong();
  }
}
