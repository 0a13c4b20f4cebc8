package org.lexigraph.stages;

import com.google.gson.JsonObject;

/** One stage as data: its name and its options, in their JSON form. */
public final class StageSpec {

  private final String name;
  private final JsonObject options;

  /** A stage of that name; the options are not copied and must not change. */
  public StageSpec(String name, JsonObject options) {
    this.name = name;
    this.options = options;
  }

  /** The name, as in <code>spec/scan.md</code>. */
  public String name() {
    return name;
  }

  /** The options, as they stand in a spec. */
  public JsonObject options() {
    return options;
  }
}
