package org.lexigraph.functions;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;

/** A sum or a product of floats. */
final class FloatState extends State {

  private final boolean multiplies;
  private double number;

  FloatState(boolean multiplies) {
    this.multiplies = multiplies;
  }

  @Override
  void merge(Slice data, long timestamp) {
    merge((Double) Codecs.FLOAT.readValue(data));
  }

  @Override
  void take(Object value, long timestamp) {
    merge((Double) value);
  }

  private void merge(double other) {
    if (!isPresent()) {
      // A lone -0.0 stays what it is: adding it to 0.0 would not.
      number = other;
    } else if (multiplies) {
      number *= other;
    } else {
      number += other;
    }
  }

  @Override
  public void write(Buffer out) {
    Codecs.FLOAT.writeValue(number, out);
  }

  @Override
  public Object finish() {
    return number;
  }

  @Override
  void clear() {
    number = 0;
  }
}
