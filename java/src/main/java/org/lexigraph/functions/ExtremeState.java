package org.lexigraph.functions;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;

/** The smallest or largest value by key form; of equal ones the one with the smaller value bytes. */
final class ExtremeState extends State {

  private final Codec codec;
  private final boolean largest;
  private final Buffer value = new Buffer();
  private final Buffer key = new Buffer();
  private final Buffer otherKey = new Buffer();
  private final Slice held = new Slice();
  private final Slice other = new Slice();

  ExtremeState(Codec codec, boolean largest) {
    this.codec = codec;
    this.largest = largest;
  }

  @Override
  void merge(Slice data, long timestamp) {
    codec.checkValue(data);
    otherKey.clear();
    codec.keyOfValue(data, otherKey);
    if (!isPresent() || replaces(data)) {
      value.clear();
      value.add(data);
      key.clear();
      key.add(otherKey);
    }
  }

  private boolean replaces(Slice data) {
    key.show(0, held);
    otherKey.show(0, other);
    int order = other.compare(held);
    if (order == 0) {
      value.show(0, held);
      return data.compare(held) < 0;
    }
    return order > 0 == largest;
  }

  @Override
  void take(Object given, long timestamp) {
    Buffer written = new Buffer();
    codec.writeValue(given, written);
    merge(new Slice(written.toArray()), timestamp);
  }

  @Override
  public void write(Buffer out) {
    out.add(value);
  }

  @Override
  public Object finish() {
    return codec.readValue(new Slice(value.toArray()));
  }

  @Override
  void clear() {
    value.clear();
    key.clear();
  }
}
