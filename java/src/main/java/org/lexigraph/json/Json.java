package org.lexigraph.json;

import static org.lexigraph.LexigraphException.invalidOption;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Reads JSON strictly; what is wrong is InvalidOption and names what it was meant to be. */
public final class Json {

  private static final TypeAdapter<JsonElement> READER = new Gson().getAdapter(JsonElement.class);
  private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);
  private static final int SHOWN = 80;

  private Json() {}

  /** The value that <code>text</code> spells. */
  public static JsonElement parse(String text, String what) {
    try {
      JsonReader reader = new JsonReader(new StringReader(text));
      JsonElement value = READER.read(reader);
      if (reader.peek() == JsonToken.END_DOCUMENT) {
        return value;
      }
    } catch (IOException | JsonParseException | NumberFormatException error) {
      throw invalidOption(what + " is not JSON: " + error.getMessage());
    }
    throw invalidOption(what + " is not JSON: there is more after its end");
  }

  /** The object that <code>text</code> spells. */
  public static JsonObject parseObject(String text, String what) {
    return object(parse(text, what), what);
  }

  /** A value that is an object. */
  public static JsonObject object(JsonElement value, String what) {
    if (!value.isJsonObject()) {
      throw invalidOption(what + " is an object, not " + show(value));
    }
    return value.getAsJsonObject();
  }

  /** Bytes: text of 20 to 7e, or <code>{"hex": "00ff"}</code>. */
  public static byte[] bytes(JsonElement value, String what) {
    if (isText(value)) {
      String text = value.getAsString();
      if (text.chars().allMatch(unit -> unit >= 0x20 && unit <= 0x7e)) {
        return text.getBytes(StandardCharsets.US_ASCII);
      }
    } else if (value.isJsonObject() && value.getAsJsonObject().size() == 1) {
      JsonElement digits = value.getAsJsonObject().get("hex");
      byte[] read = digits != null && isText(digits) ? unhex(digits.getAsString()) : null;
      if (read != null) {
        return read;
      }
    }
    throw invalidOption(what + " must be printable ASCII text or {'hex': '..'}, not " + show(value));
  }

  /** Bytes in the form that {@link #bytes} reads. */
  public static JsonElement fromBytes(byte[] data) {
    for (byte one : data) {
      if (one < 0x20 || one > 0x7e) {
        JsonObject object = new JsonObject();
        object.addProperty("hex", hex(data));
        return object;
      }
    }
    return new JsonPrimitive(new String(data, StandardCharsets.US_ASCII));
  }

  /** A whole number of 64 bits. */
  public static long integer(JsonElement value, String what) {
    if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber()) {
      String text = value.getAsString();
      if (text.length() <= 20 && text.matches("-?[0-9]+")) {
        BigInteger number = new BigInteger(text);
        if (number.compareTo(MIN_LONG) >= 0 && number.compareTo(MAX_LONG) <= 0) {
          return number.longValue();
        }
      }
    }
    throw invalidOption(what + " is a whole number of 64 bits, not " + show(value));
  }

  /** True or false. */
  public static boolean flag(JsonElement value, String what) {
    if (!value.isJsonPrimitive() || !value.getAsJsonPrimitive().isBoolean()) {
      throw invalidOption(what + " is true or false, not " + show(value));
    }
    return value.getAsBoolean();
  }

  /** Text. */
  public static String text(JsonElement value, String what) {
    if (!isText(value)) {
      throw invalidOption(what + " is text, not " + show(value));
    }
    return value.getAsString();
  }

  /** A value for a message: short. */
  public static String show(JsonElement value) {
    String text = value.toString();
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 3) + "...";
  }

  /** Bytes as lower-case hexadecimal digits. */
  public static String hex(byte[] data) {
    StringBuilder digits = new StringBuilder(data.length * 2);
    for (byte one : data) {
      digits.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
    }
    return digits.toString();
  }

  private static boolean isText(JsonElement value) {
    return value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
  }

  // Not all that could be read: blanks and capitals would be a second form of the same bytes.
  private static byte[] unhex(String digits) {
    if (digits.length() % 2 != 0) {
      return null;
    }
    byte[] data = new byte[digits.length() / 2];
    for (int at = 0; at < digits.length(); at++) {
      int place = "0123456789abcdef".indexOf(digits.charAt(at));
      if (place < 0) {
        return null;
      }
      data[at / 2] = (byte) (data[at / 2] << 4 | place);
    }
    return data;
  }
}
