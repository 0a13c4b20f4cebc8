package org.lexigraph.plan;

/** What an element is. */
enum ElementKind {
  VERTEX,
  EDGE
}
