package org.lexigraph.vectors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.accumulo.core.conf.DefaultConfiguration;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Column;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.apache.accumulo.core.iteratorsImpl.system.ColumnFamilySkippingIterator;
import org.apache.accumulo.core.iteratorsImpl.system.ColumnQualifierFilter;
import org.apache.accumulo.core.iteratorsImpl.system.DeletingIterator;
import org.apache.accumulo.core.iteratorsImpl.system.SystemIteratorUtil;
import org.apache.accumulo.core.security.Authorizations;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageRegistry;
import org.lexigraph.stages.StageSpec;

/** Cells, Accumulo's own system iterators and our stages on top, as a server stacks them. */
public final class Stack {

  private final List<Cell> written;
  private final Set<Column> columns;
  private final List<StageSpec> stages;
  private final StageContext context;
  private boolean loaded;

  /** A stack over cells in the order in which they were written; stages from the data upwards. */
  public Stack(
      List<Cell> written, Set<Column> columns, List<StageSpec> stages, StageContext context) {
    this.written = written;
    this.columns = columns;
    this.stages = stages;
    this.context = context;
  }

  /** From now on each stage is loaded as a server loads it: by options that are text. */
  public Stack loaded() {
    loaded = true;
    return this;
  }

  /** New iterators for all of it. */
  public SortedKeyValueIterator<Key, Value> open() throws IOException {
    SortedKeyValueIterator<Key, Value> top = system(SortedCells.written(written));
    for (StageSpec stage : stages) {
      top = loaded
          ? Loading.load(top, stage, context, stage == stages.get(stages.size() - 1))
          : StageRegistry.stage(stage.name()).open(top, stage, context);
    }
    return top;
  }

  /** The families that a scan of these columns reads. */
  public Set<ByteSequence> families() {
    Set<ByteSequence> families = new HashSet<>();
    columns.forEach(column -> families.add(new ArrayByteSequence(column.getColumnFamily())));
    return families;
  }

  /** Reads some ranges with one stack. */
  public List<Cell> read(SortedKeyValueIterator<Key, Value> top, List<Range> ranges)
      throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Range range : ranges) {
      top.seek(range, families(), !columns.isEmpty());
      for (; top.hasTop(); top.next()) {
        cells.add(new Cell(top.getTopKey(), top.getTopValue()));
      }
    }
    return cells;
  }

  /**
   * Reads some ranges as a server does whose batches hold one cell: behind each cell all iterators are dropped, and new
   * ones go on behind its key. So of cells with fully equal keys only the first is read.
   */
  public List<Cell> readCut(List<Range> ranges) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Range range : ranges) {
      Range rest = range;
      while (rest != null) {
        SortedKeyValueIterator<Key, Value> top = open();
        top.seek(rest, families(), !columns.isEmpty());
        if (!top.hasTop()) {
          break;
        }
        Cell cell = new Cell(top.getTopKey(), top.getTopValue());
        cells.add(cell);
        Key end = range.getEndKey();
        boolean last = end != null && cell.key.compareTo(end) >= 0;
        rest = last ? null : new Range(cell.key, false, end, range.isEndKeyInclusive());
      }
    }
    return cells;
  }

  private SortedKeyValueIterator<Key, Value> system(SortedCells cells) throws IOException {
    boolean scan = context.scope() == Scope.SCAN;
    if (scan && context.authorizations() != null) {
      return SystemIteratorUtil.setupSystemScanIterators(
          cells,
          columns,
          new Authorizations(context.authorizations()),
          context.defaultVisibility(),
          DefaultConfiguration.getInstance());
    }
    SortedKeyValueIterator<Key, Value> top = DeletingIterator.wrap(
        cells, context.scope().keepsDeletes(), DeletingIterator.Behavior.PROCESS);
    top = new ColumnFamilySkippingIterator(top);
    boolean qualified = columns.stream().anyMatch(column -> column.getColumnQualifier() != null);
    return scan && qualified ? ColumnQualifierFilter.wrap(top, columns) : top;
  }
}
