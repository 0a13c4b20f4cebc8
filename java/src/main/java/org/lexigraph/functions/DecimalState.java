package org.lexigraph.functions;

import java.math.BigInteger;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Decimal;
import org.lexigraph.codec.Slice;

/** An exact sum or product of decimals. */
final class DecimalState extends State {

  /** The longest exact result: 1E+900000000 and 1E-900000000 together would fill the memory. */
  private static final long MAX_DIGITS = 1_000_000;

  private final boolean multiplies;
  private Decimal number;

  DecimalState(boolean multiplies) {
    this.multiplies = multiplies;
  }

  @Override
  void merge(Slice data, long timestamp) {
    merge((Decimal) Codecs.DECIMAL.readValue(data));
  }

  @Override
  void take(Object value, long timestamp) {
    merge((Decimal) value);
  }

  private void merge(Decimal other) {
    if (number == null) {
      number = other;
    } else {
      number = multiplies ? multiply(number, other) : add(number, other);
    }
  }

  @Override
  public void write(Buffer out) {
    Codecs.DECIMAL.writeValue(number, out);
  }

  @Override
  public Object finish() {
    return number;
  }

  @Override
  void clear() {
    number = null;
  }

  private static Decimal add(Decimal a, Decimal b) {
    if (a.isNan() || b.isNan()) {
      return Decimal.NAN;
    }
    if (!a.isFinite() || !b.isFinite()) {
      boolean opposed = !a.isFinite() && !b.isFinite() && a.isNegative() != b.isNegative();
      return opposed ? Decimal.NAN : a.isFinite() ? b : a;
    }
    long exponent = Math.min(a.exponent(), b.exponent());
    long digits = Math.max(leading(a), leading(b)) - exponent + 2;
    check(digits, "sum");
    BigInteger sum = scaled(a, exponent).add(scaled(b, exponent));
    boolean negative = sum.signum() == 0 ? a.isNegative() && b.isNegative() : sum.signum() < 0;
    return Decimal.of(negative, sum.abs(), exponent);
  }

  private static Decimal multiply(Decimal a, Decimal b) {
    if (a.isNan() || b.isNan()) {
      return Decimal.NAN;
    }
    boolean negative = a.isNegative() != b.isNegative();
    if (!a.isFinite() || !b.isFinite()) {
      boolean hasZero = isZero(a) || isZero(b);
      return hasZero ? Decimal.NAN : negative ? Decimal.NEGATIVE_INFINITY : Decimal.INFINITY;
    }
    check((long) digits(a) + digits(b), "product");
    return Decimal.of(negative, a.coefficient().multiply(b.coefficient()), a.exponent() + b.exponent());
  }

  private static boolean isZero(Decimal number) {
    return number.isFinite() && number.coefficient().signum() == 0;
  }

  private static int digits(Decimal number) {
    return number.coefficient().toString().length();
  }

  /** The exponent of the first digit. */
  private static long leading(Decimal number) {
    return number.exponent() + digits(number) - 1;
  }

  private static BigInteger scaled(Decimal number, long exponent) {
    int power = Math.toIntExact(number.exponent() - exponent);
    return power == 0 ? number.signed() : number.signed().multiply(BigInteger.TEN.pow(power));
  }

  private static void check(long digits, String what) {
    if (digits > MAX_DIGITS) {
      throw LexigraphException.invalidValue(
          "the exact " + what + " of two decimals needs " + digits + " digits; at most " + MAX_DIGITS + " are kept");
    }
  }
}
