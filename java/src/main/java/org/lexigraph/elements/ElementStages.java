package org.lexigraph.elements;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Node;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageFactory;
import org.lexigraph.stages.StageSpec;

/** The stages that read elements: section 7 of <code>spec/scan.md</code>. */
public final class ElementStages {

  private ElementStages() {}

  /** Adds the element stages by name. */
  public static void register(Map<String, StageFactory> stages) {
    stages.put("filter", Filter::new);
    stages.put("aggregate", Aggregate::new);
    stages.put("roll-up", RollUp::new);
    stages.put("decode", Decode::new);
    stages.put("summarise", Summarise::new);
  }

  /** The options of a stage that names a plan and takes some others. */
  static Node options(StageSpec spec, String... optional) {
    Node node = new Node(spec.options(), "stage '" + spec.name() + "'");
    node.expect(List.of("plan"), optional);
    return node;
  }

  /** The options of a stage that gives cells which no longer fit their plan, and so stands at scan scope only. */
  static Node scanOptions(StageSpec spec, StageContext context, List<String> required, String... optional) {
    Node node = new Node(spec.options(), "stage '" + spec.name() + "'");
    node.expect(required, Arrays.copyOf(optional, optional.length));
    if (context.scope() != Scope.SCAN) {
      throw LexigraphException.invalidOption("stage '" + spec.name() + "' changes what cells mean and runs in scans "
          + "only; merge with 'aggregate' or 'filter', and put this stage into the scan");
    }
    return node;
  }
}
