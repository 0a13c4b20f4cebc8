package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidBytes;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.function.BinaryOperator;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Sum, least or greatest of the versions of a column, as exact decimal text. Numbers keep their scale; of equal ones
 * the newer text stays. Digits are bounded, because a short text such as 1E+999999999 would else fill the memory.
 */
final class DecimalCombiner extends Combiner {

  private static final int MOST_DIGITS = 1_000_000;
  private static final int MOST_SHOWN = 40;

  private final String name;
  private final BinaryOperator<BigDecimal> merge;
  private BigDecimal total;

  private DecimalCombiner(
      SortedKeyValueIterator<Key, Value> source,
      StageSpec spec,
      StageContext context,
      BinaryOperator<BigDecimal> merge) {
    super(source, spec, context);
    options.done();
    this.name = spec.name();
    this.merge = merge;
  }

  /** Adds up. */
  static StageFactory sum() {
    return (source, spec, context) ->
        new DecimalCombiner(source, spec, context, DecimalCombiner::sumOf);
  }

  /** Keeps the least. */
  static StageFactory min() {
    return (source, spec, context) -> new DecimalCombiner(
        source, spec, context, (newer, older) -> older.compareTo(newer) < 0 ? older : newer);
  }

  /** Keeps the greatest. */
  static StageFactory max() {
    return (source, spec, context) -> new DecimalCombiner(
        source, spec, context, (newer, older) -> older.compareTo(newer) > 0 ? older : newer);
  }

  @Override
  void clear() {
    total = null;
  }

  @Override
  void add(byte[] value) {
    BigDecimal number = read(value);
    total = total == null ? number : merge.apply(total, number);
  }

  @Override
  byte[] result() {
    if (total == null) {
      throw invalidBytes("stage '" + name + "': no version of a column can be read");
    }
    return total.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static BigDecimal read(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    String shown = "'" + text.substring(0, Math.min(text.length(), MOST_SHOWN)) + "'";
    BigDecimal number;
    try {
      number = new BigDecimal(text);
    } catch (NumberFormatException error) {
      throw invalidBytes(shown + " is not a decimal number, or its exponent is out of bounds");
    }
    if (number.scale() == Integer.MIN_VALUE) {
      throw invalidBytes(shown + " has an exponent out of bounds");
    }
    if (number.precision() >= MOST_DIGITS) {
      throw invalidBytes(shown + " has more than " + MOST_DIGITS + " digits");
    }
    return number;
  }

  private static BigDecimal sumOf(BigDecimal left, BigDecimal right) {
    long low = -(long) Math.max(left.scale(), right.scale());
    long top = Math.max(top(left, low), top(right, low));
    if (top - low >= MOST_DIGITS) {
      throw new NeverLost("a sum has more than " + MOST_DIGITS + " digits");
    }
    return left.add(right);
  }

  private static long top(BigDecimal number, long low) {
    return number.signum() == 0 ? low : (long) number.precision() - number.scale();
  }
}
