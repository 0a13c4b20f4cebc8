package org.lexigraph.codec;

import java.util.Objects;

/** A span of time: whole days, rounded down, then microseconds within the day. */
public final class Timedelta {

  private final long days;
  private final long micros;

  /** A span of so many days and microseconds. */
  public Timedelta(long days, long micros) {
    this.days = days;
    this.micros = micros;
  }

  /** Whole days. */
  public long days() {
    return days;
  }

  /** Microseconds within the day. */
  public long micros() {
    return micros;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Timedelta
        && days == ((Timedelta) other).days
        && micros == ((Timedelta) other).micros;
  }

  @Override
  public int hashCode() {
    return Objects.hash(days, micros);
  }

  @Override
  public String toString() {
    return "Timedelta(" + days + ", " + micros + ")";
  }
}
