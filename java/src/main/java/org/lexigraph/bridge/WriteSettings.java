package org.lexigraph.bridge;

/** How writers gather what they send. */
public final class WriteSettings {
  final long bufferBytes;
  final long latencyMillis;
  final int threads;

  /** Settings under the words of Accumulo's writers. */
  public WriteSettings(long bufferBytes, long latencyMillis, int threads) {
    this.bufferBytes = bufferBytes;
    this.latencyMillis = latencyMillis;
    this.threads = threads;
  }
}
