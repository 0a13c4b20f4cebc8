package org.lexigraph.plan;

/** How a field stands inside a key. */
enum Form {
  ESCAPED,
  PART,
  REST
}
