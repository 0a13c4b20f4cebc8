package org.lexigraph.stages;

import java.util.Map;

/** The stages that know cells only: section 4 of <code>spec/scan.md</code>. */
final class CellStages {

  private CellStages() {}

  static void register(Map<String, StageFactory> stages) {
  }
}
