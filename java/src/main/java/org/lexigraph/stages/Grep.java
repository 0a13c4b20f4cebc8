package org.lexigraph.stages;

import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Keeps cells that have the bytes of <code>term</code> in one of <code>fields</code>. */
final class Grep extends FilterStage {

  private static final List<String> FIELDS =
      List.of("row", "family", "qualifier", "visibility", "value");

  private final byte[] term;
  private final boolean[] looks = new boolean[FIELDS.size()];

  Grep(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    term = options.bytes("term");
    List<String> usual = List.of("row", "family", "qualifier", "value");
    for (String field : options.choices("fields", usual, FIELDS)) {
      looks[FIELDS.indexOf(field)] = true;
    }
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    return looks[0] && holds(key.getRowData())
        || looks[1] && holds(key.getColumnFamilyData())
        || looks[2] && holds(key.getColumnQualifierData())
        || looks[3] && holds(key.getColumnVisibilityData())
        || looks[4] && holds(value.get(), 0, value.getSize());
  }

  private boolean holds(ByteSequence data) {
    return holds(data.getBackingArray(), data.offset(), data.length());
  }

  private boolean holds(byte[] data, int offset, int length) {
    int last = offset + length - term.length;
    for (int at = offset; at <= last; at++) {
      int matched = 0;
      while (matched < term.length && data[at + matched] == term[matched]) {
        matched++;
      }
      if (matched == term.length) {
        return true;
      }
    }
    return false;
  }
}
