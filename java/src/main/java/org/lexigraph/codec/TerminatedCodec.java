package org.lexigraph.codec;

/** A codec whose key form is any bytes: inside a longer key it is escaped and ends with 00. */
abstract class TerminatedCodec extends Codec {

  TerminatedCodec(String name) {
    super(name);
  }

  /** The key form. */
  abstract byte[] bytes(Object value);

  @Override
  public void writeKey(Object value, Buffer out) {
    out.add(bytes(value));
  }

  @Override
  public void writePart(Object value, Buffer out) {
    Escape.escape(bytes(value), out);
    out.add(0);
  }

  @Override
  public Object readPart(ByteReader in) {
    Buffer plain = new Buffer();
    Escape.unescape(new Slice(in.untilZero(name())), plain);
    return readKey(new Slice(plain.toArray()));
  }

  @Override
  public abstract Object readKey(Slice data);

  @Override
  public abstract void checkKey(Slice data);

  @Override
  public void checkValue(Slice data) {
    checkKey(data);
  }

  @Override
  public boolean isTerminated() {
    return true;
  }
}
