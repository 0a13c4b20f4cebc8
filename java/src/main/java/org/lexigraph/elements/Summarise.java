package org.lexigraph.elements;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Varint;
import org.lexigraph.json.Node;
import org.lexigraph.plan.CellReader;
import org.lexigraph.plan.Element;
import org.lexigraph.plan.Plan;
import org.lexigraph.stages.CellStage;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/**
 * Gives one cell for each distinct combination of some fields, with the states of measures over all elements of the
 * source. Results are held in memory; nothing is given before the last element was read. Readers finish the states.
 *
 * <p>On a server the rows of results would lie outside of the range, where a scan could not go on behind them. There all
 * results of a range are packed into one cell that has the last key read: a scan that goes on behind it finds no element
 * twice. Of many results or elements there are several such cells, each with what was read since the one before: a server
 * holds no more than so many results, and a client hears from it while it reads.
 */
final class Summarise extends CellStage {

  /** How many results a server packs into one cell at most. */
  static final int PACKED = 10_000;

  /** How many elements a server reads at most for one cell. */
  static final int ELEMENTS = 100_000;

  private static final byte[] NONE = {};

  private final CellReader reader;
  private final Summary summary;
  private final boolean packs;
  private final Deque<Key> keys = new ArrayDeque<>();
  private final Deque<Value> values = new ArrayDeque<>();

  Summarise(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Node node = ElementStages.scanOptions(spec, context, List.of("plan", "measures"), "by");
    Plan plan = Plans.find(context, node.member("plan"));
    List<String> by = node.optional("by") == null ? List.of() : node.member("by").texts();
    summary = new Summary(plan, by, node.member("measures").items());
    reader = new CellReader(plan);
    packs = context.environment() != null;
  }

  @Override
  protected void begin(Range range, Collection<ByteSequence> families, boolean inclusive) throws IOException {
    keys.clear();
    values.clear();
    summary.clear();
    source.seek(packs ? range : new Range(), families, inclusive);
    if (!packs) {
      gather();
      summary.forEach((row, result) -> {
        Key key = new Key(row, NONE, NONE, NONE, result.timestamp(), false, false);
        if (Ranges.contains(range, key)) {
          keys.add(key);
          values.add(new Value(result.value(), false));
        }
      });
      summary.clear();
    }
    advance();
  }

  @Override
  protected void advance() throws IOException {
    if (packs && source.hasTop()) {
      pack(gather());
    }
    topKey = keys.poll();
    topValue = values.poll();
  }

  /** Reads everything that the source gives, on a server no more than fits; the key of the last cell. */
  private Key gather() throws IOException {
    Key last = new Key();
    int elements = 0;
    for (; source.hasTop(); source.next()) {
      if (packs && (summary.size() >= PACKED || elements >= ELEMENTS)) {
        break;
      }
      Key key = source.getTopKey();
      Element element = reader.read(key, source.getTopValue());
      if (element != null) {
        summary.add(element);
        elements++;
        last.set(key);
      }
    }
    return last;
  }

  /** For each result: length of its row, the row, eight bytes of timestamp, length of its value, the value. */
  private void pack(Key last) {
    if (summary.isEmpty()) {
      return;
    }
    Buffer packed = new Buffer();
    summary.forEach((row, result) -> {
      byte[] value = result.value();
      Varint.write(row.length, packed);
      packed.add(row);
      packed.addNumber(result.timestamp() ^ Long.MIN_VALUE, 8);
      Varint.write(value.length, packed);
      packed.add(value);
    });
    summary.clear();
    keys.add(last);
    values.add(new Value(packed.toArray(), false));
  }
}
