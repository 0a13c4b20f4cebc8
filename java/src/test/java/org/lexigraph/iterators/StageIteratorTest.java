package org.lexigraph.iterators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.junit.jupiter.api.Test;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Json;
import org.lexigraph.stages.Scope;
import org.lexigraph.vectors.Cell;
import org.lexigraph.vectors.Loading;
import org.lexigraph.vectors.SortedCells;
import org.lexigraph.vectors.Told;

/** What a stage iterator does besides its stage: options, scopes, clocks, counts, errors, markers. */
class StageIteratorTest {

  private static final String SUM = "{\"encoding\": \"text\"}";
  private static final List<Cell> TABLE = Cell.readAll(Json.parse(
      "[[\"a\", \"f\", \"q\", \"\", 3, 0, \"3\"], [\"a\", \"f\", \"q\", \"\", 2, 0, \"2\"],"
          + " [\"b\", \"f\", \"q\", \"\", 1, 0, \"1\"], [\"c\", \"f\", \"q\", \"\", 1, 0, \"1\"]]",
      "table"));

  private static Map<String, String> options(String stage, String options, String... more) {
    Map<String, String> given = new HashMap<>();
    given.put("version", "1");
    given.put("stage", stage);
    given.put("options", options);
    for (int at = 0; at < more.length; at += 2) {
      given.put(more[at], more[at + 1]);
    }
    return given;
  }

  private static StageIterator on(
      SortedKeyValueIterator<Key, Value> source, Scope scope, Map<String, String> options)
      throws IOException {
    StageIterator iterator = new StageIterator();
    iterator.init(source, options, Loading.environment(scope));
    return iterator;
  }

  private static StageIterator on(Scope scope, Map<String, String> options) throws IOException {
    return on(SortedCells.written(TABLE), scope, options);
  }

  private static List<Cell> read(SortedKeyValueIterator<Key, Value> iterator, Range range)
      throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (iterator.seek(range, Set.of(), false); iterator.hasTop(); iterator.next()) {
      cells.add(new Cell(iterator.getTopKey(), iterator.getTopValue()));
    }
    return cells;
  }

  private static String refusal(Map<String, String> options) {
    return assertThrows(
        LexigraphException.class, () -> new StageIterator().validateOptions(options)).getMessage();
  }

  private static List<String> values(List<Cell> cells) {
    List<String> values = new ArrayList<>();
    cells.forEach(cell -> values.add(new String(cell.value)));
    return values;
  }

  @Test
  void badOptionsAreRefusedWhenTheyAreSet() {
    assertTrue(new StageIterator().validateOptions(options("sum", SUM)));
    assertTrue(refusal(options("sum", SUM, "version", "2")).startsWith("lexigraph:FormatVersion: "));
    assertTrue(refusal(options("sum", "{}")).startsWith("lexigraph:InvalidOption: "));
    assertTrue(refusal(options("summe", SUM)).contains("no stage 'summe'"));
    assertTrue(refusal(options("sum", SUM, "colour", "red")).contains("no option 'colour'"));
    assertTrue(refusal(options("sum", "{")).contains("is not JSON"));
    assertTrue(refusal(options("sum", SUM, "unit", "days")).contains("'days'"));
    assertTrue(refusal(options("sum", SUM, "full_only", "yes")).contains("true or false"));
    assertTrue(refusal(options("sum", SUM, "now", "soon")).startsWith("lexigraph:InvalidOption: "));
    Map<String, String> without = options("sum", SUM);
    without.remove("version");
    assertTrue(refusal(without).startsWith("lexigraph:FormatVersion: "));
  }

  @Test
  void everyOptionIsDescribed() {
    assertEquals(
        Set.of("version", "stage", "options", "plans", "sets", "now", "unit", "default_visibility",
            "authorizations", "full_only", "counts", "errors"),
        new StageIterator().describeOptions().getNamedOptions().keySet());
  }

  @Test
  void badOptionsThatNobodyCheckedAreRefusedAtTheFirstSeek() throws IOException {
    StageIterator bad = on(Scope.SCAN, options("sum", "{}"));
    assertThrows(LexigraphException.class, () -> read(bad, new Range()));
  }

  @Test
  void onlyFullMergesAndScansCombineWhereThatIsAskedFor() throws IOException {
    Map<String, String> always = options("sum", SUM);
    Map<String, String> careful = options("sum", SUM, "full_only", "true");
    for (Scope scope : Scope.values()) {
      assertEquals(List.of("5", "1", "1"), values(read(on(scope, always), new Range())));
      List<String> expected = scope == Scope.FLUSH || scope == Scope.MERGE
          ? List.of("3", "2", "1", "1")
          : List.of("5", "1", "1");
      assertEquals(expected, values(read(on(scope, careful), new Range())), scope.toString());
    }
  }

  @Test
  void withoutAClockTheServersCountsInTheTablesUnit() throws IOException {
    long millis = System.currentTimeMillis();
    String hour = "{\"ttl\": 3600000}";
    List<Cell> young = Cell.readAll(Json.parse(
        "[[\"a\", \"f\", \"q\", \"\", " + millis + ", 0, \"\"]]", "table"));
    SortedKeyValueIterator<Key, Value> source = SortedCells.written(young);
    Map<String, String> inMillis = options("age-off", hour, "unit", "millis");
    assertEquals(young, read(on(source.deepCopy(null), Scope.FULL, inMillis), new Range()));
    Map<String, String> inMicros = options("age-off", hour, "unit", "micros");
    assertEquals(List.of(), read(on(source.deepCopy(null), Scope.FULL, inMicros), new Range()));
    Map<String, String> told = options("age-off", hour, "unit", "millis", "now", "" + (millis + 3600001));
    assertEquals(List.of(), read(on(source.deepCopy(null), Scope.SCAN, told), new Range()));
    StageIterator timeless = on(source, Scope.FULL, options("age-off", hour, "unit", "logical"));
    assertThrows(LexigraphException.class, () -> read(timeless, new Range()));
  }

  @Test
  void theTopmostTellsHowManyCellsEachStageReadAndGave() throws IOException {
    StageIterator below = on(Scope.SCAN, options("sum", SUM));
    StageIterator top = on(below, Scope.SCAN, options("grep", "{\"term\": \"5\"}", "counts", "one"));
    List<Cell> cells = read(top, new Range());
    assertEquals(2, cells.size());
    Cell told = cells.get(1);
    assertEquals("c", told.key.getRow().toString());
    JsonObject json = Told.json(told);
    assertEquals("org.lexigraph.iterators.StageIterator", json.get("class").getAsString());
    assertEquals(
        "[{\"name\":\"sum\",\"read\":4,\"given\":3},{\"name\":\"grep\",\"read\":3,\"given\":1}]",
        json.get("stages").toString());
    Range behind = new Range(told.key, false, null, true);
    assertEquals(List.of(), read(top, behind));
  }

  @Test
  void countsOutliveIteratorsThatAreDropped() throws IOException {
    Range rest = new Range();
    long read = 0;
    int given = 0;
    while (true) {
      StageIterator top = on(Scope.SCAN, options("sum", SUM, "counts", "dropped"));
      top.seek(rest, Set.of(), false);
      if (!top.hasTop()) {
        break;
      }
      Cell cell = new Cell(top.getTopKey(), top.getTopValue());
      if (cell.key.getColumnFamilyData().equals(Notes.countsFamily("dropped"))) {
        JsonObject sum = Told.json(cell).getAsJsonArray("stages").get(0).getAsJsonObject();
        read += sum.get("read").getAsLong();
        given += sum.get("given").getAsInt();
      }
      rest = new Range(cell.key, false, null, true);
    }
    assertEquals(3, given);
    // Behind a result its whole column is read again, and one cell more each time.
    assertTrue(read >= TABLE.size(), "read " + read);
  }

  @Test
  void countsOfATabletDoNotHideTheNext() throws IOException {
    StageIterator top = on(Scope.SCAN, options("sum", SUM, "counts", "next"));
    List<Cell> first = read(top, new Range("a", "b"));
    Cell told = first.get(first.size() - 1);
    assertTrue(told.key.getColumnFamilyData().equals(Notes.countsFamily("next")));
    List<Cell> second = read(top, new Range(told.key, false, null, true));
    assertEquals(List.of("1"), values(Told.withoutNotes(second)));
  }

  @Test
  void errorsComeAsACellWhereTheTopmostIsAskedTo() throws IOException {
    Map<String, String> fixed = options("sum", "{\"encoding\": \"fixed\"}");
    StageIterator plain = on(Scope.SCAN, fixed);
    assertThrows(LexigraphException.class, () -> read(plain, new Range()));
    for (Map<String, String> lower : List.of(fixed, options("sum", "{}"))) {
      StageIterator below = on(Scope.SCAN, lower);
      StageIterator top = on(below, Scope.SCAN, options("labelled", "{}", "errors", "one"));
      List<Cell> cells = read(top, new Range());
      assertEquals(1, cells.size());
      LexigraphException told =
          assertThrows(LexigraphException.class, () -> Told.withoutNotes(cells));
      assertTrue(told.text().contains("'sum'"), told.text());
    }
  }

  @Test
  void flushesAndPartialMergesKeepEveryDeleteMarker() throws IOException {
    List<Cell> table = Cell.readAll(Json.parse(
        "[[\"a\", \"f\", \"q\", \"\", 3, 0, \"3\"], [\"a\", \"f\", \"q\", \"\", 2, 1, \"\"],"
            + " [\"b\", \"f\", \"q\", \"\", 2, 1, \"\"], [\"b\", \"f\", \"r\", \"\", 1, 0, \"1\"]]",
        "table"));
    for (Scope scope : List.of(Scope.FLUSH, Scope.MERGE)) {
      StageIterator versions =
          on(SortedCells.written(table), scope, options("versions", "{\"max\": 1}"));
      assertEquals(table, read(versions, new Range()));
      StageIterator firsts = on(SortedCells.written(table), scope, options("first-in-row", "{}"));
      assertEquals(table.subList(0, 3), read(firsts, new Range()));
      StageIterator one = on(SortedCells.written(table), scope, options("limit", "{\"cells\": 1}"));
      assertEquals(table.subList(0, 3), read(one, new Range()));
    }
  }

  @Test
  void aStageIsNotGivenTheMarkersThatOneBelowItDropped() throws IOException {
    List<Cell> table = Cell.readAll(Json.parse(
        "[[\"a\", \"f\", \"q\", \"\", 3, 0, \"3\"], [\"a\", \"f\", \"q\", \"\", 2, 1, \"\"]]", "table"));
    StageIterator below =
        on(SortedCells.written(table), Scope.MERGE, options("versions", "{\"max\": 1}"));
    StageIterator top = on(below, Scope.MERGE, options("whole-row", "{}"));
    List<Cell> cells = read(top, new Range());
    assertEquals(2, cells.size());
    assertEquals(1, cells.get(0).value[3], "one cell is packed");
    assertEquals(table.get(1), cells.get(1));
  }

  @Test
  void aCopyGivesTheSameAndTellsNothing() throws IOException {
    StageIterator top = on(Scope.SCAN, options("sum", SUM, "counts", "copied"));
    SortedKeyValueIterator<Key, Value> copy = top.deepCopy(Loading.environment(Scope.SCAN));
    assertEquals(List.of("5", "1", "1"), values(read(copy, new Range())));
  }
}
