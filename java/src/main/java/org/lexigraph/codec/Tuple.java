package org.lexigraph.codec;

import java.util.List;

/** Values one after another; a plain <code>List</code> is a list, which <code>any</code> tells apart in values. */
public final class Tuple {

  private final List<Object> items;

  /** A tuple of these items, which are not copied. */
  public Tuple(List<Object> items) {
    this.items = items;
  }

  /** The items. */
  public List<Object> items() {
    return items;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tuple && items.equals(((Tuple) other).items);
  }

  @Override
  public int hashCode() {
    return items.hashCode();
  }

  @Override
  public String toString() {
    return "Tuple" + items;
  }
}
