package org.lexigraph.plan;

import org.lexigraph.codec.Slice;

/** Where the parts of the cell are that was read last, by shape and group: none is made anew for a cell. */
final class Cut {

  private final Spans[] rows;
  private final Spans[] families;
  private final Spans[] qualifiers;
  private final Spans[] states;
  private final Plan plan;

  Cut(Plan plan) {
    this.plan = plan;
    int shapes = plan.shapeCount();
    rows = new Spans[shapes];
    families = new Spans[shapes];
    for (int shape = 0; shape < shapes; shape++) {
      rows[shape] = new Spans(plan.rowParts(shape).size());
      families[shape] = new Spans(plan.familyParts(shape).size());
    }
    int groups = plan.groupCount();
    qualifiers = new Spans[groups];
    states = new Spans[groups];
    for (int group = 0; group < groups; group++) {
      qualifiers[group] = new Spans(plan.qualifierParts(group).size());
      states[group] = new Spans(plan.value(group).size());
    }
  }

  Spans row(int shape) {
    return rows[shape];
  }

  Spans family(int shape) {
    return families[shape];
  }

  Spans qualifier(int group) {
    return qualifiers[group];
  }

  Spans states(int group) {
    return states[group];
  }

  /** Makes a slice show the own bytes of a field in the key. */
  boolean part(int place, Slot slot, Slice out) {
    switch (slot.where) {
      case ROW:
        return rows[plan.shapeIndex(place)].show(slot.at, out);
      case FAMILY:
        return families[plan.shapeIndex(place)].show(slot.at, out);
      default:
        return qualifiers[plan.groupOf(place)].show(slot.at, out);
    }
  }
}
