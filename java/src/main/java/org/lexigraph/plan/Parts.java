package org.lexigraph.plan;

import java.util.Arrays;
import java.util.List;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;

/** The parts of a row, family or qualifier, compiled: cuts keys, and refuses exactly what the codecs refuse. */
final class Parts {

  /** For each part its const, or null where it is a field. */
  private final byte[][] constants;
  /** For each part its field, or null where it is a const. */
  private final KeyField[] fields;

  Parts(List<Part> parts) {
    constants = new byte[parts.size()][];
    fields = new KeyField[parts.size()];
    for (int at = 0; at < parts.size(); at++) {
      constants[at] = parts.get(at).constant;
      fields[at] = parts.get(at).isField() ? new KeyField(parts.get(at)) : null;
    }
  }

  int size() {
    return constants.length;
  }

  /** The field at a place; null for a const. */
  KeyField field(int at) {
    return fields[at];
  }

  /** Cuts all of <code>data</code>; false where it does not fit. */
  boolean read(Slice data, Spans spans, Buffer scratch) {
    try {
      return misfit(data, spans, scratch) == null;
    } catch (LexigraphException error) {
      return false;
    }
  }

  /** Why {@link #read} does not fit; null where it does. */
  String why(Slice data, Spans spans, Buffer scratch) {
    try {
      return misfit(data, spans, scratch);
    } catch (LexigraphException error) {
      return error.text();
    }
  }

  private String misfit(Slice data, Spans spans, Buffer scratch) {
    spans.start(data);
    Slice rest = new Slice();
    int at = data.from();
    for (int part = 0; part < constants.length; part++) {
      byte[] expected = constants[part];
      int end;
      if (expected != null) {
        end = at + expected.length;
        if (end > data.to() || !Arrays.equals(data.data(), at, end, expected, 0, expected.length)) {
          return "a const is missing";
        }
      } else {
        end = at + fields[part].measure(rest.set(data.data(), at, data.to()), scratch);
      }
      spans.set(part, at, end);
      at = end;
    }
    return at == data.to() ? null : "bytes follow the last part";
  }
}
