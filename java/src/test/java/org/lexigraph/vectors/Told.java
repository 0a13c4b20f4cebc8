package org.lexigraph.vectors;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Json;

/** What a client makes of the cells by which a server tells counts and errors. */
public final class Told {

  private Told() {}

  /** The other cells; an error that was told is thrown. */
  public static List<Cell> withoutNotes(List<Cell> cells) {
    List<Cell> rest = new ArrayList<>();
    for (Cell cell : cells) {
      String family = cell.key.getColumnFamily().toString();
      if (family.startsWith("\0lexigraph error ")) {
        JsonObject told = json(cell);
        throw new LexigraphException(told.get("name").getAsString(), told.get("text").getAsString());
      }
      if (!family.startsWith("\0lexigraph counts ")) {
        rest.add(cell);
      }
    }
    return rest;
  }

  /** The JSON that such a cell holds. */
  public static JsonObject json(Cell cell) {
    return Json.parseObject(new String(cell.value, StandardCharsets.UTF_8), "note");
  }
}
