package org.lexigraph.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.accumulo.core.clientImpl.IsolationException;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.junit.jupiter.api.Test;
import org.lexigraph.LexigraphException;

/** A row is read again where its server goes away, so that it is never half old and half new. */
class WholeRowsTest {
  private final TreeMap<Key, Value> table = new TreeMap<>();
  private final List<Range> opened = new ArrayList<>();
  /** How many cells each server gives before it goes away. */
  private int lives = Integer.MAX_VALUE;

  @Test
  void aRowWhoseServerGoesAwayIsReadAgainAsItIsThen() {
    write("a", "old", 3);
    write("b", "old", 3);
    lives = 5;
    List<String> found = new ArrayList<>();
    WholeRows rows = new WholeRows(new Range(), this::open);
    while (rows.hasNext()) {
      found.add(rows.next().getValue().toString());
      if (found.size() == 3) {
        // The first row was given; the server of the second is gone before it is whole.
        write("b", "new", 3);
        lives = Integer.MAX_VALUE;
      }
    }
    assertEquals(List.of("old", "old", "old", "new", "new", "new"), found);
    assertEquals(2, opened.size());
  }

  @Test
  void itGoesOnWithinTheRange() {
    write("a", "v", 4);
    lives = 1;
    Key start = new Key("a", "f", "1");
    WholeRows rows = new WholeRows(new Range(start, false, null, false), range -> {
      lives = opened.isEmpty() ? 1 : 100;
      return open(range);
    });
    int count = 0;
    while (rows.hasNext()) {
      rows.next();
      count++;
    }
    assertEquals(2, count);
    assertEquals(opened.get(0), opened.get(1));
  }

  @Test
  void ofARowTooLargeToBeHeldTheLossIsTold() {
    byte[] large = new byte[(int) WholeRows.HELD_BYTES / 2];
    for (int column = 0; column < 4; column++) {
      table.put(new Key("a", "f", "" + column), new Value(large));
    }
    lives = 3;
    WholeRows rows = new WholeRows(new Range(), this::open);
    LexigraphException error =
        assertThrows(LexigraphException.class, () -> rows.forEachRemaining(cell -> {}));
    assertEquals("Unreachable", error.name());
  }

  private void write(String row, String value, int columns) {
    for (int column = 0; column < columns; column++) {
      table.put(new Key(row, "f", "" + column), new Value(value));
    }
  }

  private Iterator<Map.Entry<Key, Value>> open(Range range) {
    opened.add(range);
    // As a server does, it reads one moment.
    List<Map.Entry<Key, Value>> moment = new ArrayList<>();
    table.forEach((key, value) -> {
      if (range.contains(key)) {
        moment.add(Map.entry(key, value));
      }
    });
    Iterator<Map.Entry<Key, Value>> cells = moment.iterator();
    int most = lives;
    return new Iterator<>() {
      private int given;

      @Override
      public boolean hasNext() {
        if (given == most) {
          throw new IsolationException();
        }
        return cells.hasNext();
      }

      @Override
      public Map.Entry<Key, Value> next() {
        given++;
        return cells.next();
      }
    };
  }
}
