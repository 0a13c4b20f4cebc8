package org.lexigraph.functions;

import org.lexigraph.json.Node;

/** A predicate of a user's own, read from its JSON form: an object with an <code>op</code>. */
public interface OwnPredicate {

  /** Reads it; {@link Node#expect} refuses members that it does not have. */
  <E> Predicate<E> parse(Node node);
}
