package org.lexigraph.bridge;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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

  /** What may fail and gives nothing. */
  interface Action {
    void run() throws Exception;
  }

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

  /** The same for work that may go on for as long as its progress, any number, changes within the time. */
  <T> T runWhile(String what, long millis, LongSupplier progress, Callable<T> call) {
    Future<T> running = THREADS.submit(call);
    while (true) {
      long before = progress.getAsLong();
      try {
        return get(what, millis, running, () -> progress.getAsLong() == before);
      } catch (TimeoutException goesOn) {
        continue;
      }
    }
  }

  /** The same, with a time of its own. */
  <T> T run(String what, long millis, Callable<T> call) {
    Future<T> running = THREADS.submit(call);
    try {
      return get(what, millis, running, () -> true);
    } catch (TimeoutException never) {
      throw new IllegalStateException(never);
    }
  }

  /** The same for what gives nothing. */
  void act(String what, Action action) {
    run(
        what,
        () -> {
          action.run();
          return null;
        });
  }

  /** Starts work that goes on by itself. */
  Future<?> start(Runnable work) {
    return THREADS.submit(work);
  }

  /** What a queue gives next; too long a time is Unreachable. */
  <T> T take(String what, long millis, BlockingQueue<T> queue) {
    try {
      T found = queue.poll(millis, TimeUnit.MILLISECONDS);
      if (found == null) {
        throw late(what, millis, null);
      }
      return found;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new LexigraphException("QueryCancelled", what + " was interrupted", stopped);
    }
  }

  private static LexigraphException late(String what, long millis, Throwable cause) {
    return new LexigraphException(
        "Unreachable", "the cluster did not answer within " + millis / 1000.0 + " s: " + what, cause);
  }

  private static <T> T get(String what, long millis, Future<T> running, BooleanSupplier ends)
      throws TimeoutException {
    try {
      return running.get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      if (!ends.getAsBoolean()) {
        throw late;
      }
      running.cancel(true);
      throw late(what, millis, late);
    } catch (InterruptedException stopped) {
      running.cancel(true);
      Thread.currentThread().interrupt();
      throw new LexigraphException("QueryCancelled", what + " was interrupted", stopped);
    } catch (Exception failed) {
      throw Problems.of(failed);
    }
  }
}
