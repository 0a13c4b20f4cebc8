package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidOption;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Packs each row, or each family of a row, into one cell. It stands at the first possible key of its group, also when
 * the range starts inside the group and only the rest of it is packed. A range that starts behind that key, exclusive,
 * starts with the next group: so a reader may go on behind the last cell it got.
 */
final class Pack extends CellStage {

  private static final int CELL_OVERHEAD = 128;
  private static final byte[] NONE = {};

  private final String name;
  private final boolean rows;
  private final PartialKey depth;
  private final long most;

  private Pack(
      SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context, boolean rows) {
    super(source, spec, context);
    Options options = new Options(spec);
    this.name = spec.name();
    this.rows = rows;
    this.depth = rows ? PartialKey.ROW : PartialKey.ROW_COLFAM;
    this.most = options.optionalNumber("max_bytes", 1, Long.MAX_VALUE).orElse(Long.MAX_VALUE);
    options.done();
  }

  /** Packs rows. */
  static StageFactory rows() {
    return (source, spec, context) -> new Pack(source, spec, context, true);
  }

  /** Packs families of rows. */
  static StageFactory families() {
    return (source, spec, context) -> new Pack(source, spec, context, false);
  }

  @Override
  protected void begin(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    source.seek(behindPacked(range), families, inclusive);
    advance();
  }

  @Override
  protected void advance() throws IOException {
    if (!source.hasTop()) {
      topKey = null;
      return;
    }
    Key first = new Key(source.getTopKey());
    Packed packed = new Packed(rows);
    long used = 0;
    do {
      Key key = source.getTopKey();
      Value value = source.getTopValue();
      used += key.getSize() + value.getSize() + CELL_OVERHEAD;
      if (used > most) {
        throw invalidOption("stage '" + name + "': what starts at " + Bounds.show(first)
            + " takes more than " + most + " bytes");
      }
      packed.add(key, value);
      source.next();
    } while (source.hasTop() && first.equals(source.getTopKey(), depth));
    byte[] family = rows ? NONE : Bounds.family(first);
    topKey = new Key(Bounds.row(first), family, NONE, NONE, Long.MAX_VALUE, false, false);
    topValue = new Value(packed.toBytes());
  }

  private Range behindPacked(Range range) {
    Key start = range.getStartKey();
    if (start == null || range.isStartKeyInclusive() || start.getTimestamp() != Long.MAX_VALUE) {
      return range;
    }
    boolean front = start.getColumnQualifierData().length() == 0
        && start.getColumnVisibilityData().length() == 0
        && (!rows || start.getColumnFamilyData().length() == 0);
    if (!front) {
      return range;
    }
    byte[] row = Bounds.row(start);
    return Bounds.starting(
        range, rows ? Bounds.following(row) : Bounds.following(row, Bounds.family(start)));
  }
}
