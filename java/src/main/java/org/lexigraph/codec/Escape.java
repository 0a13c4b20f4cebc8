package org.lexigraph.codec;

import org.lexigraph.LexigraphException;

/** Accumulo's escaping: 00 becomes 01 01, 01 becomes 01 02, so that 00 is free to end a string. */
public final class Escape {

  private Escape() {}

  /** Appends bytes without any 00. */
  public static void escape(byte[] plain, Buffer out) {
    for (byte one : plain) {
      if (one == 0 || one == 1) {
        out.add(1);
        out.add(one + 1);
      } else {
        out.add(one);
      }
    }
  }

  /** Appends what escaped bytes stand for; refuses what {@link #escape} does not write. */
  public static void unescape(Slice escaped, Buffer out) {
    byte[] data = escaped.data();
    for (int at = escaped.from(); at < escaped.to(); at++) {
      if (data[at] == 1) {
        at++;
        check(data, at, escaped.to());
        out.add(data[at] - 1);
      } else if (data[at] == 0) {
        throw refused();
      } else {
        out.add(data[at]);
      }
    }
  }

  /** Refuses what {@link #escape} does not write. */
  public static void check(Slice escaped) {
    byte[] data = escaped.data();
    for (int at = escaped.from(); at < escaped.to(); at++) {
      if (data[at] == 1) {
        at++;
        check(data, at, escaped.to());
      } else if (data[at] == 0) {
        throw refused();
      }
    }
  }

  /** Whether the bytes stand for themselves. */
  public static boolean isPlain(Slice bytes) {
    byte[] data = bytes.data();
    for (int at = bytes.from(); at < bytes.to(); at++) {
      if (data[at] == 0 || data[at] == 1) {
        return false;
      }
    }
    return true;
  }

  private static void check(byte[] data, int at, int end) {
    if (at >= end || data[at] != 1 && data[at] != 2) {
      throw refused();
    }
  }

  private static LexigraphException refused() {
    return LexigraphException.invalidBytes("an escape byte 01 is followed by neither 01 nor 02, or a 00 stands inside");
  }
}
