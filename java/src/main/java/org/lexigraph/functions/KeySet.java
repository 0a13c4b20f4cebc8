package org.lexigraph.functions;

import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Slice;

/** A set of keys that a scan brings along, or a filter of bits that lets all of them through and few others. */
public final class KeySet {

  /** Sorted, or null for a filter. */
  private final byte[][] keys;
  /** A power of two of bytes, or null for a set. */
  private final byte[] bits;

  private KeySet(byte[][] keys, byte[] bits) {
    this.keys = keys;
    this.bits = bits;
  }

  /** A set of these keys. */
  public static KeySet of(List<byte[]> keys) {
    byte[][] sorted = keys.toArray(new byte[0][]);
    Arrays.sort(sorted, Arrays::compareUnsigned);
    return new KeySet(sorted, null);
  }

  /** A filter: the bit at the checksum of each key is set. */
  public static KeySet filter(byte[] bits) {
    if (bits.length < 8 || Integer.bitCount(bits.length) != 1) {
      throw LexigraphException.invalidOption(
          "a filter has a power of two of bytes, at least 8, not " + bits.length);
    }
    return new KeySet(null, bits);
  }

  /** Whether a key is in the set, or let through by the filter. */
  boolean contains(Slice key) {
    if (bits != null) {
      CRC32 checksum = new CRC32();
      checksum.update(key.data(), key.from(), key.length());
      int place = (int) (checksum.getValue() & 8L * bits.length - 1);
      return (bits[place >> 3] >> (place & 7) & 1) == 1;
    }
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = low + high >>> 1;
      int order = key.compare(keys[middle]);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return false;
  }
}
