package org.lexigraph.codec;

import java.util.Objects;

/**
 * A number with a width of its own, which only the codec <code>any</code> keeps: type is INT8 to INT64, BIGINT or
 * FLOAT32 of {@link TypeBytes}, the number a Long, a BigInteger or, for FLOAT32, a Double.
 */
public final class Sized {

  private final int type;
  private final Number number;

  /** A number of that type. */
  public Sized(int type, Number number) {
    this.type = type;
    this.number = number;
  }

  /** The type byte. */
  public int type() {
    return type;
  }

  /** The number. */
  public Number number() {
    return number;
  }

  /** The number without its width; every other value as it is. */
  static Object plain(Object value) {
    return value instanceof Sized ? ((Sized) value).number : value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sized && type == ((Sized) other).type && number.equals(((Sized) other).number);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, number);
  }

  @Override
  public String toString() {
    return "Sized(" + Integer.toHexString(type) + ", " + number + ")";
  }
}
