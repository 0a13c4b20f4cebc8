package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidOption;

import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Keeps what is at most <code>ttl</code> old. Ages are computed in 64 bits and wrap, as in Accumulo. */
final class AgeOff extends FilterStage {

  private final long ttl;
  private final long now;

  AgeOff(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    ttl = options.number("ttl");
    now = clock(options, context);
    options.done();
  }

  /** The option <code>now</code>, or else the clock of the scan or merge. */
  static long clock(Options options, StageContext context) {
    return options.optionalNumber("now").orElseGet(() -> context.now().orElseThrow(
        () -> invalidOption(options.what("now") + " is needed: there is no clock in this table's unit")));
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    return now - key.getTimestamp() <= ttl;
  }
}
