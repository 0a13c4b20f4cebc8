package org.lexigraph.codec;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.lexigraph.LexigraphException;

/**
 * Values that say their own type: one type byte, then the payload. In keys a number's width, and whether a sequence was
 * list or tuple, do not count; in values everything comes back as it was. Nesting is limited, so that neither a value
 * nor hostile bytes can exhaust the stack.
 */
public final class AnyCodec extends Codec {

  private static final int MAX_DEPTH = 32;

  AnyCodec() {
    super("any");
  }

  @Override
  public void writePart(Object value, Buffer out) {
    writeKey(value, 0, out);
  }

  @Override
  public Object readPart(ByteReader in) {
    return readKey(in, 0);
  }

  @Override
  public void writeValue(Object value, Buffer out) {
    writeValue(value, 0, out);
  }

  @Override
  public Object readValue(Slice data) {
    return readValue(data, 0);
  }

  @Override
  public boolean storesKeys() {
    return false;
  }

  @Override
  public boolean isNull(Slice data) {
    return data.length() == 1 && data.at(0) == TypeBytes.NULL;
  }

  private void writeKey(Object value, int depth, Buffer out) {
    int type = keyType(typeOf(value));
    out.add(type);
    if (type != TypeBytes.TUPLE) {
      payload(type).writePart(value, out);
      return;
    }
    if (depth >= MAX_DEPTH) {
      throw LexigraphException.invalidValue(tooDeep());
    }
    for (Object item : ListCodec.itemsOf(value)) {
      writeKey(item, depth + 1, out);
    }
    out.add(TypeBytes.END);
  }

  private Object readKey(ByteReader in, int depth) {
    int type = in.readByte(name());
    if (type != TypeBytes.TUPLE) {
      Codec payload = keyType(type) == type ? payload(type) : null;
      if (payload == null) {
        throw refused("has no keys of type " + Integer.toHexString(type));
      }
      return payload.readPart(in);
    }
    if (depth >= MAX_DEPTH) {
      throw LexigraphException.invalidBytes(tooDeep());
    }
    List<Object> items = new ArrayList<>();
    while (in.peek() != TypeBytes.END) {
      items.add(readKey(in, depth + 1));
    }
    in.readByte(name());
    return new Tuple(items);
  }

  private void writeValue(Object value, int depth, Buffer out) {
    int type = typeOf(value);
    out.add(type);
    if (type != TypeBytes.TUPLE && type != TypeBytes.LIST) {
      payload(type).writeValue(value, out);
      return;
    }
    if (depth >= MAX_DEPTH) {
      throw LexigraphException.invalidValue(tooDeep());
    }
    Buffer scratch = new Buffer();
    for (Object item : ListCodec.itemsOf(value)) {
      scratch.clear();
      writeValue(item, depth + 1, scratch);
      Varint.write(scratch.length(), out);
      out.add(scratch);
    }
  }

  private Object readValue(Slice data, int depth) {
    if (data.isEmpty()) {
      throw refused("reads at least one byte");
    }
    int type = data.at(0);
    Slice rest = new Slice(data.data(), data.from() + 1, data.to());
    if (type == TypeBytes.TUPLE || type == TypeBytes.LIST) {
      List<Object> items = readItems(rest, depth);
      return type == TypeBytes.TUPLE ? new Tuple(items) : items;
    }
    Codec payload = payload(type);
    if (payload == null) {
      throw refused("has no values of type " + Integer.toHexString(type));
    }
    Object value = payload.readValue(rest);
    return keyType(type) == type ? value : new Sized(type, (Number) value);
  }

  private List<Object> readItems(Slice data, int depth) {
    if (depth >= MAX_DEPTH) {
      throw LexigraphException.invalidBytes(tooDeep());
    }
    List<Object> items = new ArrayList<>();
    for (Slice item : ListCodec.split(data, name())) {
      items.add(readValue(item, depth + 1));
    }
    return items;
  }

  private static String tooDeep() {
    return "tuples and lists nest at most " + MAX_DEPTH + " deep";
  }

  private static int keyType(int type) {
    switch (type) {
      case TypeBytes.INT8:
      case TypeBytes.INT16:
      case TypeBytes.INT32:
      case TypeBytes.INT64:
      case TypeBytes.BIGINT:
        return TypeBytes.INT;
      case TypeBytes.FLOAT32:
        return TypeBytes.FLOAT;
      case TypeBytes.LIST:
        return TypeBytes.TUPLE;
      default:
        return type;
    }
  }

  private int typeOf(Object value) {
    if (value == null) {
      return TypeBytes.NULL;
    } else if (value instanceof Boolean) {
      return TypeBytes.BOOL;
    } else if (value instanceof Long || value instanceof BigInteger) {
      return TypeBytes.INT;
    } else if (value instanceof Sized) {
      return ((Sized) value).type();
    } else if (value instanceof Double) {
      return TypeBytes.FLOAT;
    } else if (value instanceof Decimal) {
      return TypeBytes.DECIMAL;
    } else if (value instanceof String) {
      return TypeBytes.STR;
    } else if (value instanceof byte[]) {
      return TypeBytes.BYTES;
    } else if (value instanceof Moment) {
      return ((Moment) value).type();
    } else if (value instanceof Timedelta) {
      return TypeBytes.TIMEDELTA;
    } else if (value instanceof UUID) {
      return TypeBytes.UUID;
    } else if (value instanceof Ip) {
      return TypeBytes.IP;
    } else if (value instanceof GeoPoint) {
      return TypeBytes.GEO;
    } else if (value instanceof Tuple) {
      return TypeBytes.TUPLE;
    } else if (value instanceof List) {
      return TypeBytes.LIST;
    }
    throw wrong(value);
  }

  private static Codec payload(int type) {
    return type < Codecs.PAYLOADS.length ? Codecs.PAYLOADS[type] : null;
  }
}
