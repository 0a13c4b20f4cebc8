package org.lexigraph.functions;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;

/** A field of elements, wherever it is found in one; looked up by name once. */
public interface Field<E> {

  /** Makes a slice show the key form; false where the field is absent. <code>scratch</code> is there to be filled. */
  boolean key(E element, Slice out, Buffer scratch);

  /** The finished value; null where the field is absent. */
  Object value(E element);

  /** Whether the field is there. */
  boolean has(E element);
}
