package org.lexigraph.vectors;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.accumulo.core.data.Column;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.json.Json;

/** A cell, and the JSON forms of cells, keys, ranges and columns. */
public final class Cell {

  /** The key. */
  public final Key key;

  /** The value's bytes. */
  public final byte[] value;

  /** A copy of a key and a value. */
  public Cell(Key key, Value value) {
    this.key = new Key(key);
    this.value = Arrays.copyOf(value.get(), value.getSize());
  }

  /** Reads a cell: a key with a value as its seventh entry. */
  public static Cell read(JsonElement json) {
    return new Cell(readKey(json), new Value(Json.bytes(json.getAsJsonArray().get(6), "value")));
  }

  /** Reads cells. */
  public static List<Cell> readAll(JsonElement json) {
    List<Cell> cells = new ArrayList<>();
    json.getAsJsonArray().forEach(cell -> cells.add(read(cell)));
    return cells;
  }

  /** Reads a key; null where there is none. */
  public static Key readKey(JsonElement json) {
    if (json == null || json.isJsonNull()) {
      return null;
    }
    JsonArray parts = json.getAsJsonArray();
    byte[][] bytes = new byte[4][];
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = Json.bytes(parts.get(at), "key part");
    }
    long time = Json.integer(parts.get(4), "timestamp");
    boolean deleted = parts.get(5).getAsInt() == 1;
    return new Key(bytes[0], bytes[1], bytes[2], bytes[3], time, deleted, true);
  }

  /** Reads a range whose inclusive bounds are named so. */
  public static Range readRange(JsonObject json, String startInclusive, String endInclusive) {
    return new Range(
        readKey(json.get("start")),
        !json.has(startInclusive) || json.get(startInclusive).getAsBoolean(),
        readKey(json.get("end")),
        !json.has(endInclusive) || json.get(endInclusive).getAsBoolean());
  }

  /** Reads a column: family, and maybe a qualifier. */
  public static Column readColumn(JsonElement json) {
    JsonArray parts = json.getAsJsonArray();
    byte[] qualifier = parts.size() > 1 ? Json.bytes(parts.get(1), "qualifier") : null;
    return new Column(Json.bytes(parts.get(0), "family"), qualifier, null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cell
        && key.equals(((Cell) other).key)
        && Arrays.equals(value, ((Cell) other).value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, Arrays.hashCode(value));
  }

  @Override
  public String toString() {
    return key + (key.isDeleted() ? " deleted " : " ") + Json.fromBytes(value);
  }
}
