package org.lexigraph.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lexigraph.LexigraphException;

/** Every codec writes and reads the bytes of <code>spec/codec.json</code>, and refuses what it refuses. */
class CodecVectorsTest {

  private static final JsonObject SPEC = Vectors.read("codec.json");
  /** How ranges of keys and rows are built: whoever asks does it, no stage. */
  private static final Set<String> BUILT_BY_CLIENTS =
      Set.of("prefixes", "bounds", "shards", "buckets", "rows", "expansions");

  @Test
  void everySectionIsReadOrLeftToClients() {
    Set<String> read = Set.of("values", "orders", "refused_bytes", "refused_values");
    for (String section : SPEC.keySet()) {
      assertTrue(read.contains(section) || BUILT_BY_CLIENTS.contains(section), section);
    }
  }

  @TestFactory
  Stream<DynamicTest> valuesAreWrittenAndReadBack() {
    return each("values", vector -> vector.get("value").toString(), CodecVectorsTest::checkValue);
  }

  @TestFactory
  Stream<DynamicTest> keysAreInTheOrderOfValues() {
    return each("orders", vector -> "", (codec, vector) -> {
      byte[] before = null;
      JsonArray keys = vector.getAsJsonArray("keys");
      for (int at = 0; at < keys.size(); at++) {
        Object value = Vectors.value(vector.getAsJsonArray("values").get(at).getAsJsonObject());
        byte[] key = key(codec, value);
        assertEquals(keys.get(at).getAsString(), Vectors.hex(key));
        assertTrue(before == null || Arrays.compareUnsigned(before, key) < 0);
        before = key;
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> bytesThatNobodyWritesAreRefused() {
    return each("refused_bytes", vector -> vector.get("why") + " " + vector.get("bytes"), (codec, vector) -> {
      Slice data = new Slice(Vectors.unhex(vector.get("bytes").getAsString()));
      LexigraphException error = assertThrows(LexigraphException.class, () -> {
        switch (vector.get("form").getAsString()) {
          case "key":
            codec.readKey(data);
            break;
          case "part":
            ByteReader in = new ByteReader(data);
            codec.readPart(in);
            in.finish(codec.name());
            break;
          default:
            codec.readValue(data);
        }
      });
      assertEquals("InvalidBytes", error.name());
      if (vector.get("form").getAsString().equals("value")) {
        assertThrows(LexigraphException.class, () -> codec.checkValue(data));
      } else if (vector.get("form").getAsString().equals("key")) {
        assertThrows(LexigraphException.class, () -> codec.checkKey(data));
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> valuesThatCannotBeHeldAreRefused() {
    return each("refused_values", vector -> vector.get("why").toString(), (codec, vector) -> {
      Object value = Vectors.value(vector.getAsJsonObject("value"));
      LexigraphException error = assertThrows(LexigraphException.class, () -> key(codec, value));
      assertEquals("InvalidValue", error.name());
    });
  }

  private static void checkValue(Codec codec, JsonObject vector) {
    Object value = Vectors.value(vector.getAsJsonObject("value"));
    String stored = vector.get("stored").getAsString();
    assertEquals(vector.get("key").getAsString(), Vectors.hex(key(codec, value)));
    Buffer part = new Buffer();
    codec.writePart(value, part);
    assertEquals(vector.get("part").getAsString(), Vectors.hex(part.toArray()));
    assertEquals(stored, Vectors.hex(valueForm(codec, value)));
    Object back = codec.readValue(new Slice(Vectors.unhex(stored)));
    assertEquals(stored, Vectors.hex(valueForm(codec, back)));
    Object canonical = codec.readKey(new Slice(key(codec, value)));
    assertEquals(vector.get("key").getAsString(), Vectors.hex(key(codec, canonical)));
    if (vector.has("canonical")) {
      Object expected = Vectors.value(vector.getAsJsonObject("canonical"));
      assertEquals(Vectors.hex(valueForm(codec, expected)), Vectors.hex(valueForm(codec, canonical)));
    }
    checkPartWithin(codec, part.toArray());
    Buffer key = new Buffer();
    codec.keyOfValue(new Slice(Vectors.unhex(stored)), key);
    assertEquals(vector.get("key").getAsString(), Vectors.hex(key.toArray()));
    codec.checkKey(new Slice(key.toArray()));
    codec.checkValue(new Slice(Vectors.unhex(stored)));
  }

  /** A part ends where it ends, whatever comes before and after it. */
  private static void checkPartWithin(Codec codec, byte[] part) {
    byte[] longer = new byte[part.length + 2];
    Arrays.fill(longer, (byte) 0xff);
    System.arraycopy(part, 0, longer, 1, part.length);
    ByteReader in = new ByteReader();
    in.move(longer, 1, longer.length);
    Buffer again = new Buffer();
    codec.writePart(codec.readPart(in), again);
    assertEquals(part.length, in.position());
    assertEquals(Vectors.hex(part), Vectors.hex(again.toArray()));
  }

  private static byte[] key(Codec codec, Object value) {
    Buffer out = new Buffer();
    codec.writeKey(value, out);
    return out.toArray();
  }

  private static byte[] valueForm(Codec codec, Object value) {
    Buffer out = new Buffer();
    codec.writeValue(value, out);
    return out.toArray();
  }

  private static Stream<DynamicTest> each(
      String section, java.util.function.Function<JsonObject, String> name, BiConsumer<Codec, JsonObject> check) {
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonElement element : SPEC.getAsJsonArray(section)) {
      JsonObject vector = element.getAsJsonObject();
      String title = vector.get("codec") + " " + name.apply(vector);
      tests.add(DynamicTest.dynamicTest(title, () -> check.accept(Vectors.codec(vector.get("codec")), vector)));
    }
    assertTrue(tests.size() > 20, section);
    return tests.stream();
  }
}
