package org.lexigraph.functions;

import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Slice;
import org.lexigraph.json.Json;

/**
 * The texts that sketches are fed with: <code>k</code> and the hexadecimal key form of a value. Every language can hash
 * a text, it is never empty, and texts sort as the key forms do.
 */
final class Fed {

  private static final String DIGITS = "0123456789abcdef";

  private Fed() {}

  /** The text of a value. */
  static String text(Codec codec, Object value) {
    Buffer key = new Buffer();
    codec.writeKey(value, key);
    return "k" + Json.hex(key.toArray());
  }

  /** The value that a text stands for. */
  static Object value(Codec codec, String text) {
    if (text.length() % 2 == 0 || text.charAt(0) != 'k') {
      throw refused();
    }
    byte[] key = new byte[text.length() / 2];
    for (int at = 0; at < key.length; at++) {
      int high = DIGITS.indexOf(text.charAt(2 * at + 1));
      int low = DIGITS.indexOf(text.charAt(2 * at + 2));
      if (high < 0 || low < 0) {
        throw refused();
      }
      key[at] = (byte) (high << 4 | low);
    }
    return codec.readKey(new Slice(key));
  }

  private static LexigraphException refused() {
    return LexigraphException.invalidBytes("an item of the sketch is not a valid key");
  }
}
