package org.lexigraph.functions;

import java.time.LocalDate;
import org.lexigraph.codec.Moment;
import org.lexigraph.codec.TypeBytes;

/** A span of time that moments are counted by, in UTC. Weeks start on Monday, the first one with the year 1. */
public enum Bucket {
  SECOND(1_000_000L),
  MINUTE(60_000_000L),
  HOUR(3_600_000_000L),
  DAY(0),
  WEEK(0),
  MONTH(0),
  YEAR(0);

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();

  /** The length in microseconds where it is not made of days, else 0. */
  private final long span;

  Bucket(long span) {
    this.span = span;
  }

  /** Whether it consists of whole days. */
  boolean isDays() {
    return span == 0;
  }

  /** The start of the bucket that a moment falls into. */
  Moment start(Moment moment) {
    if (moment.type() == TypeBytes.DATE) {
      return new Moment(moment.type(), firstDay(moment.number()), null);
    }
    long micros = span > 0
        ? Math.floorDiv(moment.number(), span) * span
        : firstDay(Math.floorDiv(moment.number(), DAY_MICROS)) * DAY_MICROS;
    return new Moment(moment.type(), micros, moment.offset() == null ? null : 0L);
  }

  private long firstDay(long days) {
    LocalDate date = LocalDate.ofEpochDay(days);
    switch (this) {
      case WEEK:
        return Math.max(days - (date.getDayOfWeek().getValue() - 1), FIRST_DAY);
      case MONTH:
        return date.withDayOfMonth(1).toEpochDay();
      case YEAR:
        return date.withDayOfYear(1).toEpochDay();
      default:
        return days;
    }
  }
}
