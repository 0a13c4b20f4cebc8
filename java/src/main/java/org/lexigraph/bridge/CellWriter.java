package org.lexigraph.bridge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchWriter;
import org.apache.accumulo.core.client.BatchWriterConfig;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Mutation;
import org.apache.hadoop.io.Text;
import org.lexigraph.LexigraphException;

/** Writes frames: all cells of a row in one mutation, which Accumulo applies as a whole. */
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
    Collection<Mutation> mutations = mutations(frame);
    BatchWriterConfig config = settings.config(calls.timeoutMillis(), durability);
    // The writer's own time-out says more than ours, so it comes first.
    calls.run(
        "write to " + table,
        calls.timeoutMillis() + 5_000,
        () -> {
          try (BatchWriter writer = client.createBatchWriter(table, config)) {
            writer.addMutations(mutations);
          }
          return null;
        });
  }

  static Collection<Mutation> mutations(Frame frame) {
    Map<ByteSequence, Mutation> byRow = new HashMap<>();
    Collection<Mutation> all = new ArrayList<>();
    byte[] lastRow = null;
    Mutation last = null;
    for (int cell = 0; cell < frame.count(); cell++) {
      byte[] row = frame.row(cell);
      if (last == null || !Arrays.equals(row, lastRow)) {
        last = byRow.get(new ArrayByteSequence(row));
        if (last == null) {
          last = new Mutation(new Text(row));
          byRow.put(new ArrayByteSequence(row), last);
          all.add(last);
        }
        lastRow = row;
      }
      add(last, frame, cell);
    }
    return all;
  }

  static void add(Mutation mutation, Frame frame, int cell) {
    if (!frame.timed(cell)) {
      throw LexigraphException.invalidBytes("cell " + cell + " of a frame to be written has no time");
    }
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
}
