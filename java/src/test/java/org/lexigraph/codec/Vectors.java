package org.lexigraph.codec;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Typed values and codecs as <code>spec/*.json</code> writes them: section 7 of the codec page. */
public final class Vectors {

  private static final BigInteger DAY = BigInteger.valueOf(86_400_000_000L);

  private Vectors() {}

  /** A file of the folder spec. */
  public static JsonObject read(String name) {
    try {
      Path path = Path.of(System.getProperty("lexigraph.spec"), name);
      return JsonParser.parseString(Files.readString(path)).getAsJsonObject();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** The bytes of hexadecimal digits. */
  public static byte[] unhex(String digits) {
    byte[] data = new byte[digits.length() / 2];
    for (int at = 0; at < data.length; at++) {
      data[at] = (byte) Integer.parseInt(digits.substring(2 * at, 2 * at + 2), 16);
    }
    return data;
  }

  /** The hexadecimal digits of bytes. */
  public static String hex(byte[] data) {
    StringBuilder digits = new StringBuilder();
    for (byte one : data) {
      digits.append(String.format("%02x", one));
    }
    return digits.toString();
  }

  /** A codec from its name or description. */
  static Codec codec(JsonElement described) {
    if (described.isJsonPrimitive()) {
      return Codecs.named(described.getAsString());
    }
    JsonObject composite = described.getAsJsonObject();
    if (composite.has("tuple")) {
      List<Codec> parts = new ArrayList<>();
      composite.getAsJsonArray("tuple").forEach(part -> parts.add(part(part.getAsJsonObject())));
      return new TupleCodec(parts);
    }
    return composite.has("list")
        ? new ListCodec(part(composite.getAsJsonObject("list")))
        : part(composite.getAsJsonObject("part"));
  }

  private static Codec part(JsonObject described) {
    JsonElement nulls = described.get("nulls");
    return Codecs.part(
        codec(described.get("codec")),
        described.get("desc").getAsBoolean(),
        nulls.isJsonNull() ? null : Nulls.valueOf(nulls.getAsString().toUpperCase(java.util.Locale.ROOT)));
  }

  /** A value with its type. */
  static Object value(JsonObject tagged) {
    String type = tagged.get("t").getAsString();
    switch (type) {
      case "null":
        return null;
      case "bool":
        return tagged.get("v").getAsBoolean();
      case "tuple":
        return new Tuple(items(tagged.getAsJsonArray("v")));
      case "list":
        return items(tagged.getAsJsonArray("v"));
      case "geo":
        return new GeoPoint(real(tagged, "lat"), real(tagged, "lon"));
      default:
        return scalar(type, tagged, tagged.get("v").getAsString());
    }
  }

  private static Object scalar(String type, JsonObject tagged, String text) {
    switch (type) {
      case "int":
        return IntCodec.plain(new BigInteger(text));
      case "int8":
        return new Sized(TypeBytes.INT8, Long.parseLong(text));
      case "int16":
        return new Sized(TypeBytes.INT16, Long.parseLong(text));
      case "int32":
        return new Sized(TypeBytes.INT32, Long.parseLong(text));
      case "int64":
        return new Sized(TypeBytes.INT64, Long.parseLong(text));
      case "bigint":
        return new Sized(TypeBytes.BIGINT, IntCodec.plain(new BigInteger(text)));
      case "float":
        return real(tagged, "v");
      case "float32":
        return new Sized(TypeBytes.FLOAT32, (double) Float.intBitsToFloat(Integer.parseUnsignedInt(text, 16)));
      case "decimal":
        return decimal(text);
      case "str":
        return text;
      case "bytes":
        return unhex(text);
      case "uuid":
        return new UUID(Long.parseUnsignedLong(text.substring(0, 16), 16), Long.parseUnsignedLong(text.substring(16), 16));
      case "ip":
        return new Ip(unhex(text));
      default:
        return moment(type, tagged, new BigInteger(text));
    }
  }

  private static Object moment(String type, JsonObject tagged, BigInteger number) {
    JsonElement given = tagged.get("offset");
    Long offset = given == null || given.isJsonNull() ? null : (Long) Long.parseLong(given.getAsString());
    switch (type) {
      case "date":
        return new Moment(TypeBytes.DATE, number.longValueExact(), null);
      case "time":
        return new Moment(TypeBytes.TIME, number.longValueExact(), offset);
      case "naive_datetime":
        return new Moment(TypeBytes.NAIVE_DATETIME, number.longValueExact(), null);
      case "datetime":
        return new Moment(TypeBytes.DATETIME, number.longValueExact(), offset);
      case "timedelta":
        BigInteger micros = number.mod(DAY);
        return new Timedelta(number.subtract(micros).divide(DAY).longValueExact(), micros.longValueExact());
      default:
        throw new AssertionError("no type of tagged values: " + type);
    }
  }

  private static Decimal decimal(String text) {
    switch (text) {
      case "inf":
        return Decimal.INFINITY;
      case "-inf":
        return Decimal.NEGATIVE_INFINITY;
      case "nan":
        return Decimal.NAN;
      default:
        String[] parts = text.split("E");
        boolean negative = text.startsWith("-");
        BigInteger digits = new BigInteger(negative ? parts[0].substring(1) : parts[0]);
        return Decimal.of(negative, digits, parts.length > 1 ? Long.parseLong(parts[1]) : 0);
    }
  }

  private static List<Object> items(JsonArray tagged) {
    List<Object> items = new ArrayList<>();
    tagged.forEach(item -> items.add(value(item.getAsJsonObject())));
    return items;
  }

  private static double real(JsonObject tagged, String name) {
    return Double.longBitsToDouble(Long.parseUnsignedLong(tagged.get(name).getAsString(), 16));
  }
}
