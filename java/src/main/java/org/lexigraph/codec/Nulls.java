package org.lexigraph.codec;

/** Where null stands in the order of a part. */
public enum Nulls {
  FIRST(0, 1),
  LAST(1, 0);

  private final int marker;
  private final int present;

  Nulls(int marker, int present) {
    this.marker = marker;
    this.present = present;
  }

  /** The byte that stands for null. */
  public int marker() {
    return marker;
  }

  /** The byte before a value. */
  public int present() {
    return present;
  }
}
