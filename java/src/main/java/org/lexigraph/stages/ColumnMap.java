package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidOption;

import java.util.HashMap;
import java.util.Map;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;

/** Something for some columns, or else for their families. */
final class ColumnMap<T> {

  private final Map<ByteSequence, T> families = new HashMap<>();
  private final Map<ByteSequence, Map<ByteSequence, T>> columns = new HashMap<>();

  /** Adds a column, or with a qualifier of null a family; one that is there already is refused. */
  void add(byte[] family, byte[] qualifier, T item, String what) {
    ByteSequence name = new ArrayByteSequence(family);
    T before;
    if (qualifier == null) {
      before = families.put(name, item);
    } else {
      Map<ByteSequence, T> ofFamily = columns.computeIfAbsent(name, unused -> new HashMap<>());
      before = ofFamily.put(new ArrayByteSequence(qualifier), item);
    }
    if (before != null) {
      String column = Bounds.show(name)
          + (qualifier == null ? "" : ", " + Bounds.show(new ArrayByteSequence(qualifier)));
      throw invalidOption(what + " names the column " + column + " twice");
    }
  }

  /** What there is for the column of a key, else for its family, else null. */
  T get(Key key) {
    ByteSequence family = key.getColumnFamilyData();
    Map<ByteSequence, T> ofFamily = columns.isEmpty() ? null : columns.get(family);
    T found = ofFamily == null ? null : ofFamily.get(key.getColumnQualifierData());
    return found == null ? families.get(family) : found;
  }
}
