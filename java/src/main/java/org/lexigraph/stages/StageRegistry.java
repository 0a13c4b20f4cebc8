package org.lexigraph.stages;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.lexigraph.LexigraphException;
import org.lexigraph.elements.ElementStages;

/** Stages by name: those of cells and those of elements. */
public final class StageRegistry {

  private static final Map<String, StageFactory> STAGES = new TreeMap<>();

  static {
    CellStages.register(STAGES);
    ElementStages.register(STAGES);
  }

  private StageRegistry() {}

  /** The factory of the stage of that name; InvalidOption where there is none. */
  public static StageFactory stage(String name) {
    StageFactory factory = STAGES.get(name);
    if (factory == null) {
      throw LexigraphException.invalidOption(
          "there is no stage '" + name + "' in this jar; it has " + String.join(", ", STAGES.keySet()));
    }
    return factory;
  }

  /** Every name, sorted. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(STAGES.keySet());
  }
}
