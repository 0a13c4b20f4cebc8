package org.lexigraph.functions;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Vectors;
import org.lexigraph.json.Node;

/** Aggregators and predicates are those of <code>spec/catalogue.json</code> that it marks as Java's. */
class FunctionCatalogueTest {

  private static final JsonObject CATALOGUE = Vectors.read("catalogue.json");
  private static final JsonPrimitive WRONG = new JsonPrimitive(1.5);

  @Test
  void aggregatorsHaveTheNamesOfTheCatalogue() {
    Set<String> found = new TreeSet<>();
    for (Kind kind : Kind.values()) {
      if (kind != Kind.FAITHFUL) {
        found.add(kind.word());
      }
    }
    Set<String> expected = new TreeSet<>();
    CATALOGUE.getAsJsonObject("aggregators").entrySet().stream()
        .filter(entry -> isJava(entry.getValue())).forEach(entry -> expected.add(entry.getKey()));
    assertEquals(expected, found);
  }

  @TestFactory
  Stream<DynamicTest> optionsHaveTheBoundsAndDefaultsOfTheCatalogue() {
    return each("aggregators", (name, entry) -> {
      refused(aggregate(name, "surprise", new JsonPrimitive(1)));
      entry.getAsJsonObject("options").entrySet().forEach(option -> checkOption(name, option));
    });
  }

  private static void checkOption(String name, Map.Entry<String, JsonElement> option) {
    JsonObject schema = option.getValue().getAsJsonObject();
    JsonObject plain = new JsonObject();
    plain.addProperty("name", name);
    assertEquals(plain, Aggregate.parse(aggregate(name, option.getKey(), schema.get("default"))).toJson());
    refused(aggregate(name, option.getKey(), new JsonArray()));
    if (schema.has("minimum")) {
      long least = schema.get("minimum").getAsLong();
      long most = schema.get("maximum").getAsLong();
      taken(aggregate(name, option.getKey(), new JsonPrimitive(least)));
      taken(aggregate(name, option.getKey(), new JsonPrimitive(most)));
      refused(aggregate(name, option.getKey(), new JsonPrimitive(least - 1)));
      refused(aggregate(name, option.getKey(), new JsonPrimitive(most + 1)));
      if (schema.has("powerOfTwo")) {
        refused(aggregate(name, option.getKey(), new JsonPrimitive(least + 1)));
      }
    }
    if (schema.has("enum")) {
      schema.getAsJsonArray("enum").forEach(word -> taken(aggregate(name, option.getKey(), word)));
      refused(aggregate(name, option.getKey(), new JsonPrimitive("surprise")));
    }
  }

  @TestFactory
  Stream<DynamicTest> codecsAndResultsAreThoseOfTheCatalogue() {
    return each("aggregators", (name, entry) -> {
      JsonObject plain = new JsonObject();
      plain.addProperty("name", name);
      Aggregate aggregate = Aggregate.parse(new Node(plain, "aggregate"));
      for (JsonElement one : CATALOGUE.getAsJsonArray("codecs")) {
        Codec codec = Codecs.named(one.getAsString());
        if (!worksOver(entry.get("codecs"), one)) {
          assertThrows(LexigraphException.class, () -> new Aggregator(aggregate, codec), one.getAsString());
          continue;
        }
        Aggregator bound = new Aggregator(aggregate, codec);
        String result = entry.get("result").getAsString();
        assertEquals(result.equals("map"), bound.isMap());
        assertEquals(expectedResult(result, codec), bound.result());
      }
    });
  }

  private static boolean worksOver(JsonElement codecs, JsonElement codec) {
    if (codecs.isJsonArray()) {
      return codecs.getAsJsonArray().contains(codec);
    }
    return codecs.isJsonPrimitive() || !codecs.getAsJsonObject().getAsJsonArray("except").contains(codec);
  }

  private static Codec expectedResult(String result, Codec codec) {
    switch (result) {
      case "same":
        return codec;
      case "float":
        return Codecs.FLOAT;
      case "count":
        return Codecs.INT;
      default:
        return null;
    }
  }

  @TestFactory
  Stream<DynamicTest> predicatesHaveTheMembersOfTheCatalogue() {
    return each("predicates", (op, entry) -> entry.getAsJsonArray("forms").forEach(form -> {
      JsonObject whole = new JsonObject();
      whole.addProperty("op", op);
      Set<Map.Entry<String, JsonElement>> members = form.getAsJsonObject().entrySet();
      members.forEach(member -> whole.add(member.getKey(), sample(member.getValue().getAsJsonObject())));
      assertDoesNotThrow(() -> parse(whole));
      for (Map.Entry<String, JsonElement> member : members) {
        JsonObject without = whole.deepCopy();
        without.remove(member.getKey());
        if (member.getValue().getAsJsonObject().has("default")) {
          assertDoesNotThrow(() -> parse(without));
        } else {
          assertThrows(LexigraphException.class, () -> parse(without), member.getKey());
        }
        JsonObject wrong = whole.deepCopy();
        wrong.add(member.getKey(), WRONG);
        assertThrows(LexigraphException.class, () -> parse(wrong), member.getKey());
      }
      whole.addProperty("surprise", 1);
      assertThrows(LexigraphException.class, () -> parse(whole));
    }));
  }

  private static JsonElement sample(JsonObject schema) {
    if (schema.has("enum")) {
      return schema.getAsJsonArray("enum").get(0);
    }
    if (schema.has("$ref") && schema.get("$ref").getAsString().endsWith("/predicate")) {
      JsonObject exists = new JsonObject();
      exists.addProperty("op", "exists");
      exists.addProperty("field", "a");
      return exists;
    }
    switch (schema.has("type") ? schema.get("type").getAsString() : "string") {
      case "integer":
        return schema.get("minimum");
      case "boolean":
        return new JsonPrimitive(true);
      case "array":
        JsonArray items = new JsonArray();
        items.add(sample(schema.getAsJsonObject("items")));
        return items;
      default:
        return new JsonPrimitive("a");
    }
  }

  private static void parse(JsonObject written) {
    KeySet empty = KeySet.of(List.of());
    new Predicates<Object>(Map.of("a", empty), OptionalLong.of(0)).parse(new Node(written, "where"));
  }

  private static Node aggregate(String name, String option, JsonElement value) {
    JsonObject written = new JsonObject();
    written.addProperty("name", name);
    written.add(option, value);
    return new Node(written, "aggregate");
  }

  private static void taken(Node aggregate) {
    assertDoesNotThrow(() -> Aggregate.parse(aggregate));
  }

  private static void refused(Node aggregate) {
    assertThrows(LexigraphException.class, () -> Aggregate.parse(aggregate), aggregate.value().toString());
  }

  private static boolean isJava(JsonElement entry) {
    return entry.getAsJsonObject().get("java").getAsBoolean();
  }

  private static Stream<DynamicTest> each(String section, BiConsumer<String, JsonObject> check) {
    return CATALOGUE.getAsJsonObject(section).entrySet().stream()
        .filter(entry -> isJava(entry.getValue()))
        .map(entry -> DynamicTest.dynamicTest(
            entry.getKey(), () -> check.accept(entry.getKey(), entry.getValue().getAsJsonObject())));
  }
}
