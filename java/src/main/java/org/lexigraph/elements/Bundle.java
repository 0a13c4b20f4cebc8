package org.lexigraph.elements;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.codec.Buffer;
import org.lexigraph.functions.State;
import org.lexigraph.plan.ValuePlan;
import org.lexigraph.security.Label;
import org.lexigraph.stages.Bounds;

/** The elements of one result of a roll-up, by label where labels are kept apart. */
final class Bundle {

  /** What is merged into one cell. */
  static final class Merged {
    final State[] states;
    private final Value first;
    private final TreeSet<byte[]> labels = new TreeSet<>(Arrays::compareUnsigned);
    private long timestamp = Long.MIN_VALUE;
    private int cells;

    private Merged(State[] states, Value first) {
      this.states = states;
      this.first = first;
    }
  }

  /** A cell that is ready to be given. */
  static final class Cell {
    final Key key;
    final Value value;

    private Cell(Key key, Value value) {
      this.key = key;
      this.value = value;
    }
  }

  private final ValuePlan plan;
  /** What is merged over all labels; null where there is nothing. */
  private Merged merged;

  private final TreeMap<byte[], Merged> kept = new TreeMap<>(Arrays::compareUnsigned);

  /** An empty one, whose values the plan writes. */
  Bundle(ValuePlan plan) {
    this.plan = plan;
  }

  /** Counts a cell in, under its own label or under that of all, and gives the states to merge its own into. */
  State[] of(Key key, Value value, boolean mergesLabel) {
    byte[] label = key.getColumnVisibilityData().toArray();
    Merged into = mergesLabel ? merged : kept.get(label);
    if (into == null) {
      into = new Merged(plan.open(), new Value(value));
      if (mergesLabel) {
        merged = into;
      } else {
        kept.put(label, into);
      }
    }
    into.labels.add(label);
    into.timestamp = Math.max(into.timestamp, key.getTimestamp());
    into.cells++;
    return into.states;
  }

  /**
   * Adds the results in key order. Where a lone value <code>passesOn</code>, it stays as it is: its bytes may say that
   * its time is the cell's.
   */
  void addTo(List<Cell> cells, Key place, byte[] qualifier, boolean passesOn) {
    List<Cell> own = new ArrayList<>();
    if (merged != null) {
      own.add(cell(place, qualifier, Label.conjunction(merged.labels), merged, passesOn));
    }
    for (Map.Entry<byte[], Merged> one : kept.entrySet()) {
      own.add(cell(place, qualifier, one.getKey(), one.getValue(), passesOn));
    }
    own.sort((a, b) -> a.key.compareTo(b.key));
    cells.addAll(own);
  }

  private Cell cell(Key place, byte[] qualifier, byte[] label, Merged from, boolean passesOn) {
    Key key = new Key(
        Bounds.row(place), Bounds.family(place), qualifier, label, from.timestamp, false, false);
    if (from.cells == 1 && passesOn) {
      return new Cell(key, from.first);
    }
    Buffer out = new Buffer();
    plan.write(from.states, out, new Buffer());
    return new Cell(key, new Value(out.toArray(), false));
  }
}
