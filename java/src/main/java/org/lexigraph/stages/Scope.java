package org.lexigraph.stages;

/** When a stage runs: for a reader, or when cells are merged for ever. */
public enum Scope {
  /** For a reader. */
  SCAN,
  /** A new file is made from what was just written; older cells are not seen. */
  FLUSH,
  /** Some files are merged; others, older or newer, are not seen. */
  MERGE,
  /** Every file is merged: delete markers end here. */
  FULL;

  /** Whether delete markers must be passed on, because cells they hide may be elsewhere. */
  public boolean keepsDeletes() {
    return this == FLUSH || this == MERGE;
  }
}
