package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.datasketches.common.ArrayOfStringsSerDe;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.memory.Memory;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Tuple;

/** The most frequent values and upper bounds of their counts, by a sketch whose items are texts. */
final class FrequentState extends SketchState {

  private static final ArrayOfStringsSerDe TEXTS = new ArrayOfStringsSerDe();

  private final int size;
  private ItemsSketch<String> sketch;

  FrequentState(Codec codec, int size) {
    super(Kind.FREQUENT_ITEMS, codec);
    this.size = size;
    clear();
  }

  @Override
  void unite(byte[] data) {
    ItemsSketch<String> other = ItemsSketch.getInstance(Memory.wrap(data), TEXTS);
    checkSeen(other.getStreamLength());
    checkSeen(other.getMaximumError());
    pairs(other);
    if (isPresent()) {
      checkSeen(sketch.getStreamLength());
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
    return sketch.toByteArray(TEXTS);
  }

  @Override
  public Object finish() {
    return new Tuple(pairs(sketch));
  }

  private List<Object> pairs(ItemsSketch<String> from) {
    ItemsSketch.Row<String>[] rows = from.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES);
    Comparator<ItemsSketch.Row<String>> mostFirst = Comparator.comparingLong(row -> -row.getEstimate());
    Arrays.sort(rows, mostFirst.thenComparing(ItemsSketch.Row::getItem));
    List<Object> pairs = new ArrayList<>();
    for (ItemsSketch.Row<String> row : rows) {
      pairs.add(new Tuple(List.of(Fed.value(codec, row.getItem()), row.getEstimate())));
    }
    return pairs;
  }

  @Override
  void clear() {
    sketch = new ItemsSketch<>(size);
  }
}
