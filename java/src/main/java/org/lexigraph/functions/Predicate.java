package org.lexigraph.functions;

/** A question about the fields of elements, read and not yet bound to any. */
@FunctionalInterface
public interface Predicate<E> {

  /** Looks up every field once; InvalidOption where one is not there or holds something else. */
  Test<E> bind(Fields<E> fields);
}
