package org.lexigraph.vectors;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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

  private static final int MOST = 10_000;
  private static final AtomicLong SCANS = new AtomicLong();

  private final SortedCells cells;
  private final Set<Column> columns;
  private final List<Opening> stages = new ArrayList<>();
  private final List<StageSpec> specs = new ArrayList<>();
  private final StageContext context;
  private Set<ByteSequence> families = new HashSet<>();
  private boolean inclusive;

  /** A stack over cells in the order in which they were written; stages from the data upwards. */
  public Stack(
      List<Cell> written, Set<Column> columns, List<StageSpec> stages, StageContext context) {
    this.cells = SortedCells.written(written);
    this.columns = columns;
    this.context = context;
    for (StageSpec stage : stages) {
      this.stages.add(source -> StageRegistry.stage(stage.name()).open(source, stage, context));
      this.specs.add(stage);
    }
    columns.forEach(column -> families.add(new ArrayByteSequence(column.getColumnFamily())));
    inclusive = !columns.isEmpty();
  }

  /** Reads other families than those of the columns, as compactions do. */
  public Stack families(Set<ByteSequence> names, boolean only) {
    families = names;
    inclusive = only;
    return this;
  }

  /** Puts something else in the place of a stage. */
  public void replace(int place, Opening opening) {
    stages.set(place, opening);
  }

  /** How a stage is put on a source. */
  public interface Opening {
    /** Puts it there. */
    SortedKeyValueIterator<Key, Value> on(SortedKeyValueIterator<Key, Value> source)
        throws IOException;
  }

  /** From now on each stage is loaded as a server loads it: by options that are text. */
  public Stack loaded() {
    for (int place = 0; place < specs.size(); place++) {
      StageSpec stage = specs.get(place);
      boolean topmost = place == specs.size() - 1;
      Map<String, String> options = Loading.options(stage, context);
      if (topmost) {
        String scan = "scan " + SCANS.incrementAndGet();
        options.put("counts", scan);
        options.put("errors", scan);
      }
      stages.set(place, source -> Loading.load(source, options, context.scope()));
    }
    return this;
  }

  /** New iterators for all of it. */
  public SortedKeyValueIterator<Key, Value> open() throws IOException {
    SortedKeyValueIterator<Key, Value> top = system(cells.deepCopy(null));
    for (Opening stage : stages) {
      top = stage.on(top);
    }
    return top;
  }

  /** Moves iterators of this stack to the start of a range. */
  public void seek(SortedKeyValueIterator<Key, Value> top, Range range) throws IOException {
    top.seek(range, families, inclusive);
  }

  /** Reads some ranges with one stack. */
  public List<Cell> read(SortedKeyValueIterator<Key, Value> top, List<Range> ranges)
      throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Range range : ranges) {
      seek(top, range);
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
        seek(top, rest);
        if (!top.hasTop()) {
          break;
        }
        Cell cell = new Cell(top.getTopKey(), top.getTopValue());
        cells.add(cell);
        if (cells.size() > MOST) {
          throw new AssertionError("does not come to an end: " + cells.subList(MOST - 5, MOST));
        }
        Key end = range.getEndKey();
        boolean last = end != null && cell.key.compareTo(end) >= 0;
        rest = last ? null : new Range(cell.key, false, end, range.isEndKeyInclusive());
      }
    }
    return cells;
  }

  private SortedKeyValueIterator<Key, Value> system(SortedKeyValueIterator<Key, Value> source)
      throws IOException {
    boolean scan = context.scope() == Scope.SCAN;
    if (scan && context.authorizations() != null) {
      return SystemIteratorUtil.setupSystemScanIterators(
          source,
          columns,
          new Authorizations(context.authorizations()),
          context.defaultVisibility(),
          DefaultConfiguration.getInstance());
    }
    SortedKeyValueIterator<Key, Value> top = DeletingIterator.wrap(
        source, context.scope().keepsDeletes(), DeletingIterator.Behavior.PROCESS);
    top = new ColumnFamilySkippingIterator(top);
    boolean qualified = columns.stream().anyMatch(column -> column.getColumnQualifier() != null);
    return scan && qualified ? ColumnQualifierFilter.wrap(top, columns) : top;
  }
}
