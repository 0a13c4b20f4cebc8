package org.lexigraph.stages;

import java.io.ByteArrayOutputStream;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;

/** Cells packed into one value, as Accumulo's WholeRowIterator and WholeColumnFamilyIterator pack them. */
final class Packed {

  private final boolean withFamily;
  private final ByteArrayOutputStream cells = new ByteArrayOutputStream();
  private int count;

  /** Nothing yet; a packed family leaves out the family, which stands in the key. */
  Packed(boolean withFamily) {
    this.withFamily = withFamily;
  }

  /** Adds a cell. */
  void add(Key key, Value value) {
    count++;
    if (withFamily) {
      add(key.getColumnFamilyData());
    }
    add(key.getColumnQualifierData());
    add(key.getColumnVisibilityData());
    int32((int) (key.getTimestamp() >>> 32));
    int32((int) key.getTimestamp());
    int32(value.getSize());
    cells.write(value.get(), 0, value.getSize());
  }

  /** The packed value. */
  byte[] toBytes() {
    byte[] rest = cells.toByteArray();
    cells.reset();
    int32(count);
    cells.write(rest, 0, rest.length);
    return cells.toByteArray();
  }

  private void add(ByteSequence part) {
    int32(part.length());
    cells.write(part.getBackingArray(), part.offset(), part.length());
  }

  private void int32(int number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      cells.write(number >> shift);
    }
  }
}
