package org.lexigraph.vectors;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.apache.accumulo.core.iteratorsImpl.system.InterruptibleIterator;

/**
 * Cells in key order, of equal keys the one written later first, as a tablet server's memory has them. It uses one key
 * for all cells, as a source may, so that a stage which keeps it without a copy is found out; and it refuses to be
 * copied after a seek, as servers do.
 */
public final class SortedCells implements InterruptibleIterator {

  private final List<Cell> cells;
  private final Key shared = new Key();
  private Range range;
  private int place;

  private SortedCells(List<Cell> cells) {
    this.cells = cells;
  }

  /** Cells in the order in which they were written. */
  public static SortedCells written(List<Cell> written) {
    List<Cell> sorted = new ArrayList<>(written);
    Collections.reverse(sorted);
    sorted.sort(Comparator.comparing((Cell cell) -> cell.key));
    return new SortedCells(sorted);
  }

  @Override
  public void seek(Range wanted, Collection<ByteSequence> families, boolean inclusive) {
    range = wanted;
    place = 0;
    while (place < cells.size() && wanted.beforeStartKey(cells.get(place).key)) {
      place++;
    }
    share();
  }

  @Override
  public void next() {
    place++;
    share();
  }

  @Override
  public boolean hasTop() {
    return place < cells.size() && !range.afterEndKey(cells.get(place).key);
  }

  @Override
  public Key getTopKey() {
    return shared;
  }

  @Override
  public Value getTopValue() {
    return new Value(cells.get(place).value);
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    if (range != null) {
      throw new IllegalStateException("copied after a seek");
    }
    return new SortedCells(cells);
  }

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> source, Map<String, String> options, IteratorEnvironment env) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void setInterruptFlag(AtomicBoolean flag) {
    // Nobody interrupts a test.
  }

  private void share() {
    if (hasTop()) {
      shared.set(cells.get(place).key);
    }
  }
}
