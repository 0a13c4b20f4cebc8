package org.lexigraph.bridge;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.accumulo.core.client.IteratorSetting;

/** Iterators of a scan, from JSON: a list of objects with priority, name, class and options. */
final class Iterators {
  private Iterators() {}

  static List<IteratorSetting> read(String json) {
    JsonArray listed = JsonParser.parseString(json).getAsJsonArray();
    List<IteratorSetting> settings = new ArrayList<>();
    for (JsonElement item : listed) {
      JsonObject one = item.getAsJsonObject();
      IteratorSetting setting =
          new IteratorSetting(
              one.get("priority").getAsInt(),
              one.get("name").getAsString(),
              one.get("class").getAsString());
      for (Map.Entry<String, JsonElement> option : one.getAsJsonObject("options").entrySet()) {
        setting.addOption(option.getKey(), option.getValue().getAsString());
      }
      settings.add(setting);
    }
    return settings;
  }
}
