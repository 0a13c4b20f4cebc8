package org.lexigraph.codec;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lexigraph.Extensions;
import org.lexigraph.LexigraphException;

/** Codecs by name, as key plans refer to them. The names are stored: never rename one. */
public final class Codecs {

  public static final Codec NULL = new NullCodec();
  public static final Codec BOOL = new BoolCodec();
  public static final Codec INT = new IntCodec();
  public static final Codec INT8 = new FixedIntCodec(8);
  public static final Codec INT16 = new FixedIntCodec(16);
  public static final Codec INT32 = new FixedIntCodec(32);
  public static final Codec INT64 = new FixedIntCodec(64);
  public static final Codec FLOAT = new FloatCodec(64);
  public static final Codec FLOAT32 = new FloatCodec(32);
  public static final Codec DECIMAL = new DecimalCodec();
  public static final Codec STR = new TextCodec();
  public static final Codec BYTES = new BytesCodec();
  public static final Codec DATE = new DateCodec();
  public static final Codec TIME = new TimeCodec();
  public static final Codec NAIVE_DATETIME = new DatetimeCodec(TypeBytes.NAIVE_DATETIME);
  public static final Codec DATETIME = new DatetimeCodec(TypeBytes.DATETIME);
  public static final Codec TIMEDELTA = new TimedeltaCodec();
  public static final Codec UUID = new UuidCodec();
  public static final Codec IP = new IpCodec();
  public static final Codec GEO = new GeoCodec();
  public static final AnyCodec ANY = new AnyCodec();

  /** The codec of the payload behind a type byte of a self-describing value. */
  static final Codec[] PAYLOADS = payloads();

  private static final Map<String, Codec> NAMED = named();

  private Codecs() {}

  /** The codec of that name; InvalidOption where there is none. */
  public static Codec named(String name) {
    Codec codec = NAMED.get(name);
    if (codec == null) {
      throw LexigraphException.invalidOption(
          "there is no codec '" + name + "'; available: " + String.join(", ", NAMED.keySet()));
    }
    return codec;
  }

  /** The codec of one part of a key; <code>nulls</code> is null where null is refused. */
  public static Codec part(Codec codec, boolean descending, Nulls nulls) {
    Codec ordered = descending ? new Descending(codec) : codec;
    return nulls == null ? ordered : new Nullable(ordered, nulls);
  }

  private static Codec[] payloads() {
    Codec[] found = new Codec[TypeBytes.GEO + 1];
    found[TypeBytes.NULL] = NULL;
    found[TypeBytes.BOOL] = BOOL;
    found[TypeBytes.INT] = INT;
    found[TypeBytes.INT8] = INT8;
    found[TypeBytes.INT16] = INT16;
    found[TypeBytes.INT32] = INT32;
    found[TypeBytes.INT64] = INT64;
    found[TypeBytes.BIGINT] = INT;
    found[TypeBytes.FLOAT] = FLOAT;
    found[TypeBytes.FLOAT32] = FLOAT32;
    found[TypeBytes.DECIMAL] = DECIMAL;
    found[TypeBytes.STR] = STR;
    found[TypeBytes.BYTES] = BYTES;
    found[TypeBytes.DATE] = DATE;
    found[TypeBytes.TIME] = TIME;
    found[TypeBytes.NAIVE_DATETIME] = NAIVE_DATETIME;
    found[TypeBytes.DATETIME] = DATETIME;
    found[TypeBytes.TIMEDELTA] = TIMEDELTA;
    found[TypeBytes.UUID] = UUID;
    found[TypeBytes.IP] = IP;
    found[TypeBytes.GEO] = GEO;
    return found;
  }

  private static Map<String, Codec> named() {
    Map<String, Codec> found = new TreeMap<>();
    for (Codec codec : List.of(
        NULL, BOOL, INT, INT8, INT16, INT32, INT64, FLOAT, FLOAT32, DECIMAL, STR, BYTES, DATE, TIME,
        NAIVE_DATETIME, DATETIME, TIMEDELTA, UUID, IP, GEO, ANY)) {
      found.put(codec.name(), codec);
    }
    Extensions.addTo(
        found, one -> one.codecs().stream().collect(Collectors.toMap(Codec::name, codec -> codec)));
    return found;
  }
}
