package org.lexigraph.codec;

import java.math.BigInteger;
import java.util.Objects;

/** A decimal of any precision: sign, coefficient and exponent as they are, or infinity, or NaN. */
public final class Decimal {

  public static final Decimal INFINITY = new Decimal(Kind.INFINITE, false, BigInteger.ZERO, 0);
  public static final Decimal NEGATIVE_INFINITY = new Decimal(Kind.INFINITE, true, BigInteger.ZERO, 0);
  public static final Decimal NAN = new Decimal(Kind.NAN, false, BigInteger.ZERO, 0);

  private enum Kind {
    FINITE,
    INFINITE,
    NAN
  }

  private final Kind kind;
  private final boolean negative;
  private final BigInteger coefficient;
  private final long exponent;

  private Decimal(Kind kind, boolean negative, BigInteger coefficient, long exponent) {
    this.kind = kind;
    this.negative = negative;
    this.coefficient = coefficient;
    this.exponent = exponent;
  }

  /** A finite one; the coefficient has no sign of its own. */
  public static Decimal of(boolean negative, BigInteger coefficient, long exponent) {
    return new Decimal(Kind.FINITE, negative, coefficient, exponent);
  }

  /** Whether it is neither infinite nor NaN. */
  public boolean isFinite() {
    return kind == Kind.FINITE;
  }

  /** Whether it is NaN. */
  public boolean isNan() {
    return kind == Kind.NAN;
  }

  /** Whether it has a minus, also before zero. */
  public boolean isNegative() {
    return negative;
  }

  /** The digits as an integer without a sign. */
  public BigInteger coefficient() {
    return coefficient;
  }

  /** The digits as an integer with the sign. */
  public BigInteger signed() {
    return negative ? coefficient.negate() : coefficient;
  }

  /** The power of ten. */
  public long exponent() {
    return exponent;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Decimal)) {
      return false;
    }
    Decimal that = (Decimal) other;
    return kind == that.kind
        && negative == that.negative
        && exponent == that.exponent
        && coefficient.equals(that.coefficient);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, negative, coefficient, exponent);
  }

  @Override
  public String toString() {
    return isFinite() ? (negative ? "-" : "") + coefficient + "E" + exponent : kind + (negative ? "-" : "");
  }
}
