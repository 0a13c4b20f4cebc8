package org.lexigraph.plan;

import java.util.ArrayList;
import java.util.List;

/** Finds where the fields of a model's elements are. */
final class Slots {

  private Slots() {}

  /** The place of a field in cells of a group and shape. */
  static Slot find(Model model, Group group, Shape shape, String name) {
    if (!shape.serves(group)) {
      return Slot.ABSENT;
    }
    Slot builtIn = builtIn(group, name);
    if (builtIn != null) {
      return builtIn;
    }
    if (shape.matched == Matched.EITHER && Names.isEnd(name)) {
      return new Slot(name.equals(Names.SOURCE) ? Slot.Where.LESSER : Slot.Where.GREATER, 0);
    }
    Slot found = in(shape.parts, Slot.Where.ROW, name);
    found = found == null ? in(model.familyOf(shape), Slot.Where.FAMILY, name) : found;
    found = found == null ? in(group.qualifier, Slot.Where.QUALIFIER, name) : found;
    for (int at = 0; found == null && at < group.properties.size(); at++) {
      if (group.properties.get(at).field.equals(name)) {
        found = new Slot(Slot.Where.PROPERTY, at);
      }
    }
    return found == null ? Slot.ABSENT : found;
  }

  private static Slot builtIn(Group group, String name) {
    boolean isEdge = group.kind == ElementKind.EDGE;
    switch (name) {
      case Names.KIND:
        return new Slot(Slot.Where.KIND, 0);
      case Names.VISIBILITY:
        return new Slot(Slot.Where.VISIBILITY, 0);
      case Names.TIMESTAMP:
        return new Slot(Slot.Where.TIMESTAMP, 0);
      case Names.GROUP:
        return new Slot(Slot.Where.GROUP, 0);
      case Names.DIRECTED:
        return isEdge ? new Slot(Slot.Where.DIRECTED, 0) : Slot.ABSENT;
      case Names.MATCHED:
        return isEdge ? new Slot(Slot.Where.MATCHED, 0) : Slot.ABSENT;
      default:
        return null;
    }
  }

  private static Slot in(List<Part> parts, Slot.Where where, String name) {
    for (int at = 0; at < parts.size(); at++) {
      if (parts.get(at).isField(name)) {
        return new Slot(where, at);
      }
    }
    return null;
  }

  /** The two ends of an edge, in the order of row, then qualifier; null for a vertex. */
  static Slot[] ends(Group group, Shape shape) {
    List<Slot> ends = new ArrayList<>();
    addEnds(shape.parts, Slot.Where.ROW, ends);
    addEnds(group.qualifier, Slot.Where.QUALIFIER, ends);
    return ends.size() == 2 ? ends.toArray(new Slot[0]) : null;
  }

  private static void addEnds(List<Part> parts, Slot.Where where, List<Slot> ends) {
    for (int at = 0; at < parts.size(); at++) {
      if (parts.get(at).isField() && Names.isEnd(parts.get(at).field)) {
        ends.add(new Slot(where, at));
      }
    }
  }
}
