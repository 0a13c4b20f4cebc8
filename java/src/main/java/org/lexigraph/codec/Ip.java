package org.lexigraph.codec;

import java.util.Arrays;

/** An IP address of 4 or 16 bytes. Java's own class turns some of the longer into shorter ones. */
public final class Ip {

  private final byte[] address;

  /** An address; the bytes are not copied. */
  public Ip(byte[] address) {
    this.address = address;
  }

  /** Its bytes. */
  byte[] address() {
    return address;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ip && Arrays.equals(address, ((Ip) other).address);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(address);
  }

  @Override
  public String toString() {
    return "Ip(" + Arrays.toString(address) + ")";
  }
}
