package org.lexigraph.codec;

import java.util.Objects;

/**
 * A date, time of day or datetime: type is DATE, TIME, NAIVE_DATETIME or DATETIME of {@link TypeBytes}. The number
 * counts days for a date, microseconds since local midnight for a time, microseconds since 1970 for a datetime (UTC
 * where it has an offset). Offsets are microseconds; null where there is none.
 */
public final class Moment {

  private final int type;
  private final long number;
  private final Long offset;

  /** A moment of that type. */
  public Moment(int type, long number, Long offset) {
    this.type = type;
    this.number = number;
    this.offset = offset;
  }

  /** The type byte. */
  public int type() {
    return type;
  }

  /** Days or microseconds. */
  public long number() {
    return number;
  }

  /** The UTC offset in microseconds, or null. */
  public Long offset() {
    return offset;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Moment)) {
      return false;
    }
    Moment that = (Moment) other;
    return type == that.type && number == that.number && Objects.equals(offset, that.offset);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, number, offset);
  }

  @Override
  public String toString() {
    return "Moment(" + Integer.toHexString(type) + ", " + number + ", " + offset + ")";
  }
}
