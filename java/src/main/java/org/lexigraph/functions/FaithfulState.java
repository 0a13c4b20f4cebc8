package org.lexigraph.functions;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;

/** A value that nothing aggregates; two of them cannot be merged. */
final class FaithfulState extends State {

  private final Codec codec;
  private Object value;

  FaithfulState(Codec codec) {
    this.codec = codec;
  }

  @Override
  void merge(Slice data, long timestamp) {
    take(codec.readValue(data), timestamp);
  }

  @Override
  void take(Object given, long timestamp) {
    if (isPresent()) {
      throw LexigraphException.invalidOption("a property without an aggregator cannot be merged");
    }
    value = given;
  }

  @Override
  public void write(Buffer out) {
    codec.writeValue(value, out);
  }

  @Override
  public Object finish() {
    return value;
  }

  @Override
  void clear() {
    value = null;
  }
}
