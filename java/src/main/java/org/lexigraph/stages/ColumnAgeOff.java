package org.lexigraph.stages;

import com.google.gson.JsonElement;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.json.Json;

/** Keeps what is at most as old as its column or else its family allows; others are kept. */
final class ColumnAgeOff extends FilterStage {

  private final ColumnMap<Long> ttls = new ColumnMap<>();
  private final long now;

  ColumnAgeOff(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    for (JsonElement item : options.items(options.required("ttls"), "ttls", 0)) {
      String what = "an entry of " + options.what("ttls");
      Options entry = new Options(what, Json.object(item, what));
      byte[] family = entry.bytes("family");
      byte[] qualifier = entry.optionalBytes("qualifier");
      ttls.add(family, qualifier, entry.number("ttl"), options.what("ttls"));
      entry.done();
    }
    now = AgeOff.clock(options, context);
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    Long ttl = ttls.get(key);
    return ttl == null || now - key.getTimestamp() <= ttl;
  }
}
