package org.lexigraph.plan;

/** Which of an edge's two rows stands for it where each edge must come once. */
enum Once {
  ALWAYS,
  NEVER,
  ORDERED
}
