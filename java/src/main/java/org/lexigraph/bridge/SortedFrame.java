package org.lexigraph.bridge;

import java.util.Arrays;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;

/** The cells of a frame in the order of their keys. What was given later comes first among equal keys. */
final class SortedFrame {
  private final Frame frame;
  private final Integer[] cells;

  SortedFrame(Frame frame) {
    this.frame = frame;
    cells = new Integer[frame.count()];
    Arrays.setAll(cells, place -> place);
    Arrays.sort(cells, this::compare);
  }

  int count() {
    return cells.length;
  }

  Key key(int place) {
    int cell = cells[place];
    return new Key(
        frame.row(cell),
        frame.family(cell),
        frame.qualifier(cell),
        frame.visibility(cell),
        frame.timestamp(cell),
        frame.deleted(cell),
        false);
  }

  Value value(int place) {
    return new Value(frame.value(cells[place]), false);
  }

  private int compare(int one, int other) {
    int found = frame.compareKeys(one, other);
    return found != 0 ? found : other - one;
  }
}
