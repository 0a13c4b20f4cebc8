package org.lexigraph.elements;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.functions.State;
import org.lexigraph.json.Node;
import org.lexigraph.plan.CellReader;
import org.lexigraph.plan.Kept;
import org.lexigraph.plan.Remake;
import org.lexigraph.plan.Rolled;
import org.lexigraph.security.Label;
import org.lexigraph.stages.CellStage;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/**
 * Merges elements of a row and family which agree in some of the group-by properties. Groups are read whole: all of a
 * row's family. Where the kept fields come first in the qualifier, results stream; otherwise all results of one row and
 * family are held in memory at once.
 */
final class RollUp extends CellStage {

  private static final Map<String, Boolean> LABELS = Map.of("merge", true, "keep", false);
  private static final int KNOWN_LABELS = 4096;

  private final Rolled rolled;
  private final CellReader reader;
  private final boolean mergesLabels;
  private final Buffer qualifier = new Buffer();
  /** Whether a label can be parsed and so merges with others. */
  private final Map<ByteSequence, Boolean> known = new HashMap<>();

  private final List<Bundle.Cell> ready = new ArrayList<>();
  private int given;
  private Range range;

  RollUp(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Node node = ElementStages.scanOptions(spec, context, List.of("plan"), "by", "visibility", "as", "aggregates");
    List<String> by = node.optional("by") == null ? List.of() : node.member("by").texts();
    mergesLabels = node.optional("visibility") == null || node.member("visibility").choice(LABELS);
    rolled = new Rolled(Plans.find(context, node.member("plan")), by, node.optional("aggregates"));
    reader = new CellReader(rolled.plan());
    if (node.unlessNull("as") != null) {
      Plans.publish(context, node.member("as").text(), rolled.output());
    }
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> families, boolean inclusive) throws IOException {
    range = wanted;
    ready.clear();
    given = 0;
    source.seek(Ranges.toFamilies(wanted), families, inclusive);
    advance();
  }

  @Override
  protected void advance() throws IOException {
    topKey = null;
    while (topKey == null) {
      if (given == ready.size()) {
        ready.clear();
        given = 0;
        if (!source.hasTop()) {
          return;
        }
        roll();
      } else {
        Bundle.Cell next = ready.get(given++);
        if (Ranges.contains(range, next.key)) {
          topKey = next.key;
          topValue = next.value;
        }
      }
    }
  }

  /** Gathers the next result where they stream, else all of the row's family; passes over groups that are not listed. */
  private void roll() throws IOException {
    Key first = new Key(source.getTopKey());
    int place = reader.place(first);
    if (place < 0) {
      while (isWithin(first)) {
        source.next();
      }
      return;
    }
    int group = reader.group(place);
    Kept kept = rolled.kept(group);
    TreeMap<byte[], Bundle> bundles = new TreeMap<>(Arrays::compareUnsigned);
    while (isWithin(first)) {
      byte[] rest = rest(place, kept);
      Bundle bundle = bundles.get(rest);
      if (bundle == null) {
        if (kept.isPrefix() && !bundles.isEmpty()) {
          break;
        }
        bundle = new Bundle(rolled.output().value(group));
        bundles.put(rest, bundle);
      }
      fold(place, bundle);
      source.next();
    }
    boolean passesOn = rolled.remake(group) == null;
    bundles.forEach((rest, bundle) -> bundle.addTo(ready, first, rest, passesOn));
  }

  private boolean isWithin(Key first) {
    return source.hasTop() && source.getTopKey().equals(first, PartialKey.ROW_COLFAM);
  }

  private byte[] rest(int place, Kept kept) {
    reader.readQualifier(place, source.getTopKey());
    qualifier.clear();
    reader.writeKept(place, kept, qualifier);
    return qualifier.toArray();
  }

  private void fold(int place, Bundle bundle) {
    Key key = source.getTopKey();
    Value value = source.getTopValue();
    State[] states = bundle.of(key, value, mergesLabels && isParsed(key.getColumnVisibilityData()));
    Remake remake = rolled.remake(reader.group(place));
    if (remake == null) {
      reader.fold(place, key, value, states);
    } else {
      remake.fold(reader.read(key, value), states);
    }
  }

  private boolean isParsed(ByteSequence label) {
    Boolean parsed = known.get(label);
    if (parsed == null) {
      if (known.size() >= KNOWN_LABELS) {
        known.clear();
      }
      parsed = parses(label.toArray());
      known.put(new ArrayByteSequence(label.toArray()), parsed);
    }
    return parsed;
  }

  private static boolean parses(byte[] label) {
    try {
      Label.conjunction(List.of(label));
      return true;
    } catch (LexigraphException error) {
      return false;
    }
  }
}
