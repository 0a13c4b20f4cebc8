package org.lexigraph.functions;

/** A predicate bound to the fields of elements, asked for each of them. Not for two threads at once. */
@FunctionalInterface
public interface Test<E> {

  /** Whether it holds for an element. */
  boolean holds(E element);
}
