package org.lexigraph.functions;

import org.lexigraph.json.Words;

/** Which aggregators there are. */
public enum Kind {
  SUM,
  PRODUCT,
  MIN,
  MAX,
  AND,
  OR,
  FIRST,
  LAST,
  SET,
  LIST,
  CONCAT,
  FREQUENCY_MAP,
  TOP_N("n", 10, 1, 1 << 20),
  TIME_SERIES,
  RESERVOIR("size", 100, 1, 1 << 20),
  HLL("lg_k", 12, 7, 21),
  THETA("lg_k", 12, 5, 26),
  QUANTILES("k", 200, 8, 65_535),
  FREQUENT_ITEMS("size", 64, 8, 1 << 20),
  BITMAP,
  /** How many elements there are, whatever their values. */
  COUNT,
  /** Nothing is aggregated: the state is the value. No plan names it. */
  FAITHFUL;

  private final String sizeName;
  private final int size;
  private final int lowest;
  private final int highest;

  Kind() {
    this(null, 0, 0, 0);
  }

  Kind(String sizeName, int size, int lowest, int highest) {
    this.sizeName = sizeName;
    this.size = size;
    this.lowest = lowest;
    this.highest = highest;
  }

  /** The name in a plan. */
  public String word() {
    return Words.of(this);
  }

  /** The option that says how much is kept, or null. */
  String sizeName() {
    return sizeName;
  }

  /** Its default. */
  int size() {
    return size;
  }

  /** The least that it may be. */
  int lowest() {
    return lowest;
  }

  /** The most that it may be. */
  int highest() {
    return highest;
  }

  /** Whether it finishes to several values, which have no key form. */
  boolean isCollection() {
    switch (this) {
      case SET:
      case LIST:
      case TOP_N:
      case RESERVOIR:
      case QUANTILES:
      case BITMAP:
        return true;
      default:
        return isMap();
    }
  }

  /** Whether it finishes to pairs of key and number. */
  boolean isMap() {
    return this == FREQUENCY_MAP || this == TIME_SERIES || this == FREQUENT_ITEMS;
  }
}
