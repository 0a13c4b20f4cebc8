package org.lexigraph.bridge;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchWriter;
import org.apache.accumulo.core.client.BatchWriterConfig;
import org.apache.accumulo.core.data.Mutation;
import org.lexigraph.LexigraphException;

/**
 * Writes frames: all cells of a row in one mutation, which Accumulo applies as a whole. Mutations are made while those
 * before them are sent, so memory holds a frame and a writer's buffer.
 */
final class CellWriter {
  private final AccumuloClient client;
  private final Calls calls;
  private final WriteSettings settings;

  CellWriter(AccumuloClient client, Calls calls, WriteSettings settings) {
    this.client = client;
    this.calls = calls;
    this.settings = settings;
  }

  void write(String table, Frame frame, String durability) {
    checkTimes(frame);
    BatchWriterConfig config = settings.config(calls.timeoutMillis(), durability);
    AtomicLong made = new AtomicLong();
    // The writer's own time-out says more than ours, so it comes first.
    calls.runWhile(
        "write to " + table,
        calls.timeoutMillis() + 5_000,
        made::get,
        () -> {
          try (BatchWriter writer = client.createBatchWriter(table, config)) {
            writer.addMutations(mutations(frame, made));
          }
          return null;
        });
  }

  static Iterable<Mutation> mutations(Frame frame) {
    return mutations(frame, new AtomicLong());
  }

  private static Iterable<Mutation> mutations(Frame frame, AtomicLong made) {
    RowGroups rows = new RowGroups(frame);
    return () -> {
      Iterator<Integer> firsts = rows.firsts();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return firsts.hasNext();
        }

        @Override
        public Mutation next() {
          made.incrementAndGet();
          return row(frame, rows, firsts.next());
        }
      };
    };
  }

  private static Mutation row(Frame frame, RowGroups rows, int first) {
    Mutation mutation = frame.mutation(first);
    for (int cell = first; cell >= 0; cell = rows.next(cell)) {
      add(mutation, frame, cell);
    }
    return mutation;
  }

  static void add(Mutation mutation, Frame frame, int cell) {
    // Labels as bytes: they were checked where the table asks for it, and stay as they are.
    var column =
        mutation
            .at()
            .family(frame.family(cell))
            .qualifier(frame.qualifier(cell))
            .visibility(frame.visibility(cell))
            .timestamp(frame.timestamp(cell));
    if (frame.deleted(cell)) {
      column.delete();
    } else {
      column.put(frame.value(cell));
    }
  }

  static void checkTimes(Frame frame) {
    for (int cell = 0; cell < frame.count(); cell++) {
      if (!frame.timed(cell)) {
        throw LexigraphException.invalidBytes("cell " + cell + " of a frame to be written has no time");
      }
    }
  }
}
