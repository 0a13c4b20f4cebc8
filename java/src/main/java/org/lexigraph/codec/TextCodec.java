package org.lexigraph.codec;

import java.nio.charset.StandardCharsets;

/** Text in code-point order, as strict UTF-8; a lone surrogate has no bytes. */
final class TextCodec extends TerminatedCodec {

  TextCodec() {
    super("str");
  }

  @Override
  byte[] bytes(Object value) {
    if (!(value instanceof String)) {
      throw wrong(value);
    }
    String text = (String) value;
    for (int at = 0; at < text.length(); at++) {
      if (Character.isSurrogate(text.charAt(at))) {
        if (!Character.isHighSurrogate(text.charAt(at))
            || at + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(at + 1))) {
          throw wrong(value);
        }
        at++;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object readKey(Slice data) {
    checkKey(data);
    return new String(data.data(), data.from(), data.length(), StandardCharsets.UTF_8);
  }

  @Override
  public void checkKey(Slice data) {
    byte[] bytes = data.data();
    int at = data.from();
    while (at < data.to()) {
      int length = bytes[at] >= 0 ? 1 : characterLength(bytes, at, data.to());
      if (length == 0) {
        throw refused("reads UTF-8, which byte " + (at - data.from()) + " of the text is not");
      }
      at += length;
    }
  }

  /** How many bytes the character at a place has; 0 where there is none in its one form. */
  private static int characterLength(byte[] bytes, int at, int end) {
    int first = bytes[at] & 0xff;
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > end) {
      return 0;
    }
    for (int next = 1; next < length; next++) {
      if ((bytes[at + next] & 0xc0) != 0x80) {
        return 0;
      }
    }
    int second = bytes[at + 1] & 0xff;
    boolean tooLong = first == 0xe0 && second < 0xa0 || first == 0xf0 && second < 0x90;
    boolean noCharacter = first == 0xed && second > 0x9f || first == 0xf4 && second > 0x8f;
    return tooLong || noCharacter ? 0 : length;
  }
}
