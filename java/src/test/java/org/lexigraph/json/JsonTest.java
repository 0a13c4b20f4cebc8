package org.lexigraph.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lexigraph.LexigraphException;

/** JSON is read strictly: one form for each value, and nothing that is not asked for. */
class JsonTest {

  private static JsonElement parse(String text) {
    return Json.parse(text, "it");
  }

  private static void refuse(Runnable reading) {
    LexigraphException error = assertThrows(LexigraphException.class, reading::run);
    assertEquals("InvalidOption", error.name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{} {}", "1 2", "[1", "{a: 1}", "'a'", "NaN", "nul"})
  void whatIsNoJsonIsRefused(String text) {
    refuse(() -> parse(text));
  }

  @Test
  void bytesHaveOneForm() {
    for (byte[] bytes : new byte[][] {{}, {'a', ' ', '~'}, {0}, {'a', (byte) 0xff}, {0x7f}}) {
      assertArrayEquals(bytes, Json.bytes(Json.fromBytes(bytes), "it"));
    }
    assertEquals("{\"hex\":\"00ff\"}", Json.fromBytes(new byte[] {0, -1}).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "\"\\n\"", "\"\u00e9\"", "5", "null", "[]", "{}", "{\"hex\": \"0\"}", "{\"hex\": \"FF\"}",
    "{\"hex\": \"0 0\"}", "{\"hex\": 5}", "{\"hex\": \"00\", \"more\": 1}"})
  void otherFormsOfBytesAreRefused(String text) {
    refuse(() -> Json.bytes(parse(text), "it"));
  }

  @Test
  void integersReachToBothEnds() {
    assertEquals(Long.MAX_VALUE, Json.integer(parse("9223372036854775807"), "it"));
    assertEquals(Long.MIN_VALUE, Json.integer(parse("-9223372036854775808"), "it"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "1.0", "1e3", "true", "\"1\"", "null", "[1]"})
  void otherNumbersAreRefused(String text) {
    refuse(() -> Json.integer(parse(text), "it"));
  }
}
