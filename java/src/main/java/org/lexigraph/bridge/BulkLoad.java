package org.lexigraph.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.client.rfile.RFile;
import org.apache.accumulo.core.client.rfile.RFileWriter;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.LoadPlan;
import org.apache.accumulo.core.data.LoadPlan.RangeType;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.lexigraph.LexigraphException;

/**
 * Sorted files that become part of a table at once. Each part that is added is sorted and written as a run; at the end
 * the runs are merged into one file for each partition, and a plan tells the servers which rows a file has, so that they
 * need not look into it. Memory holds one part.
 */
public final class BulkLoad implements AutoCloseable {
  private static final Map<String, String> AS_THEY_ARE = Map.of("table.file.compress.type", "none");

  private final AccumuloClient client;
  private final Calls calls;
  private final String table;
  private final Path directory;
  private final FileSystem files;
  private final Partitions partitions;
  private final Map<String, String> properties;
  private final List<String> runs = new ArrayList<>();
  private boolean keeps;

  BulkLoad(AccumuloClient client, Calls calls, String table, String below) {
    this.client = client;
    this.calls = calls;
    this.table = table;
    this.directory = new Path(below, "lexigraph-load-" + UUID.randomUUID());
    Configuration configuration = new Configuration();
    // Files with checksums beside them would be taken for files of cells.
    configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    this.partitions =
        calls.run(
            "reading the splits of " + table,
            () -> new Partitions(client.tableOperations().listSplits(table)));
    this.properties =
        calls.run(
            "reading the properties of " + table,
            () -> client.tableOperations().getConfiguration(table));
    this.files =
        calls.run(
            "making " + directory,
            () -> {
              FileSystem made = FileSystem.newInstance(directory.toUri(), configuration);
              made.mkdirs(new Path(directory, "files"));
              return made;
            });
  }

  /** Adds cells in any order. */
  public void add(ByteBuffer buffer) {
    SortedFrame cells = new SortedFrame(new Frame(buffer));
    String run = new Path(directory, "run" + runs.size() + ".rf").toString();
    try (RFileWriter out =
        RFile.newWriter().to(run).withFileSystem(files).withTableProperties(AS_THEY_ARE).build()) {
      int step = Math.max(1, cells.count() / 200);
      for (int place = 0; place < cells.count(); place++) {
        Key key = cells.key(place);
        out.append(key, cells.value(place));
        if (place % step == 0) {
          partitions.sample(key.getRow());
        }
      }
    } catch (IOException problem) {
      throw Problems.of(problem);
    }
    runs.add(run);
  }

  /**
   * Makes the files and lets them become part of the table; the number of files.
   *
   * @param least how many partitions there are at least, where the table has fewer tablets
   * @param most how many at most
   * @param failures a directory that keeps the files if the table does not take them; null for none
   */
  public int commit(int least, int most, String failures) {
    LoadPlan.Builder plan = LoadPlan.builder();
    int written = 0;
    try {
      for (Range rows : partitions.ranges(least, most)) {
        written += merge(rows, "part" + written + ".rf", plan) ? 1 : 0;
      }
    } catch (IOException problem) {
      throw Problems.of(problem);
    }
    if (written > 0) {
      load(plan.build(), failures);
    }
    return written;
  }

  @Override
  public void close() {
    try {
      if (!keeps) {
        files.delete(directory, true);
      }
      files.close();
    } catch (IOException problem) {
      throw Problems.of(problem);
    }
  }

  private boolean merge(Range rows, String name, LoadPlan.Builder plan) throws IOException {
    Text first = null;
    Key last = null;
    RFileWriter out = null;
    try (Scanner cells =
        RFile.newScanner()
            .from(runs.toArray(new String[0]))
            .withFileSystem(files)
            .withoutSystemIterators()
            .withBounds(rows)
            .build()) {
      for (Map.Entry<Key, Value> cell : cells) {
        if (out == null) {
          out = writer(new Path(new Path(directory, "files"), name).toString());
          first = cell.getKey().getRow();
        }
        out.append(cell.getKey(), cell.getValue());
        last = cell.getKey();
      }
    } finally {
      if (out != null) {
        out.close();
      }
    }
    if (last == null) {
      return false;
    }
    plan.loadFileTo(name, RangeType.FILE, first, last.getRow());
    return true;
  }

  private RFileWriter writer(String path) throws IOException {
    return RFile.newWriter()
        .to(path)
        .withFileSystem(files)
        .withTableProperties(properties)
        .build();
  }

  private void load(LoadPlan plan, String failures) {
    Path made = new Path(directory, "files");
    try {
      calls.run(
          "load of " + table,
          // Accumulo moves all files before it answers.
          10 * calls.timeoutMillis(),
          () -> {
            client.tableOperations().importDirectory(made.toString()).to(table).plan(plan).load();
            return null;
          });
    } catch (LexigraphException problem) {
      if (problem.name().equals("Unreachable")) {
        // The servers may still be at it: what they have not taken must stay.
        keeps = true;
        throw new LexigraphException(
            problem.name(), problem.text() + "; its files may still be taken from " + made, problem);
      }
      throw new LexigraphException(problem.name(), problem.text() + keep(made, failures), problem);
    }
  }

  private String keep(Path made, String failures) {
    if (failures == null) {
      return "; nothing of it was loaded";
    }
    Path kept = new Path(failures, directory.getName());
    try {
      files.mkdirs(kept.getParent());
      if (files.rename(made, kept)) {
        return "; nothing of it was loaded, and its files are in " + kept;
      }
    } catch (IOException problem) {
      // Told below: where they are now.
    }
    keeps = true;
    return "; nothing of it was loaded, and its files could not be moved: they are in " + made;
  }
}
