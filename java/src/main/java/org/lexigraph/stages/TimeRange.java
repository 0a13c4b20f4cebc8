package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidOption;

import java.util.OptionalLong;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Keeps what lies between <code>start</code> and <code>end</code>; one of them must be given. */
final class TimeRange extends FilterStage {

  private final long start;
  private final long end;
  private final boolean startExclusive;
  private final boolean endExclusive;

  TimeRange(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    OptionalLong first = options.optionalNumber("start");
    OptionalLong last = options.optionalNumber("end");
    start = first.orElse(Long.MIN_VALUE);
    end = last.orElse(Long.MAX_VALUE);
    startExclusive = !options.flag("start_inclusive", true) && first.isPresent();
    endExclusive = !options.flag("end_inclusive", true) && last.isPresent();
    options.done();
    if (first.isEmpty() && last.isEmpty()) {
      throw invalidOption("stage 'time-range' needs the option 'start', 'end' or both");
    }
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    long time = key.getTimestamp();
    return time >= start
        && time <= end
        && !(startExclusive && time == start)
        && !(endExclusive && time == end);
  }
}
