package org.lexigraph.plan;

import org.lexigraph.codec.Slice;

/** Where parts stand in the bytes that were cut last. Kept from cell to cell: cutting makes no garbage. */
final class Spans {

  private final int[] from;
  private final int[] to;
  private final Slice data = new Slice();

  /** Room for so many parts. */
  Spans(int count) {
    from = new int[count];
    to = new int[count];
  }

  /** Starts on other bytes; every part is absent. */
  void start(Slice bytes) {
    data.set(bytes);
    java.util.Arrays.fill(from, -1);
  }

  /** Says where a part stands, as places in the array that holds the bytes. */
  void set(int part, int start, int end) {
    from[part] = start;
    to[part] = end;
  }

  /** Makes a slice show a part; false where it is absent. */
  boolean show(int part, Slice out) {
    if (from[part] < 0) {
      return false;
    }
    out.set(data.data(), from[part], to[part]);
    return true;
  }
}
