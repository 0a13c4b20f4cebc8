package org.lexigraph.plan;

import java.util.List;

/** All that a plan says, and nothing that is derived from it. */
final class Model {

  final List<Shape> rows;
  final List<Part> family;
  final List<Group> groups;

  Model(List<Shape> rows, List<Part> family, List<Group> groups) {
    this.rows = rows;
    this.family = family;
    this.groups = groups;
  }

  /** The family of a shape's cells. */
  List<Part> familyOf(Shape shape) {
    return shape.family == null ? family : shape.family;
  }

  /** The group of that name; null where there is none. */
  Group group(String name) {
    for (Group group : groups) {
      if (group.name.equals(name)) {
        return group;
      }
    }
    return null;
  }
}
