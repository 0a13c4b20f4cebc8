package org.lexigraph.iterators;

import com.google.gson.JsonArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.OptionDescriber;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;
import org.lexigraph.stages.Bounds;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageRegistry;
import org.lexigraph.stages.StageSpec;

/**
 * One stage as an iterator of Accumulo, by the options of section 1 of <code>docs/formats/accumulo.md</code>. Bad options
 * are refused when they are set ({@link #validateOptions}) and else at the first seek. The topmost one of a scan tells
 * counts and errors where its options ask for them (section 4).
 */
public final class StageIterator implements SortedKeyValueIterator<Key, Value>, OptionDescriber {

  private SortedKeyValueIterator<Key, Value> source;
  private StageOptions options;
  private StageSpec spec;
  private Tally tally;
  private SortedKeyValueIterator<Key, Value> stage;
  private MarkerKeeper keeper;
  private LexigraphException problem;
  /** Of the stages from the data up to this one; empty where this one does not tell. */
  private List<Tally> stack = List.of();

  private Range range;
  private Key noteKey;
  private Value note;
  private boolean ended;

  /** Made by Accumulo, which then calls {@link #init}. */
  public StageIterator() {}

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> below, Map<String, String> given, IteratorEnvironment env)
      throws IOException {
    source = below;
    tally = new Tally(given.getOrDefault("stage", "?"));
    try {
      options = new StageOptions(given);
      spec = options.spec();
      if (options.counts() != null) {
        countFromHere(options.counts());
      }
      open(env, true);
    } catch (LexigraphException error) {
      // Told at the first seek: there an iterator above can catch it.
      problem = error;
    }
  }

  @Override
  public void seek(Range wanted, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    noteKey = null;
    range = isBehindCounts(wanted) ? behindRow(wanted) : wanted;
    ended = range == null;
    if (ended) {
      return;
    }
    stack.forEach(Tally::begin);
    try {
      if (problem != null) {
        throw problem;
      }
      stage.seek(range, families, inclusive);
      settle();
    } catch (LexigraphException error) {
      fail(error);
    }
  }

  @Override
  public void next() throws IOException {
    if (noteKey != null) {
      noteKey = null;
      ended = true;
      return;
    }
    try {
      stage.next();
      settle();
    } catch (LexigraphException error) {
      fail(error);
    }
  }

  @Override
  public boolean hasTop() {
    return noteKey != null || !ended && stage.hasTop();
  }

  @Override
  public Key getTopKey() {
    return noteKey != null ? noteKey : stage.getTopKey();
  }

  @Override
  public Value getTopValue() {
    return noteKey != null ? note : stage.getTopValue();
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    StageIterator copy = new StageIterator();
    copy.source = source.deepCopy(env);
    copy.options = options;
    copy.spec = spec;
    copy.tally = tally;
    copy.problem = problem;
    try {
      if (problem == null) {
        // Only stages above read a copy; markers are put back above all of them.
        copy.open(env, false);
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return copy;
  }

  @Override
  public IteratorOptions describeOptions() {
    return new IteratorOptions(
        "lexigraph", "One stage of Lexigraph on a tablet server", StageOptions.NAMED, null);
  }

  @Override
  public boolean validateOptions(Map<String, String> given) {
    StageOptions read = new StageOptions(given);
    StageContext context = read.context(null);
    try {
      StageRegistry.stage(read.spec().name()).open(new Nothing(), read.spec(), context);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return true;
  }

  /** Starts this stage and those below it again, with another time than the server's. */
  void runAt(String now, IteratorEnvironment env) throws IOException {
    if (source instanceof StageIterator) {
      ((StageIterator) source).runAt(now, env);
    }
    if (problem == null) {
      options = options.at(now);
      keeper = null;
      open(env, true);
    }
  }

  private void open(IteratorEnvironment env, boolean keep) throws IOException {
    StageContext context = options.context(env);
    SortedKeyValueIterator<Key, Value> counted = new Counted(source, tally);
    if (!context.combines()) {
      stage = counted;
    } else if (keep && context.scope().keepsDeletes()) {
      MarkerKeeper lower = source instanceof StageIterator ? ((StageIterator) source).keeper : null;
      keeper = lower == null ? MarkerKeeper.on(counted) : lower.handUp(counted);
      keeper.keep(StageRegistry.stage(spec.name()).open(keeper.source(), spec, context));
      stage = keeper;
    } else {
      stage = StageRegistry.stage(spec.name()).open(counted, spec, context);
    }
  }

  private void countFromHere(String scan) {
    stack = new ArrayList<>();
    SortedKeyValueIterator<Key, Value> one = this;
    while (one instanceof StageIterator) {
      Tally counted = ((StageIterator) one).tally;
      counted.under(ScanCounters.of(scan, stack.size()));
      stack.add(0, counted);
      one = ((StageIterator) one).source;
    }
  }

  private boolean isBehindCounts(Range wanted) {
    Key start = wanted.getStartKey();
    return !stack.isEmpty()
        && start != null
        && !wanted.isStartKeyInclusive()
        && start.getColumnFamilyData().equals(Notes.countsFamily(options.counts()));
  }

  // Of the row that counts stand in all was given, by this tablet or by the one before. Null where
  // nothing is left: a stage might look back from an empty range, and there would be counts again.
  private static Range behindRow(Range wanted) {
    Key behind = Bounds.following(Bounds.row(wanted.getStartKey()));
    return wanted.afterEndKey(behind) ? null : Bounds.starting(wanted, behind);
  }

  private void settle() {
    if (stage.hasTop()) {
      tally.given();
    } else if (!stack.isEmpty() && stack.get(0).hasRead()) {
      Key key = Notes.key(Bounds.row(stack.get(0).last()), Notes.countsFamily(options.counts()));
      // A server goes on behind the last key it gave: that must not lie behind the range.
      if (!range.afterEndKey(key)) {
        JsonArray stages = new JsonArray();
        stack.forEach(one -> stages.add(one.drain()));
        noteKey = key;
        note = Notes.counts(stages);
      }
    }
  }

  private void fail(LexigraphException error) {
    if (options == null || options.errors() == null) {
      throw error;
    }
    Key start = range.getStartKey();
    byte[] row = start == null ? new byte[0] : Bounds.row(start);
    noteKey = Notes.key(row, Notes.errorFamily(options.errors()));
    note = Notes.error(error);
  }

  /** Counts the cells that a stage reads. */
  private static final class Counted extends Wrapped {
    private final Tally tally;

    private Counted(SortedKeyValueIterator<Key, Value> source, Tally tally) {
      super(source);
      this.tally = tally;
    }

    @Override
    void arrived(Key key) {
      tally.read(key);
    }

    @Override
    Wrapped around(SortedKeyValueIterator<Key, Value> copy) {
      return new Counted(copy, tally);
    }
  }
}
