package org.lexigraph.functions;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;

/**
 * What an aggregator holds between two merges, changed in place. Merging is associative and commutative and writing is
 * canonical: whatever the order in which states are merged, the bytes are the same (float sums within rounding,
 * sketches within their error). Made once and reset between elements.
 */
public abstract class State {

  private boolean present;

  /** Whether anything was merged into it. */
  public final boolean isPresent() {
    return present;
  }

  /** Makes it a state of nothing again. */
  public final void reset() {
    if (present) {
      present = false;
      clear();
    }
  }

  /** Merges a state in bytes, out of a cell of <code>timestamp</code>; garbage is InvalidBytes. */
  public final void fold(Slice data, long timestamp) {
    merge(data, timestamp);
    present = true;
  }

  /** Merges one value seen at <code>timestamp</code>. */
  public final void add(Object value, long timestamp) {
    take(value, timestamp);
    present = true;
  }

  /** Appends the bytes; only where it {@link #isPresent}. */
  public abstract void write(Buffer out);

  /** The value that people see; only where it {@link #isPresent}. */
  public abstract Object finish();

  abstract void merge(Slice data, long timestamp);

  abstract void take(Object value, long timestamp);

  abstract void clear();
}
