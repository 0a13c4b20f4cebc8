package org.lexigraph.stages;

import java.util.function.LongBinaryOperator;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Sum, least or greatest of the versions of a column, as 64-bit numbers. */
final class NumberCombiner extends Combiner {

  private final Counter counter;
  private final LongBinaryOperator merge;
  private final long neutral;
  private long total;

  private NumberCombiner(
      SortedKeyValueIterator<Key, Value> source,
      StageSpec spec,
      StageContext context,
      LongBinaryOperator merge,
      long neutral) {
    super(source, spec, context);
    counter = Counter.named(options.choice("encoding", null, Counter.NAMES));
    options.done();
    this.merge = merge;
    this.neutral = neutral;
  }

  /** Adds up; nothing readable gives 0. Beyond the ends of 64 bits the end is the answer. */
  static StageFactory sum() {
    return (source, spec, context) ->
        new NumberCombiner(source, spec, context, NumberCombiner::saturatingAdd, 0);
  }

  /** Keeps the least; nothing readable gives the largest number. */
  static StageFactory min() {
    return (source, spec, context) ->
        new NumberCombiner(source, spec, context, Math::min, Long.MAX_VALUE);
  }

  /** Keeps the greatest; nothing readable gives the smallest number. */
  static StageFactory max() {
    return (source, spec, context) ->
        new NumberCombiner(source, spec, context, Math::max, Long.MIN_VALUE);
  }

  /** The sum of two numbers, or the end of 64 bits that it lies behind. */
  static long saturatingAdd(long left, long right) {
    long sum = left + right;
    if (((left ^ sum) & (right ^ sum)) < 0) {
      return left < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return sum;
  }

  @Override
  void clear() {
    total = neutral;
  }

  @Override
  void add(byte[] value) {
    total = merge.applyAsLong(total, counter.read(value));
  }

  @Override
  byte[] result() {
    return counter.write(total);
  }
}
