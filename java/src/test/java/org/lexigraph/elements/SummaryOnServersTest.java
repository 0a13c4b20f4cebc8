package org.lexigraph.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.junit.jupiter.api.Test;
import org.lexigraph.codec.Vectors;
import org.lexigraph.json.Json;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;
import org.lexigraph.vectors.Cell;
import org.lexigraph.vectors.Stack;

/** On a server, a summary gives what it made of one range as one cell, behind which a scan can go on. */
class SummaryOnServersTest {

  private static final IteratorEnvironment SERVER = (IteratorEnvironment) Proxy.newProxyInstance(
      SummaryOnServersTest.class.getClassLoader(),
      new Class<?>[] {IteratorEnvironment.class},
      (proxy, method, arguments) -> null);

  @Test
  void theResultsOfARangeAreOneCellWithTheLastKeyRead() throws IOException {
    List<Cell> written = List.of(call("41000200420002", 7, "8101"), call("41000200430002", 5, "8102"));
    Stack stack = stack(written);
    List<Cell> given = stack.read(stack.open(), List.of(new Range()));
    assertEquals(1, given.size());
    assertEquals(written.get(1).key, given.get(0).key);
    // The only result: group 'calls', newest time 7, sum 3.
    assertEquals(
        "07" + "4863616c6c7300" + "8000000000000007" + "04" + "01038103", Vectors.hex(given.get(0).value));
  }

  @Test
  void behindThatCellNothingIsLeft() throws IOException {
    List<Cell> written = List.of(call("41000200420002", 7, "8101"), call("41000200430002", 5, "8102"));
    Stack stack = stack(written);
    SortedKeyValueIterator<Key, Value> top = stack.open();
    top.seek(new Range(written.get(1).key, false, null, false), Set.of(), false);
    assertFalse(top.hasTop());
    assertEquals(1, stack.readCut(List.of(new Range())).size());
  }

  @Test
  void rangesCountEachOfTheirElementsOnce() throws IOException {
    List<Cell> written = new ArrayList<>();
    List<Range> rows = new ArrayList<>();
    for (int row = 1; row <= 3; row++) {
      written.add(call("41000200" + (40 + row) + "0002", row, "8101"));
      rows.add(new Range(written.get(row - 1).key.getRow()));
    }
    Stack stack = stack(written);
    List<Cell> given = stack.read(stack.open(), rows);
    assertEquals(3, given.size());
    for (Cell cell : given) {
      assertEquals("01038101", Vectors.hex(cell.value).substring(34));
    }
  }

  @Test
  void whereNoElementIsThereIsNoCell() throws IOException {
    Stack stack = stack(List.of());
    assertEquals(List.of(), stack.read(stack.open(), List.of(new Range())));
  }

  @Test
  void ofManyResultsAServerHoldsSoManyAtOnce() throws IOException {
    List<Cell> written = new ArrayList<>();
    for (int number = 0; number < Summarise.PACKED + 2; number++) {
      String vertex = Vectors.hex(String.format("%05d", number).getBytes(StandardCharsets.US_ASCII));
      written.add(call(vertex + "000200420002", number, "8101"));
    }
    Stack stack = stack(written, "source");
    List<Cell> given = stack.read(stack.open(), List.of(new Range()));
    assertEquals(2, given.size());
    assertEquals(written.get(Summarise.PACKED - 1).key, given.get(0).key);
    assertEquals(written.get(Summarise.PACKED + 1).key, given.get(1).key);
    assertEquals(given, stack.readCut(List.of(new Range())));
  }

  @Test
  void aClientHearsFromAServerWhileItReads() throws IOException {
    List<Cell> written = new ArrayList<>();
    for (int number = 0; number < Summarise.ELEMENTS + 2; number++) {
      String vertex = Vectors.hex(String.format("%06d", number).getBytes(StandardCharsets.US_ASCII));
      written.add(call(vertex + "000200420002", number, "8101"));
    }
    Stack stack = stack(written);
    List<Cell> given = stack.read(stack.open(), List.of(new Range()));
    assertEquals(2, given.size());
    assertEquals(written.get(Summarise.ELEMENTS - 1).key, given.get(0).key);
    assertEquals(given, stack.readCut(List.of(new Range())));
  }

  private static Stack stack(List<Cell> written) {
    return stack(written, "group");
  }

  private static Stack stack(List<Cell> written, String by) {
    JsonObject plans = new JsonObject();
    plans.add("graph", Vectors.read("plans/byte-entity.json"));
    String options = "{'plan': 'graph', 'by': ['" + by + "'], "
        + "'measures': [{'name': 'calls', 'aggregate': 'sum', 'field': 'count'}]}";
    StageSpec stage = new StageSpec("summarise", Json.parseObject(options.replace('\'', '"'), "options"));
    StageContext context = StageContext.builder().plans(plans).environment(SERVER).build();
    return new Stack(written, Set.of(), List.of(stage), context);
  }

  private static Cell call(String row, long timestamp, String count) {
    String text = "[{'hex': '" + row + "'}, 'calls', {'hex': '80004fe701'}, '', " + timestamp
        + ", 0, {'hex': '010102" + count + "'}]";
    return Cell.read(Json.parse(text.replace('\'', '"'), "cell"));
  }
}
