package org.lexigraph.vectors;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.accumulo.core.conf.ConfigurationTypeHelper;
import org.apache.accumulo.core.iteratorsImpl.conf.ColumnSet;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.accumulo.core.util.Pair;
import org.apache.hadoop.io.Text;
import org.lexigraph.json.Json;
import org.lexigraph.stages.StageSpec;

/** Iterator settings of an Accumulo table read into stages of ours. What Accumulo refuses throws something. */
final class AccumuloSettings {

  private static final Pattern ENCODER = Pattern.compile(
      "class:(?:org\\.apache\\.accumulo\\.core\\.iterators\\.)?(?:LongCombiner\\$|user\\.SummingArrayCombiner\\$)"
          + "(String|VarLen|FixedLen|VarLong|FixedLong)(?:Array)?Encoder");

  private final Map<String, String> given;
  private final JsonObject ours = new JsonObject();

  private AccumuloSettings(Map<String, String> given) {
    this.given = given;
  }

  static StageSpec read(String name, Map<String, String> options) {
    AccumuloSettings settings = new AccumuloSettings(options);
    return new StageSpec(settings.read(name), settings.ours);
  }

  private String read(String name) {
    switch (name) {
      case "user.VersioningIterator":
        int most = Integer.parseInt(given.getOrDefault("maxVersions", "1"));
        ours.add("max", most == Integer.MAX_VALUE ? JsonNull.INSTANCE : number(most));
        return "versions";
      case "user.TimestampFilter":
        time("start");
        time("end");
        flag("start_inclusive", "startInclusive", true);
        flag("end_inclusive", "endInclusive", true);
        return filter("time-range");
      case "user.AgeOffFilter":
        ours.addProperty("ttl", Long.parseLong(required("ttl")));
        if (given.containsKey("currentTime")) {
          ours.addProperty("now", Long.parseLong(given.get("currentTime")));
        }
        return filter("age-off");
      case "user.ColumnAgeOffFilter":
        columnTtls();
        return filter("column-age-off");
      case "user.RegExFilter":
        text("row", "rowRegex");
        text("family", "colfRegex");
        text("qualifier", "colqRegex");
        text("value", "valueRegex");
        flag("any", "orFields", false);
        flag("substring", "matchSubstring", false);
        ours.addProperty("encoding", Charset.forName(given.getOrDefault("encoding", "UTF-8")).name());
        return filter("regex");
      case "user.GrepIterator":
        grep();
        return filter("grep");
      case "user.ColumnSliceFilter":
        text("start", "startBound");
        text("end", "endBound");
        flag("start_inclusive", "startInclusive", true);
        flag("end_inclusive", "endInclusive", false);
        return filter("qualifier-slice");
      case "user.CfCqSliceFilter":
        return slice(false);
      case "user.CfCqSliceSeekingFilter":
        return slice(true);
      case "user.WholeRowIterator":
        if (given.containsKey("maxBufferSize")) {
          String size = given.get("maxBufferSize");
          ours.addProperty("max_bytes", ConfigurationTypeHelper.getFixedMemoryAsBytes(size));
        }
        return "whole-row";
      case "user.WholeColumnFamilyIterator":
        return "whole-family";
      case "FirstEntryInRowIterator":
        Integer.parseInt(given.getOrDefault("scansBeforeSeek", "10"));
        return "first-in-row";
      case "user.RowDeletingIterator":
        return "row-delete";
      case "user.LargeRowFilter":
        ours.addProperty("max_columns", Math.max(0, Integer.parseInt(required("max_columns"))));
        return "large-row";
      case "user.VisibilityFilter":
        JsonArray tokens = new JsonArray();
        String auths = given.getOrDefault("auths", "");
        new Authorizations(auths.getBytes(StandardCharsets.UTF_8)).forEach(
            token -> tokens.add(Json.fromBytes(token)));
        ours.add("authorizations", tokens);
        flag("filter_invalid", "filterInvalid", false);
        return filter("visibility");
      case "user.ReqVisFilter":
        return filter("labelled");
      case "user.IntersectingIterator":
        terms();
        return "intersect";
      case "user.IndexedDocIterator":
        terms();
        bytes("index_family", "indexFamily");
        bytes("document_family", "docFamily");
        return "intersect-documents";
      default:
        return combiner(name);
    }
  }

  private String combiner(String name) {
    if (!Boolean.parseBoolean(given.get("all"))) {
      JsonArray columns = new JsonArray();
      if (required("columns").isEmpty()) {
        throw new IllegalArgumentException("the list of columns is empty");
      }
      for (String column : required("columns").split(",", -1)) {
        Pair<Text, Text> read = column(column);
        JsonArray one = new JsonArray();
        one.add(bytes(read.getFirst()));
        if (read.getSecond() != null) {
          one.add(bytes(read.getSecond()));
        }
        columns.add(one);
      }
      ours.add("columns", columns);
    }
    flag("lossy", "lossy", false);
    flag("full_merge_only", "reduceOnFullCompactionOnly", false);
    switch (name) {
      case "user.BigDecimalCombiner$BigDecimalSummingCombiner":
        return "decimal-sum";
      case "user.BigDecimalCombiner$BigDecimalMinCombiner":
        return "decimal-min";
      case "user.BigDecimalCombiner$BigDecimalMaxCombiner":
        return "decimal-max";
      case "user.SummingCombiner":
        return counter("sum");
      case "user.MinCombiner":
        return counter("min");
      case "user.MaxCombiner":
        return counter("max");
      case "user.SummingArrayCombiner":
        return counter("sum-array");
      default:
        throw new IllegalArgumentException("no stage for " + name);
    }
  }

  private String counter(String stage) {
    String type = required("type");
    Matcher encoder = ENCODER.matcher(type);
    if (encoder.matches()) {
      char first = encoder.group(1).charAt(0);
      type = first == 'S' ? "STRING" : first == 'V' ? "VARLEN" : "FIXEDLEN";
    }
    String encoding = Map.of("VARLEN", "varlen", "FIXEDLEN", "fixed", "STRING", "text").get(type);
    if (encoding == null) {
      throw new IllegalArgumentException("no encoding " + type);
    }
    ours.addProperty("encoding", encoding);
    return stage;
  }

  private String slice(boolean seek) {
    for (String field : new String[] {"family", "qualifier"}) {
      String theirs = field.equals("family") ? "Cf" : "Cq";
      if (!given.getOrDefault("min" + theirs, "").isEmpty()) {
        bytes("min_" + field, "min" + theirs);
      }
      if (!given.getOrDefault("max" + theirs, "").isEmpty()) {
        bytes("max_" + field, "max" + theirs);
      }
    }
    for (String end : new String[] {"min", "max"}) {
      String inclusive = given.getOrDefault(end + "Inclusive", "");
      ours.addProperty(end + "_inclusive", inclusive.isEmpty() || Boolean.parseBoolean(inclusive));
    }
    ours.addProperty("seek", seek);
    return filter("column-slice");
  }

  private void grep() {
    Map<String, String> names = Map.of(
        "row", "matchRow", "family", "matchColumnFamily", "qualifier", "matchColumnQualifier",
        "visibility", "matchColumnVisibility", "value", "matchValue");
    JsonArray fields = new JsonArray();
    names.forEach((field, theirs) -> {
      String usual = Boolean.toString(!field.equals("visibility"));
      if (Boolean.parseBoolean(given.getOrDefault(theirs, usual))) {
        fields.add(field);
      }
    });
    ours.add("fields", fields);
    ours.add("term", Json.fromBytes(required("term").getBytes(StandardCharsets.UTF_8)));
  }

  private void columnTtls() {
    JsonArray ttls = new JsonArray();
    given.forEach((column, ttl) -> {
      if (column.equals("negate") && ttl.toLowerCase(Locale.ROOT).matches("true|false")) {
        return;
      }
      Pair<Text, Text> read = column(column);
      JsonObject one = new JsonObject();
      one.add("family", bytes(read.getFirst()));
      if (read.getSecond() != null) {
        one.add("qualifier", bytes(read.getSecond()));
      }
      one.addProperty("ttl", Long.parseLong(ttl));
      ttls.add(one);
    });
    ours.add("ttls", ttls);
  }

  private void terms() {
    String[] terms = required("columnFamilies").split("\n");
    byte[] flags = given.containsKey("notFlag")
        ? Base64.getDecoder().decode(given.get("notFlag"))
        : new byte[terms.length];
    JsonArray wanted = new JsonArray();
    JsonArray negated = new JsonArray();
    for (int at = 0; at < terms.length; at++) {
      JsonElement term = Json.fromBytes(Base64.getDecoder().decode(terms[at]));
      (flags[at] == 1 ? negated : wanted).add(term);
    }
    ours.add("terms", wanted);
    ours.add("negated", negated);
  }

  private void time(String name) {
    String text = given.get(name);
    if (text == null) {
      return;
    }
    if (text.startsWith("LONG")) {
      ours.addProperty(name, Long.parseLong(text.substring(4)));
      return;
    }
    SimpleDateFormat format = new SimpleDateFormat("yyyyMMddHHmmssz", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("GMT"));
    try {
      ours.addProperty(name, format.parse(text).getTime());
    } catch (ParseException error) {
      throw new IllegalArgumentException(error);
    }
  }

  private String required(String name) {
    if (!given.containsKey(name)) {
      throw new IllegalArgumentException("the option " + name + " is missing");
    }
    return given.get(name);
  }

  private String filter(String stage) {
    flag("negate", "negate", false);
    return stage;
  }

  private void flag(String name, String theirs, boolean otherwise) {
    boolean value = given.containsKey(theirs) ? Boolean.parseBoolean(given.get(theirs)) : otherwise;
    ours.addProperty(name, value);
  }

  private void text(String name, String theirs) {
    ours.addProperty(name, given.get(theirs));
  }

  private void bytes(String name, String theirs) {
    if (given.containsKey(theirs)) {
      ours.add(name, Json.fromBytes(given.get(theirs).getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static Pair<Text, Text> column(String text) {
    Pair<Text, Text> read = ColumnSet.decodeColumns(text);
    boolean whole = read.getSecond() == null || read.getSecond().getLength() == 0;
    return whole ? new Pair<>(read.getFirst(), null) : read;
  }

  private static JsonElement bytes(Text text) {
    return Json.fromBytes(text.copyBytes());
  }

  private static JsonElement number(int number) {
    return Json.parse(Integer.toString(number), "number");
  }
}
