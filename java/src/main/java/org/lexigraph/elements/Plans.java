package org.lexigraph.elements;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Node;
import org.lexigraph.plan.Plan;
import org.lexigraph.stages.StageContext;

/** The key plans of a stack by name. */
final class Plans {

  private Plans() {}

  /** The plan that a stage names, compiled. */
  static Plan find(StageContext context, Node name) {
    JsonElement found = context.plans().get(name.text());
    if (found == null) {
      throw name.fail("there is no key plan '" + name.text() + "'; pass it in 'plans' of the scan or of the table, "
          + "or as 'as' of a roll-up below");
    }
    return Plan.parse(new Node(found, "plans." + name.text()));
  }

  /** Makes the plan of a stage's output known to the stages above; refuses a name that another plan has. */
  static void publish(StageContext context, String name, Plan plan) {
    JsonObject written = plan.toJson();
    JsonElement held = context.plans().get(name);
    if (held != null && !Plan.parse(new Node(held, "plans." + name)).toJson().equals(written)) {
      throw LexigraphException.invalidOption("roll-up calls the plan of its output '" + name
          + "', but a plan with that name already exists; choose another name for 'as'");
    }
    context.plans().add(name, written);
  }
}
