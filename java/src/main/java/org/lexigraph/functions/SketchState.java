package org.lexigraph.functions;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;

/**
 * A state that is a sketch of Apache DataSketches or a bitmap: its bytes are those of the libraries, which read one
 * another's. Equal content may have different bytes.
 */
abstract class SketchState extends State {

  /** How many values a sketch may have seen, so that no sum of two leaves 64 bits. */
  private static final long MAX_SEEN = 1L << 62;

  final Codec codec;
  private final Kind kind;

  SketchState(Kind kind, Codec codec) {
    this.kind = kind;
    this.codec = codec;
  }

  /** Unites with a sketch in bytes; may throw anything. */
  abstract void unite(byte[] data);

  /** The bytes. */
  abstract byte[] bytes();

  @Override
  final void merge(Slice data, long timestamp) {
    try {
      unite(data.toArray());
    } catch (LexigraphException error) {
      throw error;
    } catch (RuntimeException | AssertionError | StackOverflowError error) {
      // The libraries throw many kinds of errors on bytes that are no sketch.
      throw new LexigraphException("InvalidBytes", "the state is not a valid '" + kind.word() + "': " + error.getMessage(), error);
    }
  }

  @Override
  public final void write(Buffer out) {
    out.add(bytes());
  }

  /** A number of so many bytes, little-endian, in the head of a sketch. */
  static long number(byte[] data, int from, int width) {
    require(from + width <= data.length, "its head is cut");
    long number = 0;
    for (int at = from + width - 1; at >= from; at--) {
      number = number << 8 | data[at] & 0xff;
    }
    return number;
  }

  /** Refuses what cannot be: the libraries take the head of a sketch at its word. */
  static void require(boolean holds, String why) {
    if (!holds) {
      throw LexigraphException.invalidBytes("the state is not a valid sketch: " + why);
    }
  }

  /** Refuses a sketch that says it has seen more values than there can be. */
  static void checkSeen(long count) {
    require(count >= 0 && count <= MAX_SEEN, "it has seen " + Long.toUnsignedString(count) + " values");
  }
}
