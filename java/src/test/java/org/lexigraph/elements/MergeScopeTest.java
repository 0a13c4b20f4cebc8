package org.lexigraph.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.accumulo.core.data.Range;
import org.junit.jupiter.api.Test;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Vectors;
import org.lexigraph.json.Json;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;
import org.lexigraph.vectors.Cell;
import org.lexigraph.vectors.Stack;

/** What element stages do for ever: the rules of a graph's tables, in whole and in partial merges. */
class MergeScopeTest {

  private static final StageSpec AGGREGATE = stage("aggregate", "{'plan': 'graph'}");
  /** At least three calls: a rule of the kind that a schema gives. */
  private static final StageSpec RULE = stage("filter",
      "{'plan': 'graph', 'where': {'calls': {'op': 'ge', 'field': 'count', 'value': {'hex': '8103'}}}}");

  private static final String OLD = call(1, "8101");
  private static final String NEW = call(5, "8102");
  private static final String BOTH = call(5, "8103");

  @Test
  void aFullMergeCombinesAndJudgesWhatItCombined() throws IOException {
    assertEquals(cells(BOTH), merged(context(Scope.FULL, true), OLD, NEW));
    assertEquals(List.of(), merged(context(Scope.FULL, true), NEW));
  }

  @Test
  void whatAPartialMergeSeesIsNeitherCombinedNorJudged() throws IOException {
    assertEquals(cells(NEW, OLD), merged(context(Scope.MERGE, true), OLD, NEW));
    assertEquals(cells(NEW), merged(context(Scope.FLUSH, true), NEW));
  }

  @Test
  void whatAFlushWritesIsNotJudged() throws IOException {
    assertEquals(cells(NEW), merged(context(Scope.FLUSH, false), NEW));
  }

  @Test
  void nothingIsCombinedAcrossADeleteMarker() throws IOException {
    String marker = OLD.replace("1, 0, {'hex': '0101028101'}", "3, 1, ''");
    assertEquals(
        cells(NEW, marker), merged(List.of(AGGREGATE), context(Scope.MERGE, false), OLD, marker, NEW));
    assertEquals(cells(NEW), merged(List.of(AGGREGATE), context(Scope.FULL, false), OLD, marker, NEW));
  }

  @Test
  void agesAreThoseOfTheMergesClock() throws IOException {
    StageSpec young = stage("filter",
        "{'plan': 'graph', 'where': {'op': 'age-off', 'field': 'timestamp', 'ttl': 3}}");
    StageContext.Builder clock = StageContext.builder().scope(Scope.FULL).plans(plans()).now(6);
    assertEquals(cells(NEW), merged(List.of(young), clock.build(), OLD, NEW));
    LexigraphException error = assertThrows(
        LexigraphException.class, () -> merged(List.of(young), context(Scope.FULL, false), OLD));
    assertEquals("InvalidOption", error.name());
  }

  @Test
  void stagesThatChangeWhatCellsMeanAreForScansOnly() {
    for (StageSpec stage : List.of(
        stage("roll-up", "{'plan': 'graph'}"),
        stage("decode", "{'plan': 'graph', 'fields': []}"),
        stage("summarise", "{'plan': 'graph', 'measures': []}"))) {
      LexigraphException error = assertThrows(
          LexigraphException.class, () -> merged(List.of(stage), context(Scope.FULL, false), OLD));
      assertEquals("InvalidOption", error.name());
    }
  }

  private static List<Cell> merged(StageContext context, String... written) throws IOException {
    return merged(List.of(AGGREGATE, RULE), context, written);
  }

  private static List<Cell> merged(List<StageSpec> stages, StageContext context, String... written)
      throws IOException {
    Stack stack = new Stack(cells(written), Set.of(), stages, context);
    return stack.read(stack.open(), List.of(new Range()));
  }

  private static StageContext context(Scope scope, boolean fullOnly) {
    return StageContext.builder().scope(scope).plans(plans()).fullOnly(fullOnly).build();
  }

  private static JsonObject plans() {
    JsonObject plans = new JsonObject();
    plans.add("graph", Vectors.read("plans/byte-entity.json"));
    return plans;
  }

  private static String call(long timestamp, String count) {
    return "[{'hex': '41000200420002'}, 'calls', {'hex': '80004fe701'}, '', " + timestamp
        + ", 0, {'hex': '010102" + count + "'}]";
  }

  private static List<Cell> cells(String... texts) {
    List<Cell> cells = new ArrayList<>();
    for (String text : texts) {
      cells.add(Cell.read(Json.parse(text.replace('\'', '"'), "cell")));
    }
    return cells;
  }

  private static StageSpec stage(String name, String options) {
    return new StageSpec(name, Json.parseObject(options.replace('\'', '"'), "options"));
  }
}
