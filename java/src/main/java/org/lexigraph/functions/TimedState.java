package org.lexigraph.functions;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;

/**
 * The first or last value, with its time, because a combined cell has only the newest time of its parts. Of one time
 * the bytes decide, never the order of arrival.
 */
final class TimedState extends State {

  private static final int CELL_TIME = 0;
  private static final int OWN_TIME = 1;
  private static final int HEAD = 9;

  private final Codec codec;
  private final boolean last;
  private final Buffer value = new Buffer();
  private final Slice stored = new Slice();
  private final Slice held = new Slice();
  private long time;

  TimedState(Codec codec, boolean last) {
    this.codec = codec;
    this.last = last;
  }

  /** Makes a slice show the value form in a state. */
  static void stored(Slice data, Slice out) {
    if (!data.isEmpty() && data.at(0) == CELL_TIME) {
      out.set(data.data(), data.from() + 1, data.to());
    } else if (data.length() >= HEAD && data.at(0) == OWN_TIME) {
      out.set(data.data(), data.from() + HEAD, data.to());
    } else {
      throw LexigraphException.invalidBytes(
          "a state of first or last starts with 00, or with 01 and eight bytes of time");
    }
  }

  @Override
  void merge(Slice data, long timestamp) {
    stored(data, stored);
    codec.checkValue(stored);
    replace(data.at(0) == CELL_TIME ? timestamp : timeIn(data), stored);
  }

  private static long timeIn(Slice data) {
    long biased = 0;
    for (int at = 1; at < HEAD; at++) {
      biased = biased << 8 | data.at(at);
    }
    return biased ^ Long.MIN_VALUE;
  }

  @Override
  void take(Object given, long timestamp) {
    Buffer written = new Buffer();
    codec.writeValue(given, written);
    written.show(0, stored);
    replace(timestamp, stored);
  }

  private void replace(long otherTime, Slice other) {
    if (isPresent()) {
      value.show(0, held);
      int order = otherTime != time ? Long.compare(otherTime, time) : other.compare(held);
      if (order == 0 || order > 0 != last) {
        return;
      }
    }
    time = otherTime;
    value.clear();
    value.add(other);
  }

  @Override
  public void write(Buffer out) {
    out.add(OWN_TIME);
    out.addNumber(time ^ Long.MIN_VALUE, 8);
    out.add(value);
  }

  @Override
  public Object finish() {
    return codec.readValue(new Slice(value.toArray()));
  }

  @Override
  void clear() {
    value.clear();
  }
}
