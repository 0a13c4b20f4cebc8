package org.lexigraph.plan;

/** The place of a field in cells of one group and shape. */
final class Slot {

  /** Where to look. */
  enum Where {
    ABSENT,
    KIND,
    DIRECTED,
    MATCHED,
    VISIBILITY,
    TIMESTAMP,
    GROUP,
    ROW,
    FAMILY,
    QUALIFIER,
    PROPERTY,
    /** The end that is not the greater one. */
    LESSER,
    GREATER
  }

  static final Slot ABSENT = new Slot(Where.ABSENT, 0);

  final Where where;
  /** The number of the part or property. */
  final int at;

  Slot(Where where, int at) {
    this.where = where;
    this.at = at;
  }
}
