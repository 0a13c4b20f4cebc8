package org.lexigraph.stages;

import java.nio.charset.StandardCharsets;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Keeps qualifiers from <code>start</code> to <code>end</code>, in Java's order of text. */
final class QualifierSlice extends FilterStage {

  private final String start;
  private final String end;
  private final boolean startInclusive;
  private final boolean endInclusive;

  QualifierSlice(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    start = options.optionalText("start");
    end = options.optionalText("end");
    startInclusive = options.flag("start_inclusive", true);
    endInclusive = options.flag("end_inclusive", false);
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    ByteSequence data = key.getColumnQualifierData();
    String text =
        new String(data.getBackingArray(), data.offset(), data.length(), StandardCharsets.UTF_8);
    if (start != null && text.compareTo(start) < (startInclusive ? 0 : 1)) {
      return false;
    }
    return end == null || text.compareTo(end) < (endInclusive ? 1 : 0);
  }
}
