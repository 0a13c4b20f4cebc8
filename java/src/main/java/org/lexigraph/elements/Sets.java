package org.lexigraph.elements;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lexigraph.functions.KeySet;
import org.lexigraph.json.Node;

/** The sets that a scan brings along, their byte strings in base64. */
final class Sets {

  private Sets() {}

  /** Reads <code>{"keys": [bytes, ...]}</code> or <code>{"bits": bytes}</code> for each name. */
  static Map<String, KeySet> read(Map<String, JsonObject> given) {
    Map<String, KeySet> sets = new HashMap<>();
    given.forEach((name, set) -> sets.put(name, read(new Node(set, "sets." + name))));
    return sets;
  }

  private static KeySet read(Node node) {
    if (node.optional("bits") != null) {
      node.expect(List.of("bits"));
      return KeySet.filter(bytes(node.member("bits")));
    }
    node.expect(List.of("keys"));
    List<byte[]> keys = new ArrayList<>();
    JsonElement list = node.member("keys").value();
    if (!list.isJsonArray()) {
      throw node.fail("the keys of a set are a list");
    }
    // Without a path for each key: a set may have millions.
    for (JsonElement key : list.getAsJsonArray()) {
      keys.add(bytes(new Node(key, "a key of a set")));
    }
    return KeySet.of(keys);
  }

  private static byte[] bytes(Node node) {
    try {
      return Base64.getDecoder().decode(node.text());
    } catch (IllegalArgumentException error) {
      throw node.fail("the bytes of a set are in base64");
    }
  }
}
