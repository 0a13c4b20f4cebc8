package org.lexigraph.bridge;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.AccumuloException;
import org.apache.accumulo.core.client.AccumuloSecurityException;
import org.apache.accumulo.core.client.IteratorSetting;
import org.apache.accumulo.core.client.admin.ActiveCompaction;
import org.apache.accumulo.core.client.admin.CloneConfiguration;
import org.apache.accumulo.core.client.admin.CompactionConfig;
import org.apache.accumulo.core.client.admin.NewTableConfiguration;
import org.apache.accumulo.core.client.admin.TimeType;
import org.apache.accumulo.core.client.summary.Summary;
import org.apache.accumulo.core.client.summary.SummarizerConfiguration;
import org.apache.accumulo.core.client.summary.summarizers.DeletesSummarizer;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.hadoop.io.Text;
import org.lexigraph.LexigraphException;
import org.lexigraph.iterators.MergeTime;

/** Tables, their properties, and what a user may read. */
public final class Admin {
  private static final Gson JSON = new Gson();
  private static final TypeToken<Map<String, String>> TEXTS = new TypeToken<>() {};

  private final AccumuloClient client;
  private final Calls calls;

  Admin(AccumuloClient client, Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  /** The names of all tables. */
  public String[] tables() {
    return calls.run(
        "listing tables", () -> client.tableOperations().list().toArray(new String[0]));
  }

  /** Whether there is such a namespace. */
  public boolean hasNamespace(String name) {
    return calls.run("looking for namespace " + name, () -> client.namespaceOperations().exists(name));
  }

  /** Makes a namespace unless it is there. */
  public void makeNamespace(String name) {
    calls.run(
        "making namespace " + name,
        () -> {
          if (!client.namespaceOperations().exists(name)) {
            client.namespaceOperations().create(name);
          }
          return null;
        });
  }

  /** Removes a namespace, which has no tables any more. */
  public void dropNamespace(String name) {
    calls.act("dropping namespace " + name, () -> client.namespaceOperations().delete(name));
  }

  /** Makes a table with no iterators but those of its properties, an object of JSON. */
  public void create(String table, String properties, byte[][] splits) {
    NewTableConfiguration made =
        new NewTableConfiguration()
            .withoutDefaultIterators()
            .setTimeType(TimeType.MILLIS)
            .setProperties(JSON.fromJson(properties, TEXTS.getType()))
            .enableSummarization(SummarizerConfiguration.builder(DeletesSummarizer.class).build());
    SortedSet<Text> rows = rows(splits);
    NewTableConfiguration whole = rows.isEmpty() ? made : made.withSplits(rows);
    calls.act(
        "making table " + table,
        () -> {
          client.tableOperations().create(table, whole);
          Settled.awaitTablets(client, table);
        });
  }

  /** What the cluster calls a table, by whatever name it has. */
  public String identity(String table) {
    return calls.run(
        "looking for table " + table, () -> client.tableOperations().tableIdMap().get(table));
  }

  /** Removes a table. */
  public void drop(String table) {
    calls.act("dropping table " + table, () -> client.tableOperations().delete(table));
  }

  /** Removes all cells of a table. */
  public void clear(String table) {
    calls.act(
        "clearing table " + table,
        () -> {
          client.tableOperations().deleteRows(table, null, null);
          Settled.awaitTablets(client, table);
        });
  }

  /** Gives a table another name. */
  public void rename(String table, String name) {
    calls.act("renaming table " + table, () -> client.tableOperations().rename(table, name));
  }

  /** Makes a table that shares the files of another. */
  public void clone(String table, String name) {
    CloneConfiguration how = CloneConfiguration.builder().setFlush(true).build();
    calls.act(
        "cloning table " + table,
        () -> {
          client.tableOperations().clone(table, name, how);
          Settled.awaitTablets(client, name);
        });
  }

  /** The properties that a table itself has, as an object of JSON. */
  public String properties(String table) {
    return calls.run(
        "reading the properties of table " + table,
        () -> JSON.toJson(new HashMap<>(client.tableOperations().getTableProperties(table))));
  }

  /** Takes away and sets properties of a table, at once. */
  public void changeProperties(String table, String set, String[] removed) {
    Map<String, String> wanted = JSON.fromJson(set, TEXTS.getType());
    calls.act(
        "changing the properties of table " + table,
        () -> {
          client
              .tableOperations()
              .modifyProperties(
                  table,
                  properties -> {
                    Arrays.asList(removed).forEach(properties::remove);
                    properties.putAll(wanted);
                  });
          Settled.awaitProperties(client, table, wanted, Arrays.asList(removed));
        });
  }

  /** Sets a property of the whole cluster. */
  public void changeSystem(String name, String value) {
    calls.act("setting " + name, () -> client.instanceOperations().setProperty(name, value));
  }

  /** Sets properties that all tables of a namespace take on, an object of JSON. */
  public void changeNamespace(String namespace, String set) {
    Map<String, String> wanted = JSON.fromJson(set, TEXTS.getType());
    calls.act(
        "changing the properties of namespace " + namespace,
        () -> client.namespaceOperations().modifyProperties(namespace, now -> now.putAll(wanted)));
  }

  /** The rows behind which a table is divided. */
  public byte[][] splits(String table) {
    return calls.run(
        "reading the splits of table " + table,
        () -> {
          List<byte[]> rows = new ArrayList<>();
          client.tableOperations().listSplits(table).forEach(row -> rows.add(row.copyBytes()));
          return rows.toArray(new byte[0][]);
        });
  }

  /** Divides a table. */
  public void addSplits(String table, byte[][] splits) {
    calls.act(
        "splitting table " + table,
        () -> {
          client.tableOperations().addSplits(table, rows(splits));
          Settled.awaitTablets(client, table);
        });
  }

  /** Writes what a table has in memory to files. */
  public void flush(String table) {
    calls.act("flushing table " + table, () -> client.tableOperations().flush(table, null, null, true));
  }

  /**
   * Rewrites the tablets that have rows behind start, up to end, either of them null for all.
   *
   * @param now the time for stages of ours, null for that of the servers
   */
  public void compact(String table, byte[] start, byte[] end, String now) {
    CompactionConfig how = new CompactionConfig().setFlush(true).setWait(true);
    if (now != null) {
      IteratorSetting time =
          new IteratorSetting(Integer.MAX_VALUE, "lexigraph-time", MergeTime.class, Map.of("now", now));
      how.setIterators(List.of(time));
    }
    if (start != null) {
      how.setStartRow(new Text(start));
    }
    if (end != null) {
      how.setEndRow(new Text(end));
    }
    // It takes as long as there is to rewrite: only one that stands still is given up.
    calls.runWhile(
        "compacting table " + table,
        calls.timeoutMillis(),
        this::compacted,
        () -> {
          client.tableOperations().compact(table, how);
          return null;
        });
  }

  // How many cells the compactions have read that go on now, of whatever table: others may come first.
  private long compacted() {
    try {
      long read = 0;
      for (String server : client.instanceOperations().getTabletServers()) {
        for (ActiveCompaction one : client.instanceOperations().getActiveCompactions(server)) {
          read += one.getEntriesRead() + one.getEntriesWritten();
        }
      }
      return read;
    } catch (AccumuloException | AccumuloSecurityException unknown) {
      return 0;
    }
  }

  /** Cells, delete markers and files of a table, as an object of JSON; flushes it first. */
  public String stats(String table) {
    return calls.run(
        "counting table " + table,
        () -> {
          client.tableOperations().flush(table, null, null, true);
          Map<String, Long> counted = new HashMap<>();
          for (Summary summary : client.tableOperations().summaries(table).retrieve()) {
            summary.getStatistics().forEach((name, count) -> counted.merge(name, count, Long::sum));
            counted.merge("files", summary.getFileStatistics().getTotal(), Long::sum);
          }
          counted.put(
              "bytes",
              client.tableOperations().getDiskUsage(Set.of(table)).stream()
                  .mapToLong(usage -> usage.getUsage())
                  .sum());
          return JSON.toJson(counted);
        });
  }

  /** Whether a server can load a class for tables of a namespace. */
  public boolean loads(String namespace, String className, String as) {
    return calls.run(
        "loading " + className,
        () -> client.namespaceOperations().testClassLoad(namespace, className, as));
  }

  /** What a user may read. */
  public byte[][] authorizations(String user) {
    return calls.run(
        "reading what " + user + " may read",
        () -> {
          List<byte[]> granted =
              client.securityOperations().getUserAuthorizations(user).getAuthorizations();
          return granted.toArray(new byte[0][]);
        });
  }

  /** Lets a user read so much, and nothing else. */
  public void authorize(String user, byte[][] authorizations) {
    calls.act(
        "authorizing " + user,
        () ->
            client
                .securityOperations()
                .changeUserAuthorizations(
                    user, new Authorizations(Arrays.asList(authorizations))));
  }

  /** A setting of the whole cluster, null where there is none of the name. */
  public String setting(String name) {
    try {
      return calls.run(
          "reading " + name,
          () -> client.instanceOperations().getSystemConfiguration().get(name));
    } catch (LexigraphException refused) {
      if (refused.name().equals("Authorization")) {
        throw new LexigraphException(
            refused.name(), refused.text() + " to read " + name + "; it takes System.SYSTEM", refused);
      }
      throw refused;
    }
  }

  private static SortedSet<Text> rows(byte[][] rows) {
    SortedSet<Text> sorted = new TreeSet<>();
    for (byte[] row : rows) {
      sorted.add(new Text(row));
    }
    return sorted;
  }
}
