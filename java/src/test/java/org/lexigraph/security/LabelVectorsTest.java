package org.lexigraph.security;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Vectors;

/** Labels have the normal forms of <code>spec/visibility.json</code>. */
class LabelVectorsTest {

  private static final JsonObject SPEC = Vectors.read("visibility.json");

  @TestFactory
  Stream<DynamicTest> oneLabelHasOneForm() {
    return each("forms", vector -> {
      byte[] normal = bytes(vector.get("normal"));
      assertArrayEquals(normal, Label.conjunction(List.of(bytes(vector.get("expr")))));
      assertArrayEquals(normal, Label.conjunction(List.of(normal)));
    });
  }

  @TestFactory
  Stream<DynamicTest> labelsAreJoined() {
    return each("conjunction", vector -> {
      List<byte[]> labels = new ArrayList<>();
      vector.getAsJsonArray("labels").forEach(label -> labels.add(bytes(label)));
      assertArrayEquals(bytes(vector.get("joined")), Label.conjunction(labels));
    });
  }

  @TestFactory
  Stream<DynamicTest> brokenLabelsAreRefused() {
    return each("broken", vector -> {
      byte[] label = bytes(vector.get("expr"));
      LexigraphException error =
          assertThrows(LexigraphException.class, () -> Label.conjunction(List.of(label)));
      assertEquals("InvalidVisibility", error.name());
    });
  }

  @Test
  void aLabelThatNestsDeeperThanTheStackIsAnErrorOfOurs() {
    StringBuilder label = new StringBuilder("a");
    for (int depth = 0; depth < 20_000; depth++) {
      label.insert(0, '(').append(depth % 2 == 0 ? "&b" : "|c").append(')');
    }
    byte[] deep = label.toString().getBytes(StandardCharsets.US_ASCII);
    try {
      assertTrue(Label.conjunction(List.of(deep)).length > 0);
    } catch (LexigraphException error) {
      assertEquals("InvalidVisibility", error.name());
    }
  }

  private static byte[] bytes(JsonElement given) {
    return given.isJsonPrimitive()
        ? given.getAsString().getBytes(StandardCharsets.UTF_8)
        : Vectors.unhex(given.getAsJsonObject().get("hex").getAsString());
  }

  private static Stream<DynamicTest> each(String section, Consumer<JsonObject> check) {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonElement element : SPEC.getAsJsonArray(section)) {
      tests.add(DynamicTest.dynamicTest(element.toString(), () -> check.accept(element.getAsJsonObject())));
    }
    assertTrue(tests.size() > 5, section);
    return tests.stream();
  }
}
