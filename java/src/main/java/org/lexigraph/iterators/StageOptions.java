package org.lexigraph.iterators;

import static org.lexigraph.LexigraphException.invalidOption;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Json;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/** The options of a {@link StageIterator}, as section 1 of <code>docs/formats/accumulo.md</code> names them. */
final class StageOptions {

  /** The form of the options that this jar reads. */
  static final String VERSION = "1";

  /** Every option and what it is, in the order of the document. */
  static final Map<String, String> NAMED = new LinkedHashMap<>();

  static {
    NAMED.put("version", "the form of these options: " + VERSION);
    NAMED.put("stage", "the stage's name");
    NAMED.put("options", "the stage's options, JSON");
    NAMED.put("plans", "key plans by name, JSON");
    NAMED.put("sets", "sets of keys by name, JSON, bytes in base64");
    NAMED.put("now", "the clock in the table's unit; without it the server's");
    NAMED.put("unit", "the table's unit of time: micros, millis or logical");
    NAMED.put("default_visibility", "the table's label for cells without one, JSON");
    NAMED.put("authorizations", "the reader's authorizations, JSON: a list, or \"ALL\"");
    NAMED.put("full_only", "true: flushes and partial compactions pass cells on unchanged");
    NAMED.put("counts", "a name of the scan under which cells are counted; topmost only");
    NAMED.put("errors", "a name of the scan under which an error is given as a last cell; topmost only");
  }

  private final Map<String, String> given;

  StageOptions(Map<String, String> given) {
    this.given = given;
    for (String name : given.keySet()) {
      if (!NAMED.containsKey(name)) {
        throw invalidOption("a stage iterator has no option '" + name + "'; it has "
            + String.join(", ", NAMED.keySet()));
      }
    }
    if (!VERSION.equals(given.get("version"))) {
      throw new LexigraphException("FormatVersion", "this jar reads version " + VERSION
          + " of the options of a stage iterator, not " + given.get("version"));
    }
  }

  /** The stage. */
  StageSpec spec() {
    String name = given.get("stage");
    if (name == null) {
      throw invalidOption("a stage iterator needs the option 'stage'");
    }
    return new StageSpec(name, object("options"));
  }

  /** The same with another time. */
  StageOptions at(String now) {
    Map<String, String> changed = new HashMap<>(given);
    changed.put("now", now);
    return new StageOptions(changed);
  }

  /** What the stage may know in an environment; null is that of a client's scan. */
  StageContext context(IteratorEnvironment environment) {
    StageContext.Builder builder = StageContext.builder()
        .scope(environment == null ? Scope.SCAN : scope(environment))
        .plans(object("plans"))
        .sets(sets())
        .authorizations(authorizations())
        .fullOnly(flag("full_only"))
        .environment(environment);
    readClock(builder);
    if (given.containsKey("default_visibility")) {
      builder.defaultVisibility(bytes(parse("default_visibility"), "default_visibility"));
    }
    return builder.build();
  }

  /** The name under which cells are counted, or null. */
  String counts() {
    return given.get("counts");
  }

  /** The name under which errors are told, or null. */
  String errors() {
    return given.get("errors");
  }

  /** A flag: true, false or left out. */
  boolean flag(String name) {
    String value = given.getOrDefault(name, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw invalidOption("the option '" + name + "' is true or false, not '" + value + "'");
    }
    return value.equals("true");
  }

  private static Scope scope(IteratorEnvironment environment) {
    switch (environment.getIteratorScope()) {
      case scan:
        return Scope.SCAN;
      case minc:
        return Scope.FLUSH;
      default:
        return environment.isFullMajorCompaction() ? Scope.FULL : Scope.MERGE;
    }
  }

  private void readClock(StageContext.Builder builder) {
    String unit = given.getOrDefault("unit", "micros");
    builder.unit(unit);
    if (given.containsKey("now")) {
      builder.now(Json.integer(parse("now"), "the option 'now'"));
      return;
    }
    switch (unit) {
      case "micros":
        builder.now(System.currentTimeMillis() * 1000);
        break;
      case "millis":
        builder.now(System.currentTimeMillis());
        break;
      case "logical":
        // Nothing tells the time there.
        break;
      default:
        throw invalidOption("the option 'unit' is micros, millis or logical, not '" + unit + "'");
    }
  }

  private List<byte[]> authorizations() {
    JsonElement value = given.containsKey("authorizations") ? parse("authorizations") : null;
    if (value == null || value.isJsonPrimitive() && value.getAsString().equals("ALL")) {
      return null;
    }
    if (!value.isJsonArray()) {
      throw invalidOption("the option 'authorizations' is a list or \"ALL\", not " + Json.show(value));
    }
    List<byte[]> tokens = new ArrayList<>();
    value.getAsJsonArray().forEach(token -> tokens.add(bytes(token, "authorizations")));
    return tokens;
  }

  private Map<String, JsonObject> sets() {
    Map<String, JsonObject> sets = new HashMap<>();
    object("sets").entrySet().forEach(
        set -> sets.put(set.getKey(), Json.object(set.getValue(), "the set '" + set.getKey() + "'")));
    return sets;
  }

  private JsonObject object(String name) {
    return given.containsKey(name)
        ? Json.object(parse(name), "the option '" + name + "'")
        : new JsonObject();
  }

  private JsonElement parse(String name) {
    return Json.parse(given.get(name), "the option '" + name + "'");
  }

  private static byte[] bytes(JsonElement value, String name) {
    return Json.bytes(value, "the option '" + name + "'");
  }
}
