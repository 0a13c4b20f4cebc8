package org.lexigraph.stages;

import java.util.Arrays;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Adds up arrays place by place; a shorter one counts as filled up with zeros. */
final class SumArray extends Combiner {

  private final Counter counter;
  private long[] totals = new long[0];
  private int count;

  SumArray(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    counter = Counter.named(options.choice("encoding", null, Counter.NAMES));
    options.done();
  }

  @Override
  void clear() {
    Arrays.fill(totals, 0);
    count = 0;
  }

  @Override
  void add(byte[] value) {
    long[] numbers = counter.readArray(value);
    if (numbers.length > totals.length) {
      totals = Arrays.copyOf(totals, numbers.length);
    }
    count = Math.max(count, numbers.length);
    for (int place = 0; place < numbers.length; place++) {
      totals[place] = NumberCombiner.saturatingAdd(totals[place], numbers[place]);
    }
  }

  @Override
  byte[] result() {
    return counter.writeArray(totals, count);
  }
}
