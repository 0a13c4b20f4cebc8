package org.lexigraph.plan;

import java.util.List;

/** The names of fields that mean something to every plan. */
final class Names {

  static final String VERTEX = "vertex";
  static final String SOURCE = "source";
  static final String DESTINATION = "destination";
  static final String GROUP = "group";
  static final String KIND = "kind";
  static final String DIRECTED = "directed";
  static final String MATCHED = "matched";
  static final String VISIBILITY = "visibility";
  static final String TIMESTAMP = "timestamp";

  /** Fields of every element, which no part of a plan may name. */
  static final List<String> BUILT_IN = List.of(KIND, DIRECTED, MATCHED, VISIBILITY, TIMESTAMP);

  private Names() {}

  /** Whether a field says which element it is. */
  static boolean isIdentity(String name) {
    return name.equals(VERTEX) || isEnd(name);
  }

  /** Whether a field is an end of an edge. */
  static boolean isEnd(String name) {
    return name.equals(SOURCE) || name.equals(DESTINATION);
  }
}
