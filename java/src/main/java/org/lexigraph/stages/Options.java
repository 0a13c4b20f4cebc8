package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidOption;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.lexigraph.json.Json;

/**
 * The options of one stage, each read by its name. {@link #done} refuses those that nobody asked for. Options that may
 * be left out take null for that, unless they have another default.
 */
public final class Options {

  private final String owner;
  private final JsonObject given;
  private final Set<String> known = new LinkedHashSet<>();

  /** The options of a stage. */
  public Options(StageSpec spec) {
    this("stage '" + spec.name() + "'", spec.options());
  }

  /** The fields of an object; <code>owner</code> says in errors whose they are. */
  public Options(String owner, JsonObject given) {
    this.owner = owner;
    this.given = given;
  }

  /** Refuses options that were given and not read. */
  public void done() {
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        String all = known.isEmpty() ? "none" : String.join(", ", known);
        throw invalidOption(owner + " has no option '" + name + "'; it has " + all);
      }
    }
  }

  /** An option that may be left out or null: null then. */
  public JsonElement optional(String name) {
    known.add(name);
    JsonElement value = given.get(name);
    return value == null || value.isJsonNull() ? null : value;
  }

  /** An option that must be given. */
  public JsonElement required(String name) {
    known.add(name);
    JsonElement value = given.get(name);
    if (value == null) {
      throw invalidOption(owner + " needs the option '" + name + "'");
    }
    return value;
  }

  /** An option with a default: null where it is left out, refused where it is null. */
  public JsonElement defaulted(String name) {
    known.add(name);
    JsonElement value = given.get(name);
    if (value != null && value.isJsonNull()) {
      throw invalidOption(what(name) + " must not be null");
    }
    return value;
  }

  /** How errors call an option. */
  public String what(String name) {
    return "option '" + name + "' of " + owner;
  }

  /** A flag. */
  public boolean flag(String name, boolean otherwise) {
    JsonElement value = defaulted(name);
    return value == null ? otherwise : Json.flag(value, what(name));
  }

  /** What every filter takes: keep what it would drop, drop what it would keep. */
  public boolean negate() {
    return flag("negate", false);
  }

  /** A number of 64 bits that must be given. */
  public long number(String name) {
    return Json.integer(required(name), what(name));
  }

  /** A number in bounds that must be given. */
  public long number(String name, long least, long most) {
    return bounded(number(name), name, least, most);
  }

  /** A number of 64 bits, or none. */
  public OptionalLong optionalNumber(String name) {
    JsonElement value = optional(name);
    return value == null ? OptionalLong.empty() : OptionalLong.of(Json.integer(value, what(name)));
  }

  /** A number in bounds, or none. */
  public OptionalLong optionalNumber(String name, long least, long most) {
    OptionalLong value = optionalNumber(name);
    value.ifPresent(number -> bounded(number, name, least, most));
    return value;
  }

  /** Bytes that must be given. */
  public byte[] bytes(String name) {
    return Json.bytes(required(name), what(name));
  }

  /** Bytes with a default. */
  public byte[] bytes(String name, byte[] otherwise) {
    JsonElement value = defaulted(name);
    return value == null ? otherwise : Json.bytes(value, what(name));
  }

  /** Bytes, or null. */
  public byte[] optionalBytes(String name) {
    JsonElement value = optional(name);
    return value == null ? null : Json.bytes(value, what(name));
  }

  /** Text, or null. */
  public String optionalText(String name) {
    JsonElement value = optional(name);
    return value == null ? null : Json.text(value, what(name));
  }

  /** One of a few words; <code>otherwise</code> is null where it must be given. */
  public String choice(String name, String otherwise, List<String> words) {
    JsonElement value = otherwise == null ? required(name) : defaulted(name);
    return value == null ? otherwise : word(value, what(name), words);
  }

  /** A list of some of a few words, with a default. */
  public List<String> choices(String name, List<String> otherwise, List<String> words) {
    JsonElement value = defaulted(name);
    if (value == null) {
      return otherwise;
    }
    List<String> chosen = new ArrayList<>();
    for (JsonElement item : items(value, name, 0)) {
      chosen.add(word(item, "an entry of " + what(name), words));
    }
    return chosen;
  }

  /** A list of byte strings; null is no list where <code>least</code> is 0: then it is empty. */
  public List<byte[]> byteStrings(String name, int least) {
    JsonElement value = least > 0 ? required(name) : defaulted(name);
    List<byte[]> read = new ArrayList<>();
    if (value != null) {
      for (JsonElement item : items(value, name, least)) {
        read.add(Json.bytes(item, "an entry of " + what(name)));
      }
    }
    return read;
  }

  /** The items of a list. */
  public List<JsonElement> items(JsonElement value, String name, int least) {
    if (!value.isJsonArray() || value.getAsJsonArray().size() < least) {
      String size = least > 0 ? " of at least " + least : "";
      throw invalidOption(what(name) + " is a list" + size + ", not " + Json.show(value));
    }
    List<JsonElement> read = new ArrayList<>();
    value.getAsJsonArray().forEach(read::add);
    return read;
  }

  private long bounded(long value, String name, long least, long most) {
    if (value < least || value > most) {
      throw invalidOption(what(name) + " is from " + least + " to " + most + ", not " + value);
    }
    return value;
  }

  private static String word(JsonElement value, String what, List<String> words) {
    String word = Json.text(value, what);
    if (!words.contains(word)) {
      throw invalidOption(what + " is one of " + String.join(", ", words) + ", not '" + word + "'");
    }
    return word;
  }
}
