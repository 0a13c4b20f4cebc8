package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.datasketches.common.ArrayOfStringsSerDe;
import org.apache.datasketches.kll.KllItemsSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.quantilescommon.QuantileSearchCriteria;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Tuple;

/** Smallest value, quartiles and largest value, by a KLL sketch whose items are texts. */
final class QuantilesState extends SketchState {

  private static final double[] RANKS = {0.25, 0.5, 0.75};
  private static final ArrayOfStringsSerDe TEXTS = new ArrayOfStringsSerDe();

  private final int size;
  private KllItemsSketch<String> sketch;

  QuantilesState(Codec codec, int size) {
    super(Kind.QUANTILES, codec);
    this.size = size;
    clear();
  }

  @Override
  void unite(byte[] data) {
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

  private static KllItemsSketch<String> read(byte[] data) {
    return KllItemsSketch.heapify(Memory.wrap(data), Comparator.naturalOrder(), TEXTS);
  }

  @Override
  void clear() {
    sketch = KllItemsSketch.newHeapInstance(size, Comparator.naturalOrder(), TEXTS);
  }
}
