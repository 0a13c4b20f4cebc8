package org.lexigraph.stages;

import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.functions.Murmur3;

/** Keeps what hashes to a multiple of <code>modulus</code>: whole rows, or whole columns. */
final class Sample extends FilterStage {

  private final long modulus;
  private final boolean columns;
  private byte[] joined = new byte[64];

  Sample(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    modulus = options.number("modulus", 1, Integer.MAX_VALUE);
    columns = options.choice("of", "row", List.of("row", "column")).equals("column");
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    ByteSequence row = key.getRowData();
    int hash;
    if (columns) {
      ByteSequence family = key.getColumnFamilyData();
      ByteSequence qualifier = key.getColumnQualifierData();
      int size = row.length() + family.length() + qualifier.length();
      if (joined.length < size) {
        joined = new byte[size * 2];
      }
      copy(row, 0);
      copy(family, row.length());
      copy(qualifier, row.length() + family.length());
      hash = Murmur3.hash(joined, 0, size);
    } else {
      hash = Murmur3.hash(row.getBackingArray(), row.offset(), row.length());
    }
    return Integer.toUnsignedLong(hash) % modulus == 0;
  }

  private void copy(ByteSequence part, int at) {
    System.arraycopy(part.getBackingArray(), part.offset(), joined, at, part.length());
  }
}
