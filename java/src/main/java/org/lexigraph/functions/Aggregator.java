package org.lexigraph.functions;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Slice;

/** One aggregator over the values of one codec: opens states, and looks into those in bytes. Has no state itself. */
public final class Aggregator {

  private final Aggregate aggregate;
  private final Codec codec;

  /** Binds an aggregator to a codec; InvalidOption for one that it does not work over. */
  public Aggregator(Aggregate aggregate, Codec codec) {
    if (!fits(aggregate, codec)) {
      throw LexigraphException.invalidOption(
          "aggregator '" + aggregate.kind().word() + "' does not work over '" + codec.name() + "'");
    }
    this.aggregate = aggregate;
    this.codec = aggregate.kind() == Kind.COUNT ? Codecs.INT : codec;
  }

  private static boolean fits(Aggregate aggregate, Codec codec) {
    switch (aggregate.kind()) {
      case SUM:
      case PRODUCT:
        return codec == Codecs.INT || codec == Codecs.FLOAT || codec == Codecs.DECIMAL;
      case AND:
      case OR:
        return codec == Codecs.BOOL;
      case CONCAT:
        return codec == Codecs.STR;
      case FREQUENCY_MAP:
      case FREQUENT_ITEMS:
        // A Python dict treats 1, 1.0 and True as the same key.
        return codec != Codecs.ANY;
      case BITMAP:
        return codec == Codecs.INT || codec == Codecs.INT8 || codec == Codecs.INT16 || codec == Codecs.INT32
            || codec == Codecs.INT64;
      case TIME_SERIES:
        return codec == Codecs.DATETIME || codec == Codecs.NAIVE_DATETIME
            || codec == Codecs.DATE && aggregate.bucket().isDays();
      default:
        return true;
    }
  }

  /** Which one it is. */
  public Kind kind() {
    return aggregate.kind();
  }

  /** The codec of its values. */
  public Codec codec() {
    return codec;
  }

  /** The codec of the finished value, by which it is compared; null for a collection. */
  public Codec result() {
    if (kind().isCollection()) {
      return null;
    }
    return kind() == Kind.HLL || kind() == Kind.THETA ? Codecs.FLOAT : codec;
  }

  /** Whether it finishes to pairs of key and number. */
  public boolean isMap() {
    return kind().isMap();
  }

  /** A state of nothing. */
  public State open() {
    switch (kind()) {
      case SUM:
      case PRODUCT:
      case COUNT:
        return openNumber();
      case MIN:
      case MAX:
        return new ExtremeState(codec, kind() == Kind.MAX);
      case AND:
      case OR:
        return new FlagState(kind() == Kind.AND);
      case FIRST:
      case LAST:
        return new TimedState(codec, kind() == Kind.LAST);
      case SET:
        return new SetState(codec);
      case FREQUENCY_MAP:
        return new CountsState(codec, null);
      case TIME_SERIES:
        return new CountsState(codec, aggregate.bucket());
      case HLL:
        return new HllState(codec, aggregate.size());
      case THETA:
        return new ThetaState(codec, aggregate.size());
      case QUANTILES:
        return new QuantilesState(codec, aggregate.size());
      case FREQUENT_ITEMS:
        return new FrequentState(codec, aggregate.size());
      case BITMAP:
        return new BitmapState(codec);
      case FAITHFUL:
        return new FaithfulState(codec);
      default:
        return new BagState(aggregate, codec);
    }
  }

  private State openNumber() {
    if (codec == Codecs.INT) {
      return new IntegerState(kind());
    }
    boolean multiplies = kind() == Kind.PRODUCT;
    return codec == Codecs.FLOAT ? new FloatState(multiplies) : new DecimalState(multiplies);
  }

  /** Makes a slice show the key form of the finished value of a state; false for null and for collections. */
  public boolean key(Slice state, Slice out, Buffer scratch) {
    if (result() == null) {
      return false;
    }
    if (!stored(state, out)) {
      scratch.clear();
      result().writeKey(finish(state), scratch);
      scratch.show(0, out);
      return true;
    }
    codec.checkValue(out);
    if (codec.isNull(out)) {
      return false;
    }
    if (!codec.storesKeys()) {
      scratch.clear();
      codec.keyOfValue(out, scratch);
      scratch.show(0, out);
    }
    return true;
  }

  /** Whether the finished value of a state is null. */
  public boolean isNull(Slice state) {
    Slice stored = new Slice();
    return stored(state, stored) && codec.isNull(stored);
  }

  /** The finished value of a state in bytes. */
  public Object finish(Slice state) {
    Slice stored = new Slice();
    if (stored(state, stored)) {
      return codec.readValue(stored);
    }
    State held = open();
    held.fold(state, 0);
    return held.finish();
  }

  /** Makes a slice show the value form of the finished value; false where it is not in the state as it is. */
  private boolean stored(Slice state, Slice out) {
    switch (kind()) {
      case FIRST:
      case LAST:
        TimedState.stored(state, out);
        return true;
      case SUM:
      case PRODUCT:
      case MIN:
      case MAX:
      case AND:
      case OR:
      case COUNT:
      case FAITHFUL:
        out.set(state);
        return true;
      default:
        return false;
    }
  }
}
