package org.lexigraph.functions;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;

/** The smallest or largest value by key form; of equal ones the one with the smaller value bytes. */
final class ExtremeState extends State {

  private final Codec codec;
  private final boolean largest;
  private final Buffer value = new Buffer();
  /** The key form; empty where the value is its own. */
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
    otherKey.clear();
    if (codec.storesKeys()) {
      codec.checkValue(data);
    } else {
      codec.keyOfValue(data, otherKey);
    }
    if (!isPresent() || replaces(data)) {
      value.clear();
      value.add(data);
      key.clear();
      key.add(otherKey);
    }
  }

  private boolean replaces(Slice data) {
    value.show(0, held);
    int order = data.compare(held);
    if (!codec.storesKeys()) {
      key.show(0, held);
      otherKey.show(0, other);
      int byKey = other.compare(held);
      if (byKey == 0) {
        return order < 0;
      }
      order = byKey;
    }
    return order != 0 && order > 0 == largest;
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
