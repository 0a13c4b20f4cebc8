package org.lexigraph.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.GarbageTest;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Vectors;
import org.lexigraph.json.Json;

/** Whatever bytes stand in a cell: they are InvalidBytes, or can be merged, written and finished. */
class GarbageStatesTest {

  private static final JsonObject SPEC = Vectors.read("functions.json");

  @Test
  void statesOfAggregators() {
    check("aggregators", 60);
  }

  @Test
  void sketchesWhoseHeadsLie() {
    check("sketches", 300);
  }

  private static void check(String section, int changes) {
    Random random = new Random(11);
    int read = 0;
    for (JsonElement element : SPEC.getAsJsonArray(section)) {
      JsonObject vector = element.getAsJsonObject();
      Aggregator aggregator = AggregatorVectorsTest.aggregator(vector);
      byte[] sound = Json.bytes(vector.get("state"), "state");
      for (int change = 0; change < changes; change++) {
        byte[] data = GarbageTest.changed(sound, random);
        try {
          State state = aggregator.open();
          state.fold(new Slice(data), 1);
          state.finish();
          Buffer out = new Buffer();
          state.write(out);
          state.fold(new Slice(out.toArray()), 2);
          state.finish();
          read++;
        } catch (LexigraphException error) {
          assertEquals("InvalidBytes", error.name(), () -> vector.get("name") + " " + Vectors.hex(data));
        }
      }
    }
    assertTrue(read > 500, read + " were read");
  }
}
