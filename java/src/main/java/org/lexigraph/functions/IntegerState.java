package org.lexigraph.functions;

import java.math.BigInteger;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.IntCodec;
import org.lexigraph.codec.Slice;

/** A sum, a product or a count of integers of any size; costs no garbage within 64 bits. */
final class IntegerState extends State {

  /** The longest exact product; its digits double with every merge of equal parts. */
  private static final int MAX_PRODUCT_BITS = 1 << 20;

  private final Kind kind;
  private long small;
  /** The number where 64 bits do not hold it, else null. */
  private BigInteger large;

  IntegerState(Kind kind) {
    this.kind = kind;
    clear();
  }

  @Override
  void merge(Slice data, long timestamp) {
    if (IntCodec.isSmall(data)) {
      merge(IntCodec.readSmall(data));
    } else {
      mergeValue(Codecs.INT.readValue(data));
    }
  }

  @Override
  void take(Object value, long timestamp) {
    mergeValue(kind == Kind.COUNT ? (Object) 1L : value);
  }

  /** Merges a number as the codec gives it. */
  void mergeValue(Object number) {
    if (number instanceof Long) {
      merge((Long) number);
    } else if (number instanceof BigInteger) {
      mergeLarge((BigInteger) number);
    } else {
      throw LexigraphException.invalidValue("codec 'int' does not hold " + number);
    }
  }

  private void merge(long number) {
    if (large == null) {
      long result = kind == Kind.PRODUCT ? small * number : small + number;
      boolean overflows = kind == Kind.PRODUCT
          ? Math.multiplyHigh(small, number) != result >> 63
          : ((small ^ result) & (number ^ result)) < 0;
      if (!overflows) {
        small = result;
        return;
      }
    }
    mergeLarge(BigInteger.valueOf(number));
  }

  private void mergeLarge(BigInteger number) {
    BigInteger held = number();
    if (kind != Kind.PRODUCT) {
      hold(held.add(number));
      return;
    }
    if (bits(held) + bits(number) > MAX_PRODUCT_BITS) {
      throw LexigraphException.invalidValue("a product has at most " + MAX_PRODUCT_BITS + " bits");
    }
    hold(held.multiply(number));
  }

  /** The bits of the magnitude. */
  private static long bits(BigInteger number) {
    return number.abs().bitLength();
  }

  private void hold(BigInteger number) {
    large = number.bitLength() < Long.SIZE ? null : number;
    small = large == null ? number.longValue() : 0;
  }

  private BigInteger number() {
    return large == null ? BigInteger.valueOf(small) : large;
  }

  @Override
  public void write(Buffer out) {
    if (large == null) {
      IntCodec.write(small, out);
    } else {
      IntCodec.write(large, out);
    }
  }

  @Override
  public Object finish() {
    return large == null ? (Object) small : large;
  }

  @Override
  void clear() {
    small = kind == Kind.PRODUCT ? 1 : 0;
    large = null;
  }
}
