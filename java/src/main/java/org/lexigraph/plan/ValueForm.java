package org.lexigraph.plan;

/** How the properties of a group stand in a value. */
enum ValueForm {
  NONE,
  SINGLE,
  TAGGED
}
