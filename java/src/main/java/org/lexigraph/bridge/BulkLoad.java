package org.lexigraph.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.rfile.RFile;
import org.apache.accumulo.core.client.rfile.RFileWriter;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.LoadPlan;
import org.apache.accumulo.core.data.LoadPlan.RangeType;
import org.apache.accumulo.core.data.Value;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;

/**
 * Sorted files that become part of a table at once. Each part that is added is sorted and cut where the table is
 * divided, so that a file belongs to one tablet; the plan says so to the servers, who need not look into the files.
 */
public final class BulkLoad implements AutoCloseable {
  private final AccumuloClient client;
  private final Calls calls;
  private final String table;
  private final Path directory;
  private final FileSystem files;
  private final List<Text> splits;
  private final LoadPlan.Builder plan = LoadPlan.builder();
  private int written;

  BulkLoad(AccumuloClient client, Calls calls, String table, String below) {
    this.client = client;
    this.calls = calls;
    this.table = table;
    this.directory = new Path(below, "lexigraph-load-" + UUID.randomUUID());
    Configuration configuration = new Configuration();
    // Files with checksums beside them would be taken for files of cells.
    configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    this.files =
        calls.run(
            "making " + directory,
            () -> {
              FileSystem made = FileSystem.newInstance(directory.toUri(), configuration);
              made.mkdirs(directory);
              return made;
            });
    this.splits =
        calls.run(
            "reading the splits of " + table,
            () -> new ArrayList<>(client.tableOperations().listSplits(table)));
  }

  /** Adds cells in any order. */
  public void add(ByteBuffer buffer) {
    Frame frame = new Frame(buffer);
    List<Map.Entry<Key, Value>> cells = new ArrayList<>(frame.count());
    for (int cell = 0; cell < frame.count(); cell++) {
      Key key =
          new Key(
              frame.row(cell),
              frame.family(cell),
              frame.qualifier(cell),
              frame.visibility(cell),
              frame.timestamp(cell),
              frame.deleted(cell),
              false);
      cells.add(Map.entry(key, new Value(frame.value(cell), false)));
    }
    // What was given later comes first among equal keys, as it does when it is written.
    Collections.reverse(cells);
    cells.sort(Map.Entry.comparingByKey());
    try {
      writeFiles(cells);
    } catch (IOException problem) {
      throw Problems.of(problem);
    }
  }

  /** Makes the files part of the table. */
  public void commit() {
    if (written == 0) {
      return;
    }
    calls.run(
        "load of " + table,
        Math.max(calls.timeoutMillis(), 600_000),
        () -> {
          client
              .tableOperations()
              .importDirectory(directory.toString())
              .to(table)
              .plan(plan.build())
              .load();
          return null;
        });
  }

  @Override
  public void close() {
    try {
      files.delete(directory, true);
      files.close();
    } catch (IOException problem) {
      throw Problems.of(problem);
    }
  }

  private void writeFiles(List<Map.Entry<Key, Value>> cells) throws IOException {
    int start = 0;
    while (start < cells.size()) {
      int tablet = tabletOf(cells.get(start).getKey().getRow());
      int end = start + 1;
      while (end < cells.size() && inTablet(cells.get(end).getKey().getRow(), tablet)) {
        end++;
      }
      writeFile(cells.subList(start, end), tablet);
      start = end;
    }
  }

  private void writeFile(List<Map.Entry<Key, Value>> cells, int tablet) throws IOException {
    String name = "part" + written++ + ".rf";
    try (RFileWriter out =
        RFile.newWriter().to(new Path(directory, name).toString()).withFileSystem(files).build()) {
      for (Map.Entry<Key, Value> cell : cells) {
        out.append(cell.getKey(), cell.getValue());
      }
    }
    Text before = tablet == 0 ? null : splits.get(tablet - 1);
    Text last = tablet == splits.size() ? null : splits.get(tablet);
    plan.loadFileTo(name, RangeType.TABLE, before, last);
  }

  private int tabletOf(Text row) {
    int place = Collections.binarySearch(splits, row);
    return place >= 0 ? place : -place - 1;
  }

  private boolean inTablet(Text row, int tablet) {
    return tablet == splits.size() || row.compareTo(splits.get(tablet)) <= 0;
  }
}
