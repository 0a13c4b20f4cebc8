package org.lexigraph.stages;

import java.util.List;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/** Keeps what <code>authorizations</code> may see, or with <code>filter_invalid</code> every label that parses. */
final class Visibility extends FilterStage {

  private final Labels labels;

  Visibility(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    List<byte[]> authorizations = options.byteStrings("authorizations", 0);
    Labels seen = Labels.seenBy(authorizations);
    labels = options.flag("filter_invalid", false) ? Labels.parsed() : seen;
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    return labels.accept(key.getColumnVisibilityData());
  }
}
