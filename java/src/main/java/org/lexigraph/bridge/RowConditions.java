package org.lexigraph.bridge;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.ConditionalWriter;
import org.apache.accumulo.core.client.ConditionalWriterConfig;
import org.apache.accumulo.core.data.Condition;
import org.apache.accumulo.core.data.ConditionalMutation;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.accumulo.core.security.ColumnVisibility;

/**
 * Conditional writes. Each row is a frame of what to write and one of conditions: a cell with a value must be the first
 * of its column, a delete marker says that there must be none; a condition is about one timestamp where the cell has
 * one of its own. Rows that differ are sent together. Outcomes are Accumulo's words in small letters, with hyphens.
 */
final class RowConditions {
  private final AccumuloClient client;
  private final Calls calls;

  RowConditions(AccumuloClient client, Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  String[] write(
      String table, ByteBuffer[] frames, ByteBuffer[] conditions, Authorizations authorizations) {
    ConditionalWriterConfig config =
        new ConditionalWriterConfig()
            .setAuthorizations(authorizations)
            .setTimeout(calls.timeoutMillis(), TimeUnit.MILLISECONDS);
    String[] outcomes = new String[frames.length];
    try (ConditionalWriter writer =
        calls.run("conditional write to " + table, () -> client.createConditionalWriter(table, config))) {
      Map<ByteBuffer, Integer> places = new LinkedHashMap<>();
      List<ConditionalMutation> rows = new ArrayList<>();
      for (int index = 0; index < frames.length; index++) {
        Frame cells = new Frame(frames[index]);
        CellWriter.checkTimes(cells);
        ConditionalMutation row = row(cells, new Frame(conditions[index]));
        if (places.containsKey(ByteBuffer.wrap(row.getRow()))) {
          // One after another: a row is judged after what was written to it before.
          send(table, writer, rows, places, outcomes);
        }
        places.put(ByteBuffer.wrap(row.getRow()), index);
        rows.add(row);
      }
      send(table, writer, rows, places, outcomes);
    }
    return outcomes;
  }

  private void send(
      String table,
      ConditionalWriter writer,
      List<ConditionalMutation> rows,
      Map<ByteBuffer, Integer> places,
      String[] outcomes) {
    List<ConditionalMutation> sent = List.copyOf(rows);
    calls.run(
        "conditional write to " + table,
        calls.timeoutMillis() + 5_000,
        () -> {
          Iterator<ConditionalWriter.Result> results = writer.write(sent.iterator());
          while (results.hasNext()) {
            ConditionalWriter.Result result = results.next();
            int index = places.get(ByteBuffer.wrap(result.getMutation().getRow()));
            outcomes[index] = result.getStatus().name().toLowerCase(Locale.ROOT).replace('_', '-');
          }
          return null;
        });
    rows.clear();
    places.clear();
  }

  private static ConditionalMutation row(Frame cells, Frame conditions) {
    ConditionalMutation mutation = new ConditionalMutation(cells.row(0));
    for (int index = 0; index < conditions.count(); index++) {
      Condition condition = new Condition(conditions.family(index), conditions.qualifier(index));
      condition.setVisibility(new ColumnVisibility(conditions.visibility(index)));
      if (conditions.timed(index)) {
        condition.setTimestamp(conditions.timestamp(index));
      }
      if (!conditions.deleted(index)) {
        condition.setValue(conditions.value(index));
      }
      mutation.addCondition(condition);
    }
    for (int cell = 0; cell < cells.count(); cell++) {
      CellWriter.add(mutation, cells, cell);
    }
    return mutation;
  }
}
