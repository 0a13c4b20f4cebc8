package org.lexigraph.vectors;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.accumulo.core.data.Column;
import org.apache.accumulo.core.data.Range;
import org.lexigraph.json.Json;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/** One vector of <code>spec/stages</code>: cells in, a scan, cells or an error out. */
final class StageCase {

  /** The folder of the specification. */
  static final Path SPEC = Path.of(System.getProperty("lexigraph.spec"));

  private static final Set<String> WHOLE_SCAN = Set.of("limit", "summarise");
  private static final Map<String, Integer> PLACES = Map.of(
      "versions", 20, "aggregate", 40, "filter", 50, "roll-up", 60, "decode", 80, "summarise", 90);

  final String name;
  final Scope scope;
  final List<Cell> expected;
  final String error;

  private final JsonObject json;
  private final JsonObject spec;
  private final JsonObject plans;

  private StageCase(JsonObject json, JsonObject plans) {
    this.json = json;
    // Of its own: a roll-up adds the plan of its output for the stages above it.
    this.plans = plans.deepCopy();
    this.name = json.get("name").getAsString();
    this.spec = json.getAsJsonObject("spec");
    if (spec.has("plans")) {
      spec.getAsJsonObject("plans").entrySet().forEach(one -> this.plans.add(one.getKey(), one.getValue()));
    }
    String named = json.has("scope") ? json.get("scope").getAsString() : "scan";
    this.scope = Scope.valueOf(named.toUpperCase(Locale.ROOT));
    this.expected = json.has("expected") ? Cell.readAll(json.get("expected")) : null;
    this.error = json.has("error") ? json.get("error").getAsString() : null;
  }

  /** The cases of one file. */
  static List<StageCase> load(Path file) throws IOException {
    JsonObject content = Json.parseObject(Files.readString(file), file.toString());
    JsonObject plans = new JsonObject();
    if (content.has("plans")) {
      for (Map.Entry<String, JsonElement> plan : content.getAsJsonObject("plans").entrySet()) {
        plans.add(plan.getKey(), plan.getValue().isJsonPrimitive()
            ? Json.parse(Files.readString(
                SPEC.resolve("plans").resolve(plan.getValue().getAsString() + ".json")), "plan")
            : plan.getValue());
      }
    }
    List<StageCase> cases = new ArrayList<>();
    content.getAsJsonArray("cases").forEach(
        one -> cases.add(new StageCase(one.getAsJsonObject(), plans)));
    return cases;
  }

  /** The ranges of the scan, sorted and merged. */
  List<Range> ranges() {
    if (!spec.has("ranges")) {
      return List.of(new Range());
    }
    List<Range> ranges = new ArrayList<>();
    spec.getAsJsonArray("ranges").forEach(range -> ranges.add(
        Cell.readRange(range.getAsJsonObject(), "start_inclusive", "end_inclusive")));
    return Range.mergeOverlapping(ranges);
  }

  /** Whether the scan is of the whole table, range by range. */
  boolean isOfWholeTable() {
    return !spec.has("ranges") && split() == stages().size();
  }

  /** The stages up to the first that sees a whole scan, on the cells of the case. */
  Stack stack() {
    return new Stack(cells(), columns(), stages().subList(0, split()), context());
  }

  /** The other stages, on what those below gave. */
  Stack upper(List<Cell> below) {
    List<StageSpec> stages = stages();
    // As if written the other way round: of equal keys the later comes first.
    List<Cell> written = new ArrayList<>(below);
    Collections.reverse(written);
    return new Stack(written, Set.of(), stages.subList(split(), stages.size()), context(null));
  }

  /** The cells of the table, in the order in which they were written. */
  List<Cell> cells() {
    return Cell.readAll(json.get("cells"));
  }

  private List<StageSpec> stages() {
    List<JsonObject> stages = new ArrayList<>();
    spec.getAsJsonArray("stages").forEach(stage -> stages.add(stage.getAsJsonObject()));
    stages.sort(Comparator.comparingInt(StageCase::priority));
    List<StageSpec> specs = new ArrayList<>();
    for (JsonObject stage : stages) {
      JsonObject options = stage.has("options") ? stage.getAsJsonObject("options") : new JsonObject();
      specs.add(new StageSpec(stage.get("name").getAsString(), options));
    }
    return specs;
  }

  private static int priority(JsonObject stage) {
    JsonElement given = stage.get("priority");
    return given != null && !given.isJsonNull()
        ? given.getAsInt()
        : PLACES.getOrDefault(stage.get("name").getAsString(), 50);
  }

  private int split() {
    List<StageSpec> stages = stages();
    int place = 0;
    while (place < stages.size() && !WHOLE_SCAN.contains(stages.get(place).name())) {
      place++;
    }
    return place;
  }

  private Set<Column> columns() {
    Set<Column> columns = new HashSet<>();
    if (spec.has("columns")) {
      spec.getAsJsonArray("columns").forEach(column -> columns.add(Cell.readColumn(column)));
    }
    return columns;
  }

  private StageContext context() {
    JsonElement given = spec.get("authorizations");
    if (given != null && given.isJsonPrimitive()) {
      return context(null);
    }
    List<byte[]> authorizations = new ArrayList<>();
    if (given != null) {
      given.getAsJsonArray().forEach(token -> authorizations.add(Json.bytes(token, "token")));
    }
    return context(authorizations);
  }

  private StageContext context(List<byte[]> authorizations) {
    StageContext.Builder builder = StageContext.builder()
        .scope(scope)
        .now(spec.has("now") ? spec.get("now").getAsLong() : 0)
        .plans(plans)
        .sets(sets())
        .authorizations(authorizations);
    if (spec.has("default_visibility")) {
      builder.defaultVisibility(Json.bytes(spec.get("default_visibility"), "label"));
    }
    return builder.build();
  }

  private Map<String, JsonObject> sets() {
    Map<String, JsonObject> sets = new HashMap<>();
    if (spec.has("sets")) {
      spec.getAsJsonObject("sets").entrySet().forEach(
          set -> sets.put(set.getKey(), inBase64(set.getValue().getAsJsonObject())));
    }
    return sets;
  }

  private static JsonObject inBase64(JsonObject set) {
    JsonObject encoded = new JsonObject();
    if (set.has("bits")) {
      encoded.addProperty("bits", base64(set.get("bits")));
    }
    if (set.has("keys")) {
      JsonArray keys = new JsonArray();
      set.getAsJsonArray("keys").forEach(key -> keys.add(base64(key)));
      encoded.add("keys", keys);
    }
    return encoded;
  }

  private static String base64(JsonElement bytes) {
    return Base64.getEncoder().encodeToString(Json.bytes(bytes, "set"));
  }
}
