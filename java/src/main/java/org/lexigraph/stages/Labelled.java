package org.lexigraph.stages;

import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;

/** Keeps what has a label at all; one that cannot be parsed is InvalidVisibility. */
final class Labelled extends FilterStage {

  private final Labels labels = Labels.parsed();

  Labelled(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    ByteSequence label = key.getColumnVisibilityData();
    if (!labels.accept(label)) {
      throw new LexigraphException(
          "InvalidVisibility",
          "the label " + Bounds.show(label) + ": " + Labels.problem(label.toArray()));
    }
    return label.length() > 0;
  }
}
