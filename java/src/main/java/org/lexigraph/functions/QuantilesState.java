package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.datasketches.kll.KllItemsSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.quantilescommon.QuantileSearchCriteria;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Tuple;

/** Smallest value, quartiles and largest value, by a KLL sketch whose items are texts. */
final class QuantilesState extends SketchState {

  private static final double[] RANKS = {0.25, 0.5, 0.75};

  private static final int EMPTY = 1;
  private static final int SINGLE = 4;
  private static final int MAX_LEVELS = 55;

  private final int size;
  private KllItemsSketch<String> sketch;

  QuantilesState(Codec codec, int size) {
    super(Kind.QUANTILES, codec);
    this.size = size;
    clear();
  }

  @Override
  void unite(byte[] data) {
    checkLevels(data);
    KllItemsSketch<String> other = read(data);
    checkSeen(other.getN());
    if (!other.isEmpty()) {
      Fed.value(codec, other.getMinItem());
      Fed.value(codec, other.getMaxItem());
    }
    if (isPresent()) {
      checkSeen(sketch.getN());
      sketch.merge(other);
    } else {
      sketch = other;
    }
  }

  @Override
  void take(Object value, long timestamp) {
    sketch.update(Fed.text(codec, value));
  }

  @Override
  byte[] bytes() {
    return sketch.toByteArray();
  }

  @Override
  public Object finish() {
    List<Object> values = new ArrayList<>();
    if (!sketch.isEmpty()) {
      // Of a copy: the library sorts a copy of the items and then takes its own for sorted.
      KllItemsSketch<String> copy = read(sketch.toByteArray());
      values.add(Fed.value(codec, copy.getMinItem()));
      for (double rank : RANKS) {
        values.add(Fed.value(codec, copy.getQuantile(rank, QuantileSearchCriteria.INCLUSIVE)));
      }
      values.add(Fed.value(codec, copy.getMaxItem()));
    }
    return new Tuple(values);
  }

  /** Refuses levels that do not hold as many values as were seen: the library reads and sorts by them. */
  private static void checkLevels(byte[] data) {
    if ((number(data, 3, 1) & (EMPTY | SINGLE)) != 0) {
      return;
    }
    int levels = (int) number(data, 18, 1);
    require(levels >= 1 && levels <= MAX_LEVELS, "its levels are none");
    long last = 0;
    for (int level = 0; level < levels; level++) {
      long start = number(data, 20 + 4 * level, 4);
      require(start >= last && start <= Integer.MAX_VALUE, "its levels are out of order");
      last = start;
    }
    long retained = read(data).getNumRetained();
    long end = number(data, 20, 4) + retained;
    long seen = 0;
    for (int level = levels - 1; level >= 0; level--) {
      long start = number(data, 20 + 4 * level, 4);
      require(start <= end && end - start <= data.length, "its levels are cut");
      seen += end - start << level;
      end = start;
    }
    require(seen == number(data, 8, 8), "it has seen other values than it holds");
  }

  private static KllItemsSketch<String> read(byte[] data) {
    return KllItemsSketch.heapify(Memory.wrap(data), Comparator.naturalOrder(), Texts.TEXTS);
  }

  @Override
  void clear() {
    sketch = KllItemsSketch.newHeapInstance(size, Comparator.naturalOrder(), Texts.TEXTS);
  }
}
