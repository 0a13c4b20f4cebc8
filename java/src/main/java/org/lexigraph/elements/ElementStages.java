package org.lexigraph.elements;

import java.util.Map;
import org.lexigraph.stages.StageFactory;

/** The stages that read elements: section 7 of <code>spec/scan.md</code>. */
public final class ElementStages {

  private ElementStages() {}

  /** Adds the element stages by name. */
  public static void register(Map<String, StageFactory> stages) {
  }
}
