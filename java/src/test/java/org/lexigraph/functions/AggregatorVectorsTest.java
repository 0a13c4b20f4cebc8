package org.lexigraph.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Vectors;
import org.lexigraph.json.Json;
import org.lexigraph.json.Node;

/** Aggregators give the states and results of <code>spec/functions.json</code>, and refuse what it refuses. */
class AggregatorVectorsTest {

  private static final JsonObject SPEC = Vectors.read("functions.json");

  @TestFactory
  Stream<DynamicTest> inputsInAnyOrderGiveTheState() {
    return each("aggregators", vector -> {
      Aggregator aggregator = aggregator(vector);
      List<JsonElement> inputs = new ArrayList<>(vector.getAsJsonArray("inputs").asList());
      for (int turn = 0; turn < Math.max(1, inputs.size()); turn++) {
        Collections.rotate(inputs, 1);
        check(vector, added(aggregator, inputs));
        check(vector, folded(aggregator, inputs));
        int middle = inputs.size() / 2;
        State both = folded(aggregator, inputs.subList(0, middle));
        if (middle > 0) {
          fold(both, folded(aggregator, inputs.subList(middle, inputs.size())), 0);
          check(vector, both);
        }
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> sketchesOfOtherLanguagesAreReadAndFinishAlike() {
    return each("sketches", vector -> {
      Aggregator aggregator = aggregator(vector);
      State state = aggregator.open();
      state.fold(new Slice(bytes(vector, "state")), 0);
      String expected = Vectors.hex(bytes(vector, "finished"));
      assertEquals(expected, Vectors.hex(any(state.finish())));
      State again = aggregator.open();
      fold(again, state, 0);
      assertEquals(expected, Vectors.hex(any(again.finish())));
      assertEquals(expected, Vectors.hex(any(aggregator.finish(new Slice(bytes(vector, "state"))))));
    });
  }

  @TestFactory
  Stream<DynamicTest> bytesThatAreNoStateAreRefused() {
    return each("refused_states", vector -> {
      State state = aggregator(vector).open();
      Slice data = new Slice(bytes(vector, "state"));
      assertEquals("InvalidBytes", assertThrows(LexigraphException.class, () -> state.fold(data, 0)).name());
    });
  }

  @TestFactory
  Stream<DynamicTest> codecsThatDoNotFitAreRefused() {
    return each("refused_codecs", AggregatorVectorsTest::checkRefused);
  }

  @TestFactory
  Stream<DynamicTest> optionsThatDoNotFitAreRefused() {
    return each("refused_options", AggregatorVectorsTest::checkRefused);
  }

  private static void checkRefused(JsonObject vector) {
    assertEquals("InvalidOption", assertThrows(LexigraphException.class, () -> aggregator(vector)).name());
  }

  private static void check(JsonObject vector, State state) {
    assertEquals(Vectors.hex(bytes(vector, "state")), Vectors.hex(written(state)));
    assertEquals(Vectors.hex(bytes(vector, "finished")), Vectors.hex(any(state.finish())));
    Slice data = new Slice(written(state));
    assertEquals(Vectors.hex(bytes(vector, "finished")), Vectors.hex(any(aggregator(vector).finish(data))));
    state.reset();
    assertFalse(state.isPresent());
  }

  private static State added(Aggregator aggregator, List<JsonElement> inputs) {
    State state = aggregator.open();
    inputs.forEach(input -> add(aggregator.codec(), state, input.getAsJsonObject()));
    return state;
  }

  private static State folded(Aggregator aggregator, List<JsonElement> inputs) {
    State state = aggregator.open();
    for (JsonElement input : inputs) {
      State one = aggregator.open();
      add(aggregator.codec(), one, input.getAsJsonObject());
      fold(state, one, input.getAsJsonObject().get("timestamp").getAsLong());
    }
    return state;
  }

  private static void add(Codec codec, State state, JsonObject input) {
    state.add(codec.readValue(new Slice(bytes(input, "value"))), input.get("timestamp").getAsLong());
  }

  private static void fold(State into, State state, long timestamp) {
    into.fold(new Slice(written(state)), timestamp);
  }

  private static byte[] written(State state) {
    Buffer out = new Buffer();
    state.write(out);
    return out.toArray();
  }

  private static byte[] any(Object value) {
    Buffer out = new Buffer();
    Codecs.ANY.writeValue(value, out);
    return out.toArray();
  }

  private static byte[] bytes(JsonObject vector, String name) {
    return Json.bytes(vector.get(name), name);
  }

  private static Aggregator aggregator(JsonObject vector) {
    JsonObject asked = vector.has("options") ? vector.getAsJsonObject("options").deepCopy() : new JsonObject();
    asked.add("name", vector.get("aggregator"));
    Aggregate aggregate = Aggregate.parse(new Node(asked, "aggregate"));
    return new Aggregator(aggregate, Codecs.named(vector.get("codec").getAsString()));
  }

  private static Stream<DynamicTest> each(String section, Consumer<JsonObject> check) {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonElement element : SPEC.getAsJsonArray(section)) {
      JsonObject vector = element.getAsJsonObject();
      JsonElement name = vector.has("name") ? vector.get("name") : vector.get("why");
      String title = vector.get("aggregator") + " over " + vector.get("codec") + ": " + name;
      tests.add(DynamicTest.dynamicTest(title, () -> check.accept(vector)));
    }
    assertTrue(tests.size() > 5, section);
    return tests.stream();
  }
}
