package org.lexigraph.elements;

import java.io.IOException;
import java.util.Collection;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.codec.Buffer;
import org.lexigraph.functions.State;
import org.lexigraph.json.Node;
import org.lexigraph.plan.CellReader;
import org.lexigraph.plan.Plan;
import org.lexigraph.stages.Bounds;
import org.lexigraph.stages.CellStage;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/**
 * Combines the versions of one column, property by property; the result has the newest timestamp. Nothing is combined
 * across a delete marker, nor in a merge where an unseen cell could lie between two seen ones. A lone cell is passed on
 * as it is, unread, and so are cells of groups that the plan does not list.
 */
final class Aggregate extends CellStage {

  private final Plan plan;
  private final CellReader reader;
  private final boolean combines;
  /** By number of group; made when the first element of the group is combined. */
  private final State[][] states;

  private final Buffer written = new Buffer();
  private final Buffer scratch = new Buffer();
  private Range range;

  Aggregate(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Node node = ElementStages.options(spec);
    plan = Plans.find(context, node.member("plan"));
    plan.checkMergeable(spec.name());
    reader = new CellReader(plan);
    combines = context.combines();
    states = new State[plan.groupCount()][];
  }

  @Override
  protected void begin(Range wanted, Collection<ByteSequence> families, boolean inclusive) throws IOException {
    range = wanted;
    source.seek(combines ? Ranges.toColumns(wanted) : wanted, families, inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    if (!combines) {
      source.next();
    }
    settle();
  }

  /** Moves to the next result; where cells are combined, the source stands behind its cells. */
  private void settle() throws IOException {
    if (!combines) {
      takeSource();
      return;
    }
    while (source.hasTop()) {
      topKey = new Key(source.getTopKey());
      topValue = new Value(source.getTopValue());
      source.next();
      combine();
      if (Ranges.contains(range, topKey)) {
        return;
      }
    }
    topKey = null;
  }

  /** Merges what follows into the top, up to the next column or delete marker. */
  private void combine() throws IOException {
    if (!isFollowed()) {
      return;
    }
    int place = reader.place(topKey);
    if (place < 0) {
      return;
    }
    reader.readQualifier(place, topKey);
    State[] held = statesOf(reader.group(place));
    for (State state : held) {
      state.reset();
    }
    reader.fold(place, topKey, topValue, held);
    do {
      reader.fold(place, source.getTopKey(), source.getTopValue(), held);
      source.next();
    } while (isFollowed());
    written.clear();
    plan.value(reader.group(place)).write(held, written, scratch);
    topValue = new Value(written.toArray(), false);
  }

  private boolean isFollowed() {
    return !topKey.isDeleted()
        && source.hasTop()
        && !source.getTopKey().isDeleted()
        && Bounds.sameColumn(topKey, source.getTopKey());
  }

  private State[] statesOf(int group) {
    if (states[group] == null) {
      states[group] = plan.value(group).open();
    }
    return states[group];
  }
}
