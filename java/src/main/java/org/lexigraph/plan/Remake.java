package org.lexigraph.plan;

import org.lexigraph.codec.Slice;
import org.lexigraph.functions.State;

/**
 * Values made anew while elements merge: a property whose own aggregator is asked for merges its states, every other
 * starts from the finished value and the time of its cell.
 */
public final class Remake {

  private final PlanField[] fields;
  /** For each property whether elements have states of this very aggregator. */
  private final boolean[] holdsStates;

  private final Slice state = new Slice();

  Remake(Plan plan, Group group, Group output) {
    int count = output.properties.size();
    fields = new PlanField[count];
    holdsStates = new boolean[count];
    for (int at = 0; at < count; at++) {
      Property property = output.properties.get(at);
      Property own = group.property(property.field);
      fields[at] = plan.fields(group.name).locate(property.field);
      holdsStates[at] = own != null && own.isSame(property);
    }
  }

  /** Merges what one element tells into the states that are held. */
  public void fold(Element element, State[] states) {
    for (int at = 0; at < fields.length; at++) {
      if (!holdsStates[at]) {
        Object value = fields[at].value(element);
        if (value != null) {
          states[at].add(value, element.timestamp());
        }
      } else if (fields[at].state(element, state)) {
        states[at].fold(state, element.timestamp());
      }
    }
  }
}
