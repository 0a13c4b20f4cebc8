package org.lexigraph.json;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lexigraph.LexigraphException;

/** A JSON value and the path to it: every error says where. Unknown and missing members are refused. */
public final class Node {

  private final JsonElement value;
  private final String path;

  /** Names a value by its path. */
  public Node(JsonElement value, String path) {
    this.value = value;
    this.path = path;
  }

  /** The value itself. */
  public JsonElement value() {
    return value;
  }

  /** An InvalidOption that says where. */
  public LexigraphException fail(String why) {
    return LexigraphException.invalidOption(path + ": " + why);
  }

  /** Refuses members other than these, and the lack of required ones. */
  public void expect(List<String> required, String... optional) {
    JsonObject object = object();
    for (String name : object.keySet()) {
      if (!required.contains(name) && !Arrays.asList(optional).contains(name)) {
        List<String> known = new ArrayList<>(required);
        known.addAll(Arrays.asList(optional));
        throw fail("there is no member '" + name + "'; available: " + String.join(", ", known));
      }
    }
    for (String name : required) {
      if (!object.has(name)) {
        throw fail("the member '" + name + "' is missing");
      }
    }
  }

  /** A member that must be there. */
  public Node member(String name) {
    Node found = optional(name);
    if (found == null) {
      throw fail("the member '" + name + "' is missing");
    }
    return found;
  }

  /** A member; null where it is not there. */
  public Node optional(String name) {
    JsonElement found = object().get(name);
    return found == null ? null : new Node(found, path + "." + name);
  }

  /** A member; null where it is not there or is null. */
  public Node unlessNull(String name) {
    Node found = optional(name);
    return found == null || found.value.isJsonNull() ? null : found;
  }

  /** All members in their order. */
  public Map<String, Node> members() {
    Map<String, Node> found = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> member : object().entrySet()) {
      found.put(member.getKey(), new Node(member.getValue(), path + "." + member.getKey()));
    }
    return found;
  }

  /** The items of a list. */
  public List<Node> items() {
    if (!value.isJsonArray()) {
      throw fail("a list is needed, not " + Json.show(value));
    }
    List<Node> items = new ArrayList<>();
    for (JsonElement item : value.getAsJsonArray()) {
      items.add(new Node(item, path + "[" + items.size() + "]"));
    }
    return items;
  }

  /** Whether it is a text. */
  public boolean isText() {
    return value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
  }

  /** A text, also an empty one. */
  public String text() {
    return Json.text(value, path);
  }

  /** A text that is not empty. */
  public String name() {
    if (!isText() || value.getAsString().isEmpty()) {
      throw fail("a name is needed, not " + Json.show(value));
    }
    return value.getAsString();
  }

  /** The texts of a list. */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (Node item : items()) {
      texts.add(item.text());
    }
    return texts;
  }

  /** True or false. */
  public boolean flag() {
    return Json.flag(value, path);
  }

  /** An integer of 64 bits. */
  public long integer() {
    return Json.integer(value, path);
  }

  /** An integer within bounds. */
  public long integer(long lowest, long highest) {
    long number = integer();
    if (number < lowest || number > highest) {
      throw fail("an integer from " + lowest + " to " + highest + " is needed, not " + number);
    }
    return number;
  }

  /** One of several words, each with what it stands for. */
  public <T> T choice(Map<String, T> choices) {
    T found = isText() ? choices.get(value.getAsString()) : null;
    if (found == null) {
      throw fail("one of " + String.join(", ", choices.keySet()) + " is needed, not " + Json.show(value));
    }
    return found;
  }

  /** Bytes. */
  public byte[] bytes() {
    return Json.bytes(value, path);
  }

  private JsonObject object() {
    if (!value.isJsonObject()) {
      throw fail("an object is needed, not " + Json.show(value));
    }
    return value.getAsJsonObject();
  }
}
