package org.lexigraph.elements;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Varint;
import org.lexigraph.functions.State;
import org.lexigraph.json.Node;
import org.lexigraph.plan.Element;
import org.lexigraph.plan.Plan;
import org.lexigraph.plan.PlanField;

/** Figures over elements, one result for each distinct combination of some fields. */
final class Summary {

  private static final int FORMAT_VERSION = 1;

  /** The figures of one combination. */
  static final class Result {
    private final State[] states;
    private long timestamp = Long.MIN_VALUE;

    private Result(List<Measure> measures) {
      states = new State[measures.size()];
      for (int at = 0; at < states.length; at++) {
        states[at] = measures.get(at).open();
      }
    }

    /** The newest time of its elements. */
    long timestamp() {
      return timestamp;
    }

    /** The value of its cell. */
    byte[] value() {
      Buffer out = new Buffer();
      Buffer scratch = new Buffer();
      out.add(FORMAT_VERSION);
      for (State state : states) {
        if (state.isPresent()) {
          scratch.clear();
          state.write(scratch);
          Varint.write(scratch.length() + 1L, out);
          out.add(scratch);
        } else {
          out.add(0);
        }
      }
      return out.toArray();
    }
  }

  private final List<PlanField> by = new ArrayList<>();
  private final List<Measure> measures = new ArrayList<>();
  private final TreeMap<byte[], Result> results = new TreeMap<>(Arrays::compareUnsigned);
  private final Buffer row = new Buffer();
  private final Slice shown = new Slice();
  /** The result of the last element: the next mostly has the same. */
  private byte[] lastRow;

  private Result last;

  /** Reads what is asked for; two columns of one name are refused. */
  Summary(Plan plan, List<String> fields, List<Node> asked) {
    Set<String> names = new HashSet<>();
    for (Node item : asked) {
      Measure measure = new Measure(plan, item);
      measures.add(measure);
      column(measure.name(), names);
    }
    for (String name : fields) {
      by.add(plan.fields().locate(name));
      column(name, names);
    }
  }

  private static void column(String name, Set<String> names) {
    if (!names.add(name)) {
      throw LexigraphException.invalidOption("summarise has two columns named '" + name + "'");
    }
  }

  /** Forgets all elements. */
  void clear() {
    results.clear();
    last = null;
  }

  /** Takes an element in. */
  void add(Element element) {
    row.clear();
    for (PlanField field : by) {
      Codecs.ANY.writeKey(field.value(element), row);
    }
    row.show(0, shown);
    if (last == null || !shown.is(lastRow)) {
      lastRow = shown.toArray();
      last = results.computeIfAbsent(lastRow, missing -> new Result(measures));
    }
    last.timestamp = Math.max(last.timestamp, element.timestamp());
    for (int at = 0; at < last.states.length; at++) {
      measures.get(at).add(element, last.states[at]);
    }
  }

  /** How many results there are. */
  int size() {
    return results.size();
  }

  /** Whether no element was taken in. */
  boolean isEmpty() {
    return results.isEmpty();
  }

  /** Gives every row and its result, in order. */
  void forEach(BiConsumer<byte[], Result> visit) {
    results.forEach(visit);
  }
}
