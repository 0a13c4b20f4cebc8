package org.lexigraph.stages;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.lexigraph.Extension;
import org.lexigraph.Extensions;
import org.lexigraph.LexigraphException;
import org.lexigraph.elements.ElementStages;

/** Stages by name: those of cells, those of elements, and those of users' own jars. */
public final class StageRegistry {

  private static final Map<String, StageFactory> STAGES = new TreeMap<>();

  static {
    CellStages.register(STAGES);
    ElementStages.register(STAGES);
    Extensions.addTo(STAGES, Extension::stages);
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
