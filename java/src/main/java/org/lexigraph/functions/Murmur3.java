package org.lexigraph.functions;

/** Murmur3, 32 bits, seed 0, read as unsigned. It must never change: a sample of today is that of tomorrow. */
final class Murmur3 {

  private Murmur3() {}

  static long hash(byte[] data) {
    int state = 0;
    int blocks = data.length / 4 * 4;
    for (int at = 0; at < blocks; at += 4) {
      state ^= scramble(littleEndian(data, at, at + 4));
      state = Integer.rotateLeft(state, 13) * 5 + 0xe6546b64;
    }
    state ^= scramble(littleEndian(data, blocks, data.length));
    state ^= data.length;
    state = (state ^ state >>> 16) * 0x85ebca6b;
    state = (state ^ state >>> 13) * 0xc2b2ae35;
    return Integer.toUnsignedLong(state ^ state >>> 16);
  }

  private static int littleEndian(byte[] data, int from, int to) {
    int number = 0;
    for (int at = to - 1; at >= from; at--) {
      number = number << 8 | data[at] & 0xff;
    }
    return number;
  }

  private static int scramble(int block) {
    return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
  }
}
