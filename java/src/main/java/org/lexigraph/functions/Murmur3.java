package org.lexigraph.functions;

/** Murmur3, the 32-bit hash for x86 with the seed 0. It must never change: a sample stays the same sample. */
public final class Murmur3 {

  private Murmur3() {}

  /** The hash of bytes, to be read as unsigned. */
  public static int hash(byte[] data, int offset, int length) {
    int state = 0;
    int whole = length & ~3;
    for (int at = offset; at < offset + whole; at += 4) {
      state ^= scramble(block(data, at, 4));
      state = Integer.rotateLeft(state, 13) * 5 + 0xe6546b64;
    }
    if (whole < length) {
      state ^= scramble(block(data, offset + whole, length - whole));
    }
    state ^= length;
    state = (state ^ state >>> 16) * 0x85ebca6b;
    state = (state ^ state >>> 13) * 0xc2b2ae35;
    return state ^ state >>> 16;
  }

  private static int block(byte[] data, int offset, int length) {
    int block = 0;
    for (int at = length - 1; at >= 0; at--) {
      block = block << 8 | data[offset + at] & 0xff;
    }
    return block;
  }

  private static int scramble(int block) {
    return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
  }
}
