package org.lexigraph.elements;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Varint;
import org.lexigraph.functions.State;
import org.lexigraph.json.Node;
import org.lexigraph.plan.CellReader;
import org.lexigraph.plan.Element;
import org.lexigraph.plan.Plan;
import org.lexigraph.plan.PlanField;
import org.lexigraph.stages.CellStage;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/**
 * Gives one cell for each distinct combination of some fields, with the states of measures over all elements of the
 * source. Results are held in memory; nothing is given before the last element was read. Readers finish the states.
 */
final class Summarise extends CellStage {

  private static final int FORMAT_VERSION = 1;
  private static final byte[] NONE = {};

  private static final class Result {
    final State[] states;
    long timestamp = Long.MIN_VALUE;

    Result(List<Measure> measures) {
      states = new State[measures.size()];
      for (int at = 0; at < states.length; at++) {
        states[at] = measures.get(at).open();
      }
    }
  }

  private final CellReader reader;
  private final List<PlanField> by = new ArrayList<>();
  private final List<Measure> measures = new ArrayList<>();
  private Iterator<Map.Entry<byte[], Result>> results;
  private Range range;

  Summarise(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Node node = ElementStages.scanOptions(spec, context, List.of("plan", "measures"), "by");
    Plan plan = Plans.find(context, node.member("plan"));
    Set<String> names = new HashSet<>();
    List<String> fields = node.optional("by") == null ? List.of() : node.member("by").texts();
    for (Node item : node.member("measures").items()) {
      measures.add(new Measure(plan, item));
      column(measures.get(measures.size() - 1).name(), names);
    }
    for (String name : fields) {
      by.add(plan.fields().locate(name));
      column(name, names);
    }
    reader = new CellReader(plan);
  }

  private static void column(String name, Set<String> names) {
    if (!names.add(name)) {
      throw LexigraphException.invalidOption("summarise gives two columns of the name '" + name + "'");
    }
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> families, boolean inclusive) throws IOException {
    range = wanted;
    source.seek(new Range(), families, inclusive);
    results = gather().entrySet().iterator();
    advance();
  }

  private TreeMap<byte[], Result> gather() throws IOException {
    TreeMap<byte[], Result> gathered = new TreeMap<>(Arrays::compareUnsigned);
    Buffer row = new Buffer();
    for (; source.hasTop(); source.next()) {
      Element element = reader.read(source.getTopKey(), source.getTopValue());
      if (element == null) {
        continue;
      }
      row.clear();
      for (PlanField field : by) {
        Codecs.ANY.writeKey(field.value(element), row);
      }
      Result result = gathered.computeIfAbsent(row.toArray(), missing -> new Result(measures));
      result.timestamp = Math.max(result.timestamp, element.timestamp());
      for (int at = 0; at < result.states.length; at++) {
        measures.get(at).add(element, result.states[at]);
      }
    }
    return gathered;
  }

  @Override
  protected void advance() {
    topKey = null;
    while (topKey == null && results.hasNext()) {
      Map.Entry<byte[], Result> next = results.next();
      Key key = new Key(next.getKey(), NONE, NONE, NONE, next.getValue().timestamp, false, false);
      if (Ranges.contains(range, key)) {
        topKey = key;
        topValue = value(next.getValue());
      }
    }
  }

  private static Value value(Result result) {
    Buffer out = new Buffer();
    Buffer scratch = new Buffer();
    out.add(FORMAT_VERSION);
    for (State state : result.states) {
      if (state.isPresent()) {
        scratch.clear();
        state.write(scratch);
        Varint.write(scratch.length() + 1L, out);
        out.add(scratch);
      } else {
        out.add(0);
      }
    }
    return new Value(out.toArray(), false);
  }
}
