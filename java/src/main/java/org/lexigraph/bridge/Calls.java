package org.lexigraph.bridge;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.lexigraph.LexigraphException;

/** Runs calls that may wait for a server for ever, and ends them when their time is over. */
final class Calls {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "lexigraph-bridge");
            thread.setDaemon(true);
            return thread;
          });

  private final long timeoutMillis;

  Calls(long timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  long timeoutMillis() {
    return timeoutMillis;
  }

  /** Runs a call; what it throws becomes an error of ours, and too long a time is Unreachable. */
  <T> T run(String what, Callable<T> call) {
    return run(what, timeoutMillis, call);
  }

  /** The same, with a time of its own. */
  <T> T run(String what, long millis, Callable<T> call) {
    Future<T> running = THREADS.submit(call);
    try {
      return running.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      running.cancel(true);
      throw new LexigraphException(
          "Unreachable", "the cluster did not answer within " + millis / 1000.0 + " s: " + what, late);
    } catch (InterruptedException stopped) {
      running.cancel(true);
      Thread.currentThread().interrupt();
      throw new LexigraphException("QueryCancelled", what + " was interrupted", stopped);
    } catch (Exception failed) {
      throw Problems.of(failed);
    }
  }
}
