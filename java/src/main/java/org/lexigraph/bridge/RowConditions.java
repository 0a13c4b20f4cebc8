package org.lexigraph.bridge;

import java.nio.ByteBuffer;
import java.util.Locale;
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
 * one of its own. Outcomes are Accumulo's words in small letters, with hyphens.
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
      for (int index = 0; index < frames.length; index++) {
        Frame cells = new Frame(frames[index]);
        CellWriter.checkTimes(cells);
        ConditionalMutation row = row(cells, new Frame(conditions[index]));
        String status =
            calls.run(
                "conditional write to " + table,
                calls.timeoutMillis() + 5_000,
                () -> writer.write(row).getStatus().name());
        outcomes[index] = status.toLowerCase(Locale.ROOT).replace('_', '-');
      }
    }
    return outcomes;
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
