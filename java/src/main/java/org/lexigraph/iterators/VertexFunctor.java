package org.lexigraph.iterators;

import java.util.Arrays;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.file.keyfunctor.KeyFunctor;

/**
 * Bloom filters by vertex: what stands in a row before its first 00 byte, which is where layouts end the id that a row
 * starts with. A filter is asked only for ranges whose rows all start with one vertex.
 */
public final class VertexFunctor implements KeyFunctor {

  @Override
  public org.apache.hadoop.util.bloom.Key transform(Key key) {
    ByteSequence row = key.getRowData();
    int size = vertexSize(row);
    // With a 00 byte behind it: hashes refuse to be made of nothing.
    byte[] vertex = new byte[size + 1];
    System.arraycopy(row.getBackingArray(), row.offset(), vertex, 0, size);
    return new org.apache.hadoop.util.bloom.Key(vertex, 1.0);
  }

  @Override
  public org.apache.hadoop.util.bloom.Key transform(Range range) {
    Key start = range.getStartKey();
    Key end = range.getEndKey();
    if (start == null || end == null) {
      return null;
    }
    ByteSequence first = start.getRowData();
    ByteSequence last = end.getRowData();
    int size = vertexSize(first);
    if (last.length() < size || !sameStart(first, last, size)) {
      return null;
    }
    // All rows between hold the vertex alone, or the vertex and a 00 byte.
    boolean within = last.length() == size || last.byteAt(size) == 0;
    return within || endsBehind(range, last, size) ? transform(start) : null;
  }

  // Rows before vertex, 01 and not before the vertex are the vertex's own.
  private static boolean endsBehind(Range range, ByteSequence last, int size) {
    Key end = range.getEndKey();
    return last.length() == size + 1
        && last.byteAt(size) == 1
        && !range.isEndKeyInclusive()
        && end.getTimestamp() == Long.MAX_VALUE
        && end.getColumnFamilyData().length() == 0
        && end.getColumnQualifierData().length() == 0
        && end.getColumnVisibilityData().length() == 0;
  }

  private static int vertexSize(ByteSequence row) {
    int size = 0;
    while (size < row.length() && row.byteAt(size) != 0) {
      size++;
    }
    return size;
  }

  private static boolean sameStart(ByteSequence left, ByteSequence right, int size) {
    return Arrays.equals(
        left.getBackingArray(), left.offset(), left.offset() + size,
        right.getBackingArray(), right.offset(), right.offset() + size);
  }
}
