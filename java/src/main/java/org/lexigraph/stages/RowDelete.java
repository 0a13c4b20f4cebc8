package org.lexigraph.stages;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Hides what a row marker is not older than; a partial merge keeps the marker itself. The marker works from wherever a
 * row is entered, and its family is read even when it was not asked for.
 */
final class RowDelete extends CellStage {

  private Families families;
  private Key marker;

  RowDelete(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    new Options(spec).done();
  }

  @Override
  protected void begin(Range range, Collection<ByteSequence> names, boolean inclusive)
      throws IOException {
    families = new Families(names, inclusive);
    Families wide = families.withEmpty();
    marker = range.getStartKey() == null ? null : markerBefore(range, wide);
    source.seek(range, wide.names, wide.inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    source.next();
    settle();
  }

  private void settle() throws IOException {
    while (source.hasTop() && !keeps(source.getTopKey(), source.getTopValue())) {
      source.next();
    }
    takeSource();
  }

  private boolean keeps(Key key, Value value) {
    if (marker != null && marker.equals(key, PartialKey.ROW)) {
      if (key.getTimestamp() <= marker.getTimestamp()) {
        return false;
      }
    } else if (RowMarkers.isDeleted(key, value)) {
      marker = new Key(key);
      if (!context.scope().keepsDeletes()) {
        return false;
      }
    }
    return families.wants(key);
  }

  private Key markerBefore(Range range, Families wide) throws IOException {
    source.seek(Bounds.fromRowStart(range), wide.names, wide.inclusive);
    while (source.hasTop()) {
      Key key = source.getTopKey();
      if (!range.beforeStartKey(key) || !RowMarkers.inEmptyColumn(key)) {
        return null;
      }
      if (RowMarkers.isDeleted(key, source.getTopValue())) {
        return new Key(key);
      }
      source.next();
    }
    return null;
  }
}
