package org.lexigraph.bridge;

import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.client.BatchWriterConfig;
import org.apache.accumulo.core.client.Durability;

/** How writers gather what they send. */
public final class WriteSettings {
  private final long bufferBytes;
  private final long latencyMillis;
  private final int threads;

  /** Settings under the words of Accumulo's writers. */
  public WriteSettings(long bufferBytes, long latencyMillis, int threads) {
    this.bufferBytes = bufferBytes;
    this.latencyMillis = latencyMillis;
    this.threads = threads;
  }

  /** What a writer is made with; a durability of null is the table's. */
  BatchWriterConfig config(long timeoutMillis, String durability) {
    return new BatchWriterConfig()
        .setMaxMemory(bufferBytes)
        .setMaxLatency(latencyMillis, TimeUnit.MILLISECONDS)
        .setMaxWriteThreads(threads)
        .setTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .setDurability(durability == null ? Durability.DEFAULT : Durability.valueOf(durability));
  }
}
