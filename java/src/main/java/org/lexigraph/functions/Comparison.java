package org.lexigraph.functions;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lexigraph.json.Words;

/** How two things that have an order are compared. */
enum Comparison {
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE;

  static final Map<String, Comparison> WORDS = new LinkedHashMap<>(Words.of(values()));

  /** Whether it holds where the first compares so with the second. */
  boolean holds(int order) {
    switch (this) {
      case EQ:
        return order == 0;
      case NE:
        return order != 0;
      case LT:
        return order < 0;
      case LE:
        return order <= 0;
      case GT:
        return order > 0;
      default:
        return order >= 0;
    }
  }
}
