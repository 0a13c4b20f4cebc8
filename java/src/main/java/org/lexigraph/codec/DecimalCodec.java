package org.lexigraph.codec;

import java.math.BigInteger;

/**
 * Decimals of any precision. Keys are sign, exponent of the first digit, digits in pairs: 1.0 and 1.00 are one key.
 * Values keep exponent and sign of zero. Exponents stay within 10^9 in both forms.
 */
final class DecimalCodec extends Codec {

  private static final long LIMIT = 1_000_000_000;
  private static final int NEGATIVE = 1;
  private static final int ZERO = 2;
  private static final int POSITIVE = 3;

  DecimalCodec() {
    super("decimal");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    Decimal number = decimal(value);
    if (!number.isFinite()) {
      out.add(number.isNan() ? 5 : number.isNegative() ? 0 : 4);
      return;
    }
    String digits = digits(number);
    int length = digits.length();
    int end = length;
    while (end > 0 && digits.charAt(end - 1) == '0') {
      end--;
    }
    if (end == 0) {
      out.add(ZERO);
      return;
    }
    out.add(number.isNegative() ? NEGATIVE : POSITIVE);
    int start = out.length();
    IntCodec.write(number.exponent() + length - 1, out);
    for (int at = 0; at < end; at += 2) {
      int second = at + 1 < end ? digits.charAt(at + 1) - '0' : 0;
      out.add(10 * (digits.charAt(at) - '0') + second + 1);
    }
    out.add(0);
    if (number.isNegative()) {
      out.complement(start);
    }
  }

  @Override
  public Object readPart(ByteReader in) {
    int first = in.readByte(name());
    switch (first) {
      case 0:
        return Decimal.NEGATIVE_INFINITY;
      case ZERO:
        return Decimal.of(false, BigInteger.ZERO, 0);
      case 4:
        return Decimal.INFINITY;
      case 5:
        return Decimal.NAN;
      case NEGATIVE:
      case POSITIVE:
        return readDigits(in, first == NEGATIVE);
      default:
        throw refused("never starts with " + first);
    }
  }

  private Decimal readDigits(ByteReader in, boolean negative) {
    if (negative) {
      in.flip();
    }
    Object leading = Codecs.INT.readPart(in);
    byte[] pairs = in.untilZero(name());
    if (negative) {
      in.flip();
    }
    if (pairs.length == 0 || pairs[0] < 11 || pairs[pairs.length - 1] == 1) {
      throw refused("does not write these digits");
    }
    StringBuilder digits = new StringBuilder(2 * pairs.length);
    for (byte pair : pairs) {
      if (pair < 1 || pair > 100) {
        throw refused("does not write these digits");
      }
      digits.append((char) ('0' + (pair - 1) / 10)).append((char) ('0' + (pair - 1) % 10));
    }
    if (digits.charAt(digits.length() - 1) == '0') {
      digits.setLength(digits.length() - 1);
    }
    long top = within(leading);
    long exponent = top - digits.length() + 1;
    checkRead(exponent, top);
    return Decimal.of(negative, new BigInteger(digits.toString()), exponent);
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    Decimal number = decimal(value);
    if (!number.isFinite()) {
      out.add(number.isNan() ? 4 : number.isNegative() ? 3 : 2);
      return;
    }
    digits(number);
    out.add(number.isNegative() ? 1 : 0);
    IntCodec.write(number.exponent(), out);
    out.add(IntCodec.magnitude(number.coefficient()));
  }

  @Override
  public Object readValue(Slice data) {
    ByteReader in = new ByteReader(data);
    int kind = in.readByte(name());
    if (kind > 4) {
      throw refused("has no value of kind " + kind);
    }
    if (kind > 1) {
      in.finish(name());
      return kind == 2 ? Decimal.INFINITY : kind == 3 ? Decimal.NEGATIVE_INFINITY : Decimal.NAN;
    }
    long exponent = within(Codecs.INT.readPart(in));
    byte[] magnitude = in.rest();
    if (magnitude.length > 0 && magnitude[0] == 0) {
      throw refused("has no coefficient that starts with a zero byte");
    }
    BigInteger coefficient = new BigInteger(1, magnitude);
    checkRead(exponent, exponent + coefficient.toString().length() - 1);
    return Decimal.of(kind == 1, coefficient, exponent);
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  private Decimal decimal(Object value) {
    if (!(value instanceof Decimal)) {
      throw wrong(value);
    }
    return (Decimal) value;
  }

  /** The digits of a finite number; refuses exponents that are not held. */
  private String digits(Decimal number) {
    String digits = number.coefficient().toString();
    if (!isWithin(number.exponent(), number.exponent() + digits.length() - 1)) {
      throw wrong(number);
    }
    return digits;
  }

  private long within(Object exponent) {
    if (!(exponent instanceof Long)) {
      throw refused("has exponents from -10^9 to 10^9 only");
    }
    return Math.max(-2 * LIMIT, Math.min(2 * LIMIT, (Long) exponent));
  }

  private void checkRead(long exponent, long leading) {
    if (!isWithin(exponent, leading)) {
      throw refused("has exponents from -10^9 to 10^9 only");
    }
  }

  private static boolean isWithin(long exponent, long leading) {
    return exponent >= -LIMIT && leading <= LIMIT;
  }
}
