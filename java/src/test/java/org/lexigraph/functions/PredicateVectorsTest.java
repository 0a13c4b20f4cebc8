package org.lexigraph.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Vectors;
import org.lexigraph.json.Json;
import org.lexigraph.json.Node;

/** Predicates answer as <code>spec/functions.json</code> says. */
class PredicateVectorsTest {

  private static final JsonObject SPEC = Vectors.read("functions.json");

  @Test
  void everySectionIsRead() {
    assertEquals(
        Set.of("comment", "aggregators", "sketches", "refused_states", "refused_codecs", "refused_options",
            "predicates", "value_predicates", "refused_fields", "refused_predicates"),
        SPEC.keySet());
  }

  @TestFactory
  Stream<DynamicTest> keyFormsAreCompared() {
    return each("predicates", vector -> {
      JsonObject fields = new JsonObject();
      for (Map.Entry<String, JsonElement> field : vector.getAsJsonObject("fields").entrySet()) {
        JsonObject held = new JsonObject();
        held.addProperty("codec", "bytes");
        held.add("state", field.getValue());
        fields.add(field.getKey(), held);
      }
      assertEquals(vector.get("expected").getAsBoolean(), answer(new Held(fields, true), vector));
    });
  }

  @TestFactory
  Stream<DynamicTest> valuesAreLookedInto() {
    return each("value_predicates", vector -> {
      Held fields = new Held(vector.getAsJsonObject("fields"), false);
      if (vector.has("absent")) {
        fields.absent = vector.getAsJsonObject("absent");
      }
      assertEquals(vector.get("expected").getAsBoolean(), answer(fields, vector));
    });
  }

  @TestFactory
  Stream<DynamicTest> fieldsThatDoNotFitAreRefused() {
    return each("refused_fields", vector ->
        checkRefused(new Held(vector.getAsJsonObject("fields"), false), vector));
  }

  @TestFactory
  Stream<DynamicTest> whatIsNoPredicateIsRefused() {
    return each("refused_predicates", vector -> checkRefused(new Held(new JsonObject(), true), vector));
  }

  @Test
  void setsAreLookedUpByName() {
    JsonObject state = new JsonObject();
    state.addProperty("codec", "str");
    state.addProperty("state", "ann");
    JsonObject fields = new JsonObject();
    fields.add("name", state);
    Node where = new Node(Json.parse("{'op': 'in', 'field': 'name', 'set': 'people'}".replace('\'', '"'), "where"), "where");
    KeySet keys = KeySet.of(List.of("bob".getBytes(), "ann".getBytes(), "".getBytes()));
    Held held = new Held(fields, false);
    assertTrue(new Predicates<>(held, Map.of("people", keys), OptionalLong.empty()).parse(where).holds(held));
    KeySet none = KeySet.filter(new byte[8]);
    assertTrue(!new Predicates<>(held, Map.of("people", none), OptionalLong.empty()).parse(where).holds(held));
    assertThrows(LexigraphException.class, () -> new Predicates<>(held, Map.of(), OptionalLong.empty()).parse(where));
    assertThrows(LexigraphException.class, () -> KeySet.filter(new byte[9]));
  }

  private static boolean answer(Held fields, JsonObject vector) {
    long now = vector.has("now") ? vector.get("now").getAsLong() : 0;
    return new Predicates<>(fields, Map.of(), OptionalLong.of(now)).parse(new Node(vector.get("where"), "where")).holds(fields);
  }

  private static void checkRefused(Held fields, JsonObject vector) {
    LexigraphException error = assertThrows(LexigraphException.class, () -> answer(fields, vector));
    assertEquals("InvalidOption", error.name());
  }

  private static Stream<DynamicTest> each(String section, Consumer<JsonObject> check) {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonElement element : SPEC.getAsJsonArray(section)) {
      JsonObject vector = element.getAsJsonObject();
      String title = (vector.has("name") ? vector.get("name") : vector.get("why")).getAsString();
      tests.add(DynamicTest.dynamicTest(title, () -> check.accept(vector)));
    }
    assertTrue(tests.size() > 5, section);
    return tests.stream();
  }

  /** An element that is its own table of fields. */
  private static final class Held implements Fields<Held> {
    private final JsonObject fields;
    /** Whether names that are not there are absent fields, instead of none at all. */
    private final boolean lenient;
    private JsonObject absent = new JsonObject();

    Held(JsonObject fields, boolean lenient) {
      this.fields = fields;
      this.lenient = lenient;
    }

    private Aggregator aggregator(String name) {
      if (absent.has(name)) {
        return new Aggregator(Aggregate.of(Kind.FAITHFUL), Codecs.named(absent.get(name).getAsString()));
      }
      JsonObject held = fields.getAsJsonObject(name);
      if (held == null && lenient) {
        return new Aggregator(Aggregate.of(Kind.FAITHFUL), Codecs.BYTES);
      }
      Aggregate aggregate = held.has("aggregate")
          ? Aggregate.parse(new Node(held.get("aggregate"), "aggregate"))
          : Aggregate.of(Kind.FAITHFUL);
      return new Aggregator(aggregate, Codecs.named(held.get("codec").getAsString()));
    }

    private Slice state(String name) {
      JsonObject held = fields.getAsJsonObject(name);
      return held == null ? null : new Slice(Json.bytes(held.get("state"), "state"));
    }

    @Override
    public Field<Held> keyOf(String name) {
      if (result(name) == null) {
        throw LexigraphException.invalidOption("a collection cannot be compared");
      }
      return find(name);
    }

    @Override
    public Field<Held> find(String name) {
      return new Field<>() {
        @Override
        public boolean key(Held element, Slice out, Buffer scratch) {
          Slice state = element.state(name);
          return state != null && element.aggregator(name).key(state, out, scratch);
        }

        @Override
        public Object value(Held element) {
          Slice state = element.state(name);
          return state == null ? null : element.aggregator(name).finish(state);
        }

        @Override
        public boolean has(Held element) {
          Slice state = element.state(name);
          return state != null && !element.aggregator(name).isNull(state);
        }
      };
    }

    @Override
    public Codec codec(String name) {
      return aggregator(name).codec();
    }

    @Override
    public Codec result(String name) {
      return aggregator(name).result();
    }

    @Override
    public boolean isMap(String name) {
      return aggregator(name).isMap();
    }
  }
}
