package org.lexigraph.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.lexigraph.json.Json;

/**
 * Iterator stacks that real Accumulo ran, run by our stages. The cases are no part of this repository: the environment
 * variable LEXIGRAPH_CONFORMANCE names the directory that holds them. A case may differ only by a rule: its iterator has
 * no stage, Accumulo failed by accident, or Accumulo's own iterator in the place of the stage that the rule names gives
 * exactly what Accumulo gave. <code>docs/reference/deviations.md</code> has the reasons.
 */
class AccumuloCasesTest {

  private static final String VARIABLE = "LEXIGRAPH_CONFORMANCE";
  private static final Set<String> WITHOUT_STAGE =
      Set.of("OrIterator", "ColumnFamilyCounter", "DevNull", "DebugIterator");
  private static final Map<String, Set<String>> RULES = Map.of(
      "seeking slice jumps over cells", Set.of("user.CfCqSliceSeekingFilter"),
      "missing document has another's body", Set.of("user.IndexedDocIterator"),
      "copied regex forgets its options",
      Set.of("user.RegExFilter", "user.IntersectingIterator"),
      "row marker behind a newer cell is missed", Set.of("user.RowDeletingIterator"));
  // Shares of all cases that a rule may excuse, as for the stages in Python.
  private static final Map<String, Double> LIMITS = Map.of(
      "iterator without a stage", 0.08,
      "error by accident, answered", 0.02,
      "seeking slice jumps over cells", 0.03,
      "missing document has another's body", 0.01,
      "copied regex forgets its options", 0.01,
      "row marker behind a newer cell is missed", 0.01);

  private final Map<String, Integer> excused = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();

  @Test
  void everyStackAnswersAsAccumuloOrDiffersByARule() throws IOException {
    String folder = System.getenv(VARIABLE);
    Assumptions.assumeTrue(folder != null, VARIABLE + " names no directory of outside cases");
    Path file = Path.of(folder, "accumulo", "stages.json");
    Assumptions.assumeTrue(Files.isRegularFile(file), VARIABLE + " has no accumulo/stages.json");
    JsonObject content = Json.parseObject(Files.readString(file), file.toString());
    Map<String, List<Cell>> datasets = new HashMap<>();
    for (Map.Entry<String, JsonElement> set : content.getAsJsonObject("datasets").entrySet()) {
      datasets.put(set.getKey(), Cell.readAll(set.getValue()));
    }
    int count = 0;
    for (JsonElement one : content.getAsJsonArray("cases")) {
      count++;
      AccumuloCase outside = new AccumuloCase(one.getAsJsonObject(), datasets);
      String rule = judge(outside);
      if (rule != null) {
        excused.merge(rule, 1, Integer::sum);
      }
    }
    System.out.println("accumulo/stages.json: " + count + " cases ran; excused: " + excused);
    assertEquals(List.of(), wrong.subList(0, Math.min(wrong.size(), 10)), wrong.size() + " wrong");
    for (Map.Entry<String, Integer> entry : excused.entrySet()) {
      assertTrue(entry.getValue() <= LIMITS.get(entry.getKey()) * count, entry.toString());
    }
  }

  private String judge(AccumuloCase outside) throws IOException {
    if (outside.classes().stream().anyMatch(WITHOUT_STAGE::contains)) {
      return "iterator without a stage";
    }
    AccumuloCase.Answer answer = outside.read(Set.of());
    outside.inconsistencies(answer).forEach(problem -> wrong.add(outside.name() + ": " + problem));
    if (outside.agrees(answer)) {
      return null;
    }
    if (outside.failedByAccident()) {
      return "error by accident, answered";
    }
    for (Map.Entry<String, Set<String>> rule : new TreeMap<>(RULES).entrySet()) {
      if (outside.agrees(outside.read(rule.getValue()))) {
        return rule.getKey();
      }
    }
    wrong.add(outside.name() + ": gave " + answer);
    return null;
  }
}
