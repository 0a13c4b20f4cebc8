package org.lexigraph.elements;

import java.util.List;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;
import org.lexigraph.functions.Aggregate;
import org.lexigraph.functions.Aggregator;
import org.lexigraph.functions.Kind;
import org.lexigraph.functions.State;
import org.lexigraph.json.Node;
import org.lexigraph.plan.Element;
import org.lexigraph.plan.Plan;
import org.lexigraph.plan.PlanField;
import org.lexigraph.plan.PlanFields;

/** One figure of a summary: made of the states of a property, of the finished values of a field, or of elements. */
final class Measure {

  private final String name;
  private final Aggregator aggregator;
  /** Null where elements are counted. */
  private final PlanField field;
  /** Whether the field has states of this very aggregator. */
  private final boolean holdsStates;

  private final Slice state = new Slice();

  /** Reads <code>{"name", "aggregate", "field"}</code>. */
  Measure(Plan plan, Node node) {
    node.expect(List.of("name", "aggregate"), "field");
    name = node.member("name").name();
    Node asked = node.member("aggregate");
    Aggregate aggregate = asked.isText() ? Aggregate.named(asked) : Aggregate.parse(asked);
    Node given = node.unlessNull("field");
    if (aggregate.kind() == Kind.COUNT) {
      if (given != null) {
        throw given.fail("'count' takes no field");
      }
      aggregator = new Aggregator(aggregate, Codecs.INT);
      field = null;
      holdsStates = false;
      return;
    }
    if (given == null) {
      throw node.fail("'" + aggregate.kind().word() + "' needs a field");
    }
    PlanFields fields = plan.fields();
    Aggregate own = fields.aggregate(given.name());
    field = fields.locate(given.name());
    // A bare name means the property's own aggregator, with the options that it has.
    holdsStates = own != null && (asked.isText() ? own.kind() == aggregate.kind() : own.equals(aggregate));
    Codec result = fields.result(given.name());
    if (!holdsStates && result == null) {
      throw node.fail("the field holds a collection, which only its own aggregator summarises");
    }
    aggregator =
        holdsStates ? new Aggregator(own, fields.codec(given.name())) : new Aggregator(aggregate, result);
  }

  /** What its column is called. */
  String name() {
    return name;
  }

  /** A state of nothing. */
  State open() {
    return aggregator.open();
  }

  /** Merges what one element tells into the state that is held. */
  void add(Element element, State held) {
    if (field == null) {
      held.add(null, element.timestamp());
    } else if (!holdsStates) {
      Object value = field.value(element);
      if (value != null) {
        held.add(value, element.timestamp());
      }
    } else if (field.state(element, state)) {
      held.fold(state, element.timestamp());
    }
  }
}
