package org.lexigraph.stages;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Keeps cells whose family and whose qualifier lie in their spans. An exclusive bound leaves out the whole family and
 * the whole qualifier it names. With <code>seek</code> it jumps over other cells where that is safe.
 */
final class ColumnSlice extends FilterStage {

  private final ByteSequence minFamily;
  private final ByteSequence maxFamily;
  private final ByteSequence minQualifier;
  private final ByteSequence maxQualifier;
  private final boolean minInclusive;
  private final boolean maxInclusive;
  private final boolean jumps;
  private Range range;
  private Families families;

  ColumnSlice(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    minFamily = sequence("min_family");
    maxFamily = sequence("max_family");
    minQualifier = sequence("min_qualifier");
    maxQualifier = sequence("max_qualifier");
    minInclusive = options.flag("min_inclusive", true);
    maxInclusive = options.flag("max_inclusive", true);
    // A jump would pass over delete markers, which every filter lets through.
    jumps = options.flag("seek", false) && !options.negate() && !context.scope().keepsDeletes();
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    return fits(key.getColumnFamilyData(), minFamily, maxFamily)
        && fits(key.getColumnQualifierData(), minQualifier, maxQualifier);
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> names, boolean inclusive)
      throws IOException {
    range = wanted;
    families = new Families(names, inclusive);
    super.begin(wanted, names, inclusive);
  }

  @Override
  void skip() throws IOException {
    Key target = jumps ? target(source.getTopKey()) : null;
    if (target == null) {
      source.next();
      return;
    }
    source.seek(Bounds.starting(range, target), families.names, families.inclusive);
    // A stage below may answer with keys before the range: a jump must not stand still.
    while (source.hasTop() && source.getTopKey().compareTo(target) < 0) {
      source.next();
    }
  }

  /** The first key behind a dropped cell that can be kept, or null to walk on. */
  private Key target(Key key) {
    ByteSequence family = key.getColumnFamilyData();
    ByteSequence qualifier = key.getColumnQualifierData();
    byte[] row = Bounds.row(key);
    if (minFamily != null && family.compareTo(minFamily) < 0) {
      byte[] low = minQualifier == null ? new byte[0] : minQualifier.toArray();
      return Bounds.leading(row, minFamily.toArray(), low);
    }
    if (!fits(family, minFamily, maxFamily)) {
      boolean below = minFamily != null && family.compareTo(minFamily) == 0;
      return below ? Bounds.following(row, family.toArray()) : Bounds.following(row);
    }
    int low = minQualifier == null ? 1 : qualifier.compareTo(minQualifier);
    if (low < 0) {
      return Bounds.leading(row, family.toArray(), minQualifier.toArray());
    }
    return low == 0 ? null : Bounds.following(row, family.toArray());
  }

  private boolean fits(ByteSequence part, ByteSequence low, ByteSequence high) {
    return (low == null || part.compareTo(low) >= (minInclusive ? 0 : 1))
        && (high == null || part.compareTo(high) < (maxInclusive ? 1 : 0));
  }

  private ByteSequence sequence(String name) {
    byte[] bytes = options.optionalBytes(name);
    return bytes == null ? null : new ArrayByteSequence(bytes);
  }
}
