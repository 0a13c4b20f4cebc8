package org.lexigraph.bridge;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The cells of a frame by row, rows in the order of their first cells; makes no object for a cell. */
final class RowGroups {
  private static final int NONE = -1;

  private final BitSet first = new BitSet();
  private final int[] next;

  RowGroups(Frame frame) {
    int count = frame.count();
    next = new int[count];
    Arrays.fill(next, NONE);
    // Of each row the last cell so far, plus one, where the hash of the row says or behind it.
    int[] last = new int[Integer.highestOneBit(Math.max(count, 4)) * 4];
    for (int cell = 0, slot = 0; cell < count; cell++) {
      if (cell == 0 || !frame.sameRow(cell - 1, cell)) {
        slot = frame.rowHash(cell) & last.length - 1;
        while (last[slot] != 0 && !frame.sameRow(last[slot] - 1, cell)) {
          slot = slot + 1 & last.length - 1;
        }
      }
      if (last[slot] == 0) {
        first.set(cell);
      } else {
        next[last[slot] - 1] = cell;
      }
      last[slot] = cell + 1;
    }
  }

  /** The next cell of a cell's row, or a negative number. */
  int next(int cell) {
    return next[cell];
  }

  /** The first cell of each row. */
  Iterator<Integer> firsts() {
    return new Iterator<>() {
      private int cell = first.nextSetBit(0);

      @Override
      public boolean hasNext() {
        return cell >= 0;
      }

      @Override
      public Integer next() {
        if (cell < 0) {
          throw new NoSuchElementException();
        }
        int now = cell;
        cell = first.nextSetBit(now + 1);
        return now;
      }
    };
  }
}
