package org.lexigraph.functions;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.IntCodec;
import org.lexigraph.codec.Tuple;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

/** Distinct integers from 0 to 2^64 - 1, as a 64-bit Roaring bitmap in the portable form. */
final class BitmapState extends SketchState {

  private Roaring64NavigableMap bitmap;

  BitmapState(Codec codec) {
    super(Kind.BITMAP, codec);
    clear();
  }

  @Override
  void unite(byte[] data) {
    Roaring64NavigableMap other = new Roaring64NavigableMap();
    try {
      other.deserializePortable(new DataInputStream(new ByteArrayInputStream(data)));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    require(Arrays.equals(data, bytes(other)), "it is not in its shortest form");
    bitmap.or(other);
  }

  @Override
  void take(Object value, long timestamp) {
    codec.writeKey(value, new Buffer());
    BigInteger number = IntCodec.big(value);
    if (number.signum() < 0 || number.bitLength() > Long.SIZE) {
      throw LexigraphException.invalidValue("a bitmap holds integers from 0 to 2^64 - 1, not " + number);
    }
    bitmap.addLong(number.longValue());
  }

  @Override
  byte[] bytes() {
    return bytes(bitmap);
  }

  private static byte[] bytes(Roaring64NavigableMap from) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      from.runOptimize();
      from.serializePortable(new DataOutputStream(out));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return out.toByteArray();
  }

  @Override
  public Object finish() {
    List<Object> members = new ArrayList<>();
    for (LongIterator each = bitmap.getLongIterator(); each.hasNext(); ) {
      long member = each.next();
      members.add(member >= 0 ? (Object) member : new BigInteger(Long.toUnsignedString(member)));
    }
    return new Tuple(members);
  }

  @Override
  void clear() {
    bitmap = new Roaring64NavigableMap();
  }
}
