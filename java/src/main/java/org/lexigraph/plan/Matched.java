package org.lexigraph.plan;

/** Which end of an edge its row starts with. */
enum Matched {
  SOURCE,
  DESTINATION,
  EITHER
}
