package org.lexigraph.plan;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.ByteReader;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Varint;
import org.lexigraph.functions.Aggregator;
import org.lexigraph.functions.State;

/** How the values of one group are cut, merged and written. Reading accepts only what writing gives. */
public final class ValuePlan {

  private static final int FORMAT_VERSION = 1;

  private final ValueForm form;
  private final long[] ids;
  private final String[] names;
  private final Aggregator[] aggregators;

  ValuePlan(Group group) {
    form = group.form;
    int count = group.properties.size();
    ids = new long[count];
    names = new String[count];
    aggregators = new Aggregator[count];
    for (int at = 0; at < count; at++) {
      ids[at] = group.properties.get(at).id;
      names[at] = group.properties.get(at).field;
      aggregators[at] = group.properties.get(at).aggregator();
    }
  }

  /** How many properties there are. */
  int size() {
    return ids.length;
  }

  /** The aggregator of a property. */
  Aggregator aggregator(int property) {
    return aggregators[property];
  }

  /** States of nothing, one for each property. */
  public State[] open() {
    State[] states = new State[aggregators.length];
    for (int at = 0; at < states.length; at++) {
      states[at] = aggregators[at].open();
    }
    return states;
  }

  /** Finds where the states are. What is in them is read when somebody asks. */
  void read(Slice value, Spans spans, ByteReader in) {
    spans.start(value);
    if (form == ValueForm.SINGLE) {
      spans.set(0, value.from(), value.to());
    } else if (form == ValueForm.TAGGED) {
      readTagged(value, spans, in);
    }
  }

  private void readTagged(Slice value, Spans spans, ByteReader in) {
    if (value.isEmpty()) {
      // Written before its group had any property.
      return;
    }
    if (value.at(0) != FORMAT_VERSION) {
      throw LexigraphException.invalidBytes("a tagged value starts with the byte 01");
    }
    in.move(value.data(), value.from() + 1, value.to());
    Slice state = new Slice();
    int at = 0;
    while (!in.isAtEnd()) {
      long id = Varint.read(in);
      // Both the plan's ids and the value's ascend: one walk over each.
      while (at < ids.length && ids[at] < id) {
        at++;
      }
      if (at == ids.length || ids[at] != id) {
        throw LexigraphException.invalidBytes(
            "the plan has no property with the id " + id + ", or the ids are out of order");
      }
      in.show(Varint.read(in), state, names[at]);
      spans.set(at, state.from(), state.to());
      at++;
    }
  }

  /** Merges the states of a value that was read, out of a cell of <code>timestamp</code>. */
  void fold(Spans spans, long timestamp, Slice scratch, State[] states) {
    for (int at = 0; at < states.length; at++) {
      if (spans.show(at, scratch)) {
        try {
          states[at].fold(scratch, timestamp);
        } catch (LexigraphException error) {
          throw new LexigraphException(error.name(), "property '" + names[at] + "': " + error.text(), error);
        }
      }
    }
  }

  /** Appends the value of a combined cell. */
  public void write(State[] states, Buffer out, Buffer scratch) {
    if (form == ValueForm.TAGGED) {
      out.add(FORMAT_VERSION);
    }
    for (int at = 0; at < states.length; at++) {
      if (!states[at].isPresent()) {
        continue;
      }
      if (form == ValueForm.SINGLE) {
        states[at].write(out);
        return;
      }
      scratch.clear();
      states[at].write(scratch);
      Varint.write(ids[at], out);
      Varint.write(scratch.length(), out);
      out.add(scratch);
    }
  }
}
