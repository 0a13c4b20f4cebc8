package org.lexigraph.functions;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;

/** Whether all are true, or any is. */
final class FlagState extends State {

  private final boolean all;
  private boolean flag;

  FlagState(boolean all) {
    this.all = all;
    clear();
  }

  @Override
  void merge(Slice data, long timestamp) {
    take(Codecs.BOOL.readValue(data), timestamp);
  }

  @Override
  void take(Object value, long timestamp) {
    flag = all ? flag && (Boolean) value : flag || (Boolean) value;
  }

  @Override
  public void write(Buffer out) {
    out.add(flag ? 1 : 0);
  }

  @Override
  public Object finish() {
    return flag;
  }

  @Override
  void clear() {
    flag = all;
  }
}
