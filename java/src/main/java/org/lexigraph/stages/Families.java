package org.lexigraph.stages;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;

/** Which families a scan wants: exactly <code>names</code>, or all but <code>names</code>. */
final class Families {

  private static final ByteSequence EMPTY = new ArrayByteSequence(new byte[0]);

  final Set<ByteSequence> names;
  final boolean inclusive;

  Families(Collection<ByteSequence> names, boolean inclusive) {
    this.names = new HashSet<>(names);
    this.inclusive = inclusive;
  }

  /** One family alone. */
  static Families only(byte[] family) {
    return new Families(Set.of(new ArrayByteSequence(family)), true);
  }

  /** Whether cells of this key's family are wanted. */
  boolean wants(Key key) {
    return names.isEmpty() ? !inclusive : names.contains(key.getColumnFamilyData()) == inclusive;
  }

  /** Whether the empty family is wanted. */
  boolean wantsEmpty() {
    return names.contains(EMPTY) == inclusive;
  }

  /** The same with the empty family among them. */
  Families withEmpty() {
    if (wantsEmpty()) {
      return this;
    }
    Families wide = new Families(names, inclusive);
    if (!wide.names.remove(EMPTY)) {
      wide.names.add(EMPTY);
    }
    return wide;
  }
}
