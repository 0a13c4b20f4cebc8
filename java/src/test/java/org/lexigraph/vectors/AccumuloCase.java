package org.lexigraph.vectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Column;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Json;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/** One stack that real Accumulo ran: what it ran over and what it gave. */
final class AccumuloCase {

  private static final String PREFIX = "org.apache.accumulo.core.iterators.";
  private static final Map<String, Scope> SCOPES = Map.of(
      "scan", Scope.SCAN, "minc", Scope.FLUSH, "majc", Scope.MERGE, "majc_full", Scope.FULL);

  private final JsonObject json;
  private final List<Cell> cells;
  private final List<JsonObject> items = new ArrayList<>();

  AccumuloCase(JsonObject json, Map<String, List<Cell>> datasets) {
    this.json = json;
    this.cells = datasets.get(json.get("cells_in").getAsString());
    json.getAsJsonArray("stack").forEach(item -> items.add(item.getAsJsonObject()));
    items.sort(Comparator.comparingInt(item -> item.get("priority").getAsInt()));
  }

  String name() {
    return json.get("name").getAsString();
  }

  /** The classes of the stack. */
  Set<String> classes() {
    Set<String> classes = new HashSet<>();
    items.forEach(item -> classes.add(item.get("class").getAsString()));
    return classes;
  }

  /** Runs the stack with our stages, but with Accumulo's own iterators for some classes. */
  Answer read(Set<String> theirs) {
    Answer answer = new Answer();
    try {
      Stack stack = stack();
      for (int place = 0; place < items.size(); place++) {
        JsonObject item = items.get(place);
        if (theirs.contains(item.get("class").getAsString())) {
          stack.replace(place, source -> real(source, item));
        }
      }
      SortedKeyValueIterator<Key, Value> top = stack.open();
      stack.seek(top, range());
      for (; top.hasTop(); top.next()) {
        answer.cells.add(new Cell(top.getTopKey(), top.getTopValue()));
      }
    } catch (IOException | RuntimeException error) {
      answer.error = error;
    }
    return answer;
  }

  /** Whether an answer is what Accumulo gave, or fails as it did. */
  boolean agrees(Answer answer) {
    if (json.has("error")) {
      boolean enough = failedByAccident()
          || answer.cells.size() == json.getAsJsonObject("error").get("before").getAsInt();
      return answer.error != null && enough;
    }
    return answer.error == null && answer.cells.equals(expected());
  }

  /** Whether Accumulo failed by a null pointer or the like. */
  boolean failedByAccident() {
    return json.has("error") && json.getAsJsonObject("error").has("accident");
  }

  /** What is wrong with an answer of ours, whatever Accumulo gave. */
  List<String> inconsistencies(Answer answer) throws IOException {
    List<String> problems = new ArrayList<>();
    if (answer.error instanceof NullPointerException
        || answer.error instanceof IndexOutOfBoundsException && !json.has("error")) {
      problems.add("failed by accident: " + answer.error);
    }
    for (int at = 1; at < answer.cells.size(); at++) {
      if (answer.cells.get(at - 1).key.compareTo(answer.cells.get(at).key) > 0) {
        problems.add("cells are out of order");
      }
    }
    if (answer.error == null && scope() == Scope.SCAN) {
      List<Cell> whole = distinct(answer.cells);
      List<Range> ranges = List.of(range());
      if (!whole.equals(distinct(stack().readCut(ranges)))) {
        problems.add("cut behind every cell: " + stack().readCut(ranges) + " instead of " + answer);
      }
      Stack loaded = stack().loaded();
      if (!answer.cells.equals(Told.withoutNotes(loaded.read(loaded.open(), ranges)))) {
        problems.add("loaded as a server does it differs");
      }
      if (!whole.equals(distinct(Told.withoutNotes(stack().loaded().readCut(ranges))))) {
        problems.add("loaded and cut it differs");
      }
    }
    return problems;
  }

  private Stack stack() {
    List<StageSpec> specs = new ArrayList<>();
    for (JsonObject item : items) {
      specs.add(AccumuloSettings.read(item.get("class").getAsString(), options(item)));
    }
    Set<Column> columns = new HashSet<>();
    if (json.has("columns")) {
      json.getAsJsonArray("columns").forEach(column -> columns.add(Cell.readColumn(column)));
    }
    Set<ByteSequence> families = new HashSet<>();
    json.getAsJsonArray("families").forEach(
        family -> families.add(new ArrayByteSequence(Json.bytes(family, "family"))));
    return new Stack(cells, columns, specs, context())
        .families(families, json.get("inclusive").getAsBoolean());
  }

  private StageContext context() {
    List<byte[]> tokens = new ArrayList<>();
    if (json.has("auths")) {
      json.getAsJsonArray("auths").forEach(token -> tokens.add(Json.bytes(token, "token")));
    }
    StageContext.Builder builder = StageContext.builder()
        .scope(scope())
        .now(json.has("now") ? json.get("now").getAsLong() : 0)
        .authorizations(tokens);
    if (json.has("default_visibility")) {
      builder.defaultVisibility(Json.bytes(json.get("default_visibility"), "label"));
    }
    return builder.build();
  }

  private Scope scope() {
    return SCOPES.get(json.get("scope").getAsString());
  }

  private Range range() {
    JsonElement given = json.get("range");
    return given.isJsonNull() ? new Range() : Cell.readRange(given.getAsJsonObject(), "si", "ei");
  }

  private List<Cell> expected() {
    List<Cell> expected = new ArrayList<>();
    for (JsonElement cell : json.getAsJsonArray("expected")) {
      expected.add(cell.isJsonArray() ? Cell.read(cell) : cells.get(cell.getAsInt()));
    }
    return expected;
  }

  private SortedKeyValueIterator<Key, Value> real(
      SortedKeyValueIterator<Key, Value> source, JsonObject item) throws IOException {
    try {
      Class<?> type = Class.forName(PREFIX + item.get("class").getAsString());
      @SuppressWarnings("unchecked")
      SortedKeyValueIterator<Key, Value> iterator =
          (SortedKeyValueIterator<Key, Value>) type.getDeclaredConstructor().newInstance();
      iterator.init(source, options(item), Loading.environment(scope()));
      return iterator;
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  private static Map<String, String> options(JsonObject item) {
    Map<String, String> options = new HashMap<>();
    item.getAsJsonObject("opts").entrySet().forEach(
        option -> options.put(option.getKey(), option.getValue().getAsString()));
    return options;
  }

  private static List<Cell> distinct(List<Cell> cells) {
    List<Cell> first = new ArrayList<>();
    for (Cell cell : cells) {
      if (first.isEmpty() || !first.get(first.size() - 1).key.equals(cell.key)) {
        first.add(cell);
      }
    }
    return first;
  }

  /** Cells, and an error where there was one behind them. */
  static final class Answer {
    final List<Cell> cells = new ArrayList<>();
    Exception error;

    @Override
    public String toString() {
      String shown = error instanceof LexigraphException ? error.getMessage() : "" + error;
      return cells + (error == null ? "" : " and " + shown);
    }
  }
}
