package org.lexigraph.functions;

import org.lexigraph.codec.Codec;

/** What a predicate asks of a kind of elements: where its fields are and what they hold. */
public interface Fields<E> {

  /** Finds a field that has a key form; InvalidOption for a collection, or where there is none of that name. */
  Field<E> keyOf(String name);

  /** Finds a field, also a collection. */
  Field<E> find(String name);

  /** The codec of its values, or of those in its collection. */
  Codec codec(String name);

  /** The codec of what people see; null for a collection. */
  Codec result(String name);

  /** Whether it is a collection of pairs. */
  boolean isMap(String name);
}
