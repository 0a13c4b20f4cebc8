package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidOption;

import com.google.gson.JsonElement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;
import org.lexigraph.json.Json;

/**
 * Replaces the versions of a column by one cell. The result takes the newest timestamp of the versions before the
 * range's end; nothing is combined across a delete marker, and other cells pass as they are. A subclass is handed each
 * version, newest first, between {@link #clear} and {@link #result}.
 */
abstract class Combiner extends CellStage {

  final Options options;

  private final String name;
  private final ColumnMap<Boolean> columns;
  private final boolean lossy;
  private final boolean leaves;
  private Range range;
  private boolean passing;

  Combiner(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    name = spec.name();
    options = new Options(spec);
    columns = readColumns();
    lossy = options.flag("lossy", false);
    leaves = options.flag("full_merge_only", false) && context.scope() == Scope.MERGE;
  }

  /** Forgets all versions. */
  abstract void clear();

  /**
   * Takes one more version. What cannot be read is InvalidBytes and has changed nothing: where losses are allowed it is
   * passed over, unless it is {@link NeverLost}.
   */
  abstract void add(byte[] value);

  /** The value of all versions taken. */
  abstract byte[] result();

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    range = wanted;
    passing = false;
    source.seek(Bounds.fromColumnStart(wanted), families, inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    if (passing) {
      source.next();
    }
    settle();
  }

  private void settle() throws IOException {
    while (source.hasTop()) {
      step();
      if (!range.beforeStartKey(topKey)) {
        return;
      }
      if (passing) {
        source.next();
      }
    }
    topKey = null;
  }

  private void step() throws IOException {
    Key key = source.getTopKey();
    passing = key.isDeleted() || !wants(key);
    if (passing) {
      takeSource();
      return;
    }
    Key newest = new Key(key);
    clear();
    do {
      take(source.getTopKey(), source.getTopValue());
      source.next();
    } while (source.hasTop()
        && !source.getTopKey().isDeleted()
        && Bounds.sameColumn(newest, source.getTopKey()));
    topKey = newest;
    topValue = new Value(result());
  }

  private void take(Key key, Value value) {
    try {
      add(value.get());
    } catch (LexigraphException error) {
      if (lossy && !(error instanceof NeverLost)) {
        return;
      }
      throw new LexigraphException(
          error.name(),
          "stage '" + name + "' cannot read the value of " + Bounds.show(key) + ": " + error.text(),
          error);
    }
  }

  private boolean wants(Key key) {
    return !leaves && (columns == null || columns.get(key) != null);
  }

  private ColumnMap<Boolean> readColumns() {
    JsonElement given = options.optional("columns");
    if (given == null) {
      return null;
    }
    String what = "an entry of " + options.what("columns");
    ColumnMap<Boolean> read = new ColumnMap<>();
    for (JsonElement item : options.items(given, "columns", 1)) {
      int size = item.isJsonArray() ? item.getAsJsonArray().size() : 0;
      if (size < 1 || size > 2) {
        throw invalidOption(what + " is [family] or [family, qualifier], not " + Json.show(item));
      }
      byte[] family = Json.bytes(item.getAsJsonArray().get(0), what);
      byte[] qualifier = size == 1 ? null : Json.bytes(item.getAsJsonArray().get(1), what);
      read.add(family, qualifier, true, options.what("columns"));
    }
    return read;
  }
}
