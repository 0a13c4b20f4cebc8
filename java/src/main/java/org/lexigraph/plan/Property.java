package org.lexigraph.plan;

import java.util.Objects;
import org.lexigraph.codec.Codec;
import org.lexigraph.functions.Aggregate;
import org.lexigraph.functions.Aggregator;
import org.lexigraph.functions.Kind;

/** A property inside a value. */
final class Property {

  final long id;
  final String field;
  final Codec codec;
  /** Null where nothing aggregates it: then the state is the value. */
  final Aggregate aggregate;

  Property(long id, String field, Codec codec, Aggregate aggregate) {
    this.id = id;
    this.field = field;
    this.codec = codec;
    this.aggregate = aggregate;
  }

  /** How its states are merged and finished. */
  Aggregator aggregator() {
    return new Aggregator(aggregate == null ? Aggregate.of(Kind.FAITHFUL) : aggregate, codec);
  }

  /** Whether another one has the same states. */
  boolean isSame(Property other) {
    return id == other.id
        && field.equals(other.field)
        && codec == other.codec
        && Objects.equals(aggregate, other.aggregate);
  }
}
