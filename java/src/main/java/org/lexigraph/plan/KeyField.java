package org.lexigraph.plan;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.ByteReader;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Escape;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.TypeBytes;

/** A field inside a key, ready to be read. Its own bytes are those that it takes up there. */
final class KeyField {

  private final Part part;
  private final Codec codec;
  /** The codec with its order and nulls. */
  private final Codec bound;

  KeyField(Part part) {
    this.part = part;
    codec = part.codec;
    bound = Codecs.part(part.codec, part.descending, part.nulls);
  }

  /** How many bytes the field takes up at the start of <code>rest</code>; InvalidBytes where it does not fit. */
  int measure(Slice rest, Buffer scratch) {
    switch (part.form) {
      case ESCAPED:
        int end = indexOfZero(rest);
        Slice escaped = new Slice(rest.data(), rest.from(), end < 0 ? rest.to() : end);
        checkEscaped(escaped, scratch);
        return escaped.length();
      case REST:
        codec.checkKey(rest);
        return rest.length();
      default:
        return measurePart(rest);
    }
  }

  private int measurePart(Slice rest) {
    if (codec.isTerminated() && !part.descending) {
      int start = rest.from();
      if (part.nulls != null && !rest.isEmpty() && rest.at(0) == part.nulls.present()) {
        start++;
      }
      if (part.nulls == null || start > rest.from()) {
        Slice body = new Slice(rest.data(), start, rest.to());
        int end = indexOfZero(body);
        if (end < 0) {
          throw LexigraphException.invalidBytes("codec '" + codec.name() + "': no byte 00 ends the part");
        }
        body.set(rest.data(), start, end);
        checkTerminated(body);
        return end + 1 - rest.from();
      }
    }
    ByteReader in = new ByteReader(rest);
    bound.readPart(in);
    return in.position();
  }

  private void checkEscaped(Slice escaped, Buffer scratch) {
    if (codec.isTerminated()) {
      checkTerminated(escaped);
    } else {
      Slice plain = new Slice();
      plain(escaped, plain, scratch);
      codec.checkKey(plain);
    }
  }

  /** Escapes are ASCII in the place of ASCII: escaped text is UTF-8 exactly when the text is. */
  private void checkTerminated(Slice escaped) {
    Escape.check(escaped);
    codec.checkKey(escaped);
  }

  /** Makes a slice show the key form, out of the field's own bytes; false where it is null. */
  boolean key(Slice raw, Slice out, Buffer scratch) {
    switch (part.form) {
      case REST:
        out.set(raw);
        break;
      case ESCAPED:
        plain(raw, out, scratch);
        break;
      default:
        if (!body(raw, out)) {
          return false;
        }
        keyOfPart(out, scratch);
    }
    return !codec.isNull(out);
  }

  /** Whether the field's own bytes are not those of null. */
  boolean isPresent(Slice raw) {
    Slice body = new Slice();
    if (part.form != Form.PART) {
      body.set(raw);
    } else if (!body(raw, body)) {
      return false;
    }
    if (codec == Codecs.ANY && part.descending) {
      return body.length() != 1 || body.at(0) != (0xff ^ TypeBytes.NULL);
    }
    return !codec.isNull(body);
  }

  /** The value, out of the field's own bytes. */
  Object value(Slice raw) {
    switch (part.form) {
      case REST:
        return codec.readKey(raw);
      case ESCAPED:
        Slice plain = new Slice();
        plain(raw, plain, new Buffer());
        return codec.readKey(plain);
      default:
        return bound.readPart(new ByteReader(raw));
    }
  }

  /** Makes a slice show what stands behind the marker of a nullable part; false for null. */
  private boolean body(Slice raw, Slice out) {
    out.set(raw);
    if (part.nulls == null) {
      return true;
    }
    if (raw.at(0) != part.nulls.present()) {
      return false;
    }
    out.set(raw.data(), raw.from() + 1, raw.to());
    return true;
  }

  private void keyOfPart(Slice body, Buffer scratch) {
    if (part.descending) {
      Buffer turned = codec.isTerminated() ? new Buffer() : scratch;
      turned.clear();
      turned.add(body);
      turned.complement(0);
      turned.show(0, body);
    }
    if (codec.isTerminated()) {
      // Inside a key text ends with 00, which its key form lacks.
      body.set(body.data(), body.from(), body.to() - 1);
      plain(body, body, scratch);
    }
  }

  /** Undoes escapes; bytes without any are shown as they are. */
  private static void plain(Slice escaped, Slice out, Buffer scratch) {
    if (Escape.isPlain(escaped)) {
      out.set(escaped);
      return;
    }
    scratch.clear();
    Escape.unescape(escaped, scratch);
    scratch.show(0, out);
  }

  private static int indexOfZero(Slice bytes) {
    byte[] data = bytes.data();
    for (int at = bytes.from(); at < bytes.to(); at++) {
      if (data[at] == 0) {
        return at;
      }
    }
    return -1;
  }
}
