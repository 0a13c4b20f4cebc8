package org.lexigraph.plan;

import java.util.List;

/** One form that a row may have. */
final class Shape {

  final ElementKind kind;
  /** For edges: whether they are directed. */
  final boolean directed;
  /** Null for vertices, as is <code>once</code>. */
  final Matched matched;

  final Once once;
  /** The group of its cells; null where the family says it. */
  final String group;
  /** The family of its cells; null where it is the plan's. */
  final List<Part> family;

  final List<Part> parts;

  Shape(
      ElementKind kind,
      boolean directed,
      Matched matched,
      Once once,
      String group,
      List<Part> family,
      List<Part> parts) {
    this.kind = kind;
    this.directed = directed;
    this.matched = matched;
    this.once = once;
    this.group = group;
    this.family = family;
    this.parts = parts;
  }

  /** Whether the two ends must be compared to know source, matched end or once. */
  boolean compares() {
    return matched == Matched.EITHER || once == Once.ORDERED;
  }

  /** Whether rows of a group may have it. */
  boolean serves(Group other) {
    return kind == other.kind && (group == null || group.equals(other.name));
  }
}
