package org.lexigraph.iterators;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.apache.accumulo.core.iteratorsImpl.system.MultiIterator;
import org.apache.accumulo.core.iteratorsImpl.system.SortedMapIterator;
import org.junit.jupiter.api.Test;

/** All values of a key in one cell, and what is too much in the next scan. */
class EqualKeysTest {
  private static final byte[] NAME = "name".getBytes(StandardCharsets.UTF_8);
  private static final Key FIRST = new Key("a", "f", "q", 5);
  private static final Key LAST = new Key("b", "f", "q", 5);

  @Test
  void aKeyIsGivenOnceWithAllItsValues() throws IOException {
    List<String> found = new ArrayList<>();
    EqualKeys keys = on(Map.of(), List.of("1", "2", "3"));
    keys.seek(new Range(), Set.of(), false);
    int cells = 0;
    for (; keys.hasTop(); keys.next()) {
      cells++;
      assertEquals(-1, read(keys, value -> found.add(value.toString())));
    }
    assertEquals(2, cells);
    // Which of several files comes first is chance.
    found.sort(null);
    assertEquals(List.of("1", "2", "3", "last"), found);
  }

  @Test
  void behindAKeyComesTheNext() throws IOException {
    EqualKeys keys = on(Map.of(EqualKeys.SKIP, "2"), List.of("1", "2", "3"));
    keys.seek(new Range(FIRST, false, null, false), Set.of(), false);
    assertEquals(LAST, keys.getTopKey());
  }

  @Test
  void whatIsTooMuchForOneCellIsLeftForAScanThatSkipsTheRest() throws IOException {
    String large = "x".repeat(EqualKeys.MOST_BYTES / 2);
    List<String> values = List.of("1" + large, "2" + large, "3" + large, "4" + large, "5");
    List<Character> found = new ArrayList<>();
    int skip = 0;
    while (true) {
      EqualKeys keys = on(Map.of(EqualKeys.SKIP, Integer.toString(skip)), values);
      keys.seek(new Range(FIRST, true, null, false), Set.of(), false);
      int more = read(keys, value -> found.add(value.toString().charAt(0)));
      keys.next();
      assertEquals(LAST, keys.getTopKey());
      if (more < 0) {
        break;
      }
      skip += more;
    }
    found.sort(null);
    assertEquals(List.of('1', '2', '3', '4', '5'), found);
    assertEquals(2, skip);
    EqualKeys from = on(Map.of(), values);
    from.seek(new Range(), Set.of(), false);
    assertEquals(0, read(from, value -> found.clear()));
    assertEquals(5, found.size());
  }

  private static int read(EqualKeys keys, Consumer<Value> each) {
    if (EqualKeys.isPacked(keys.getTopValue(), NAME)) {
      return EqualKeys.read(keys.getTopValue(), NAME, each);
    }
    each.accept(keys.getTopValue());
    return -1;
  }

  private static EqualKeys on(Map<String, String> options, List<String> values) {
    Map<String, String> given = new HashMap<>(options);
    given.put(EqualKeys.NAME, "name");
    List<SortedKeyValueIterator<Key, Value>> sources = new ArrayList<>();
    for (String value : values) {
      TreeMap<Key, Value> one = new TreeMap<>();
      one.put(FIRST, new Value(value));
      sources.add(new SortedMapIterator(one));
    }
    TreeMap<Key, Value> last = new TreeMap<>();
    last.put(LAST, new Value("last"));
    sources.add(new SortedMapIterator(last));
    EqualKeys made = new EqualKeys();
    made.init(new MultiIterator(sources, false), given, null);
    return made;
  }
}
