package org.lexigraph.bridge;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.hadoop.io.Text;

/**
 * Waits until the servers have seen what was changed: Accumulo says that it is done a moment before. Whoever goes on at
 * once would wait longer, since a writer looks again for a tablet only twice in a second, or would read what was there
 * before. What takes long is not waited for: nothing depends on it but time.
 */
final class Settled {
  private static final long LONGEST_MILLIS = 10_000;
  private static final Text LOCATION = new Text("loc");
  private static final Text TABLET = new Text("~tab");
  private static final Text PREVIOUS_ROW = new Text("~pr");

  private Settled() {}

  private interface Question {
    boolean ask() throws Exception;
  }

  /** Waits until each tablet of a table has a server. */
  static void awaitTablets(AccumuloClient client, String table) throws Exception {
    String id = client.tableOperations().tableIdMap().get(table);
    if (id != null) {
      await(() -> isHosted(client, id));
    }
  }

  /** Waits until a table's properties are these, with none of those that were taken away. */
  static void awaitProperties(
      AccumuloClient client, String table, Map<String, String> set, Collection<String> removed)
      throws Exception {
    await(
        () -> {
          Map<String, String> seen = client.tableOperations().getTableProperties(table);
          boolean gone = removed.stream().allMatch(name -> set.containsKey(name) || !seen.containsKey(name));
          return gone && seen.entrySet().containsAll(set.entrySet());
        });
  }

  private static boolean isHosted(AccumuloClient client, String id) throws Exception {
    int tablets = 0;
    int hosted = 0;
    try (Scanner scanner = client.createScanner("accumulo.metadata", Authorizations.EMPTY)) {
      // The rows of a table's tablets: its id, then ';' and the last row, or '<' for the last tablet.
      scanner.setRange(new Range(id + ";", true, id + "<", true));
      scanner.fetchColumnFamily(LOCATION);
      scanner.fetchColumn(TABLET, PREVIOUS_ROW);
      for (Map.Entry<Key, Value> entry : scanner) {
        if (entry.getKey().compareColumnFamily(LOCATION) == 0) {
          hosted++;
        } else {
          tablets++;
        }
      }
    }
    return tablets > 0 && hosted >= tablets;
  }

  private static void await(Question settled) throws Exception {
    long last = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
    for (long pause = 10; !settled.ask() && System.nanoTime() < last; pause = Math.min(2 * pause, 100)) {
      Thread.sleep(pause);
    }
  }
}
