import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.accumulo.core.client.Accumulo;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchScanner;
import org.apache.accumulo.core.client.BatchWriter;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Mutation;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.hadoop.io.Text;

/**
 * What a Java program does without Lexigraph: plain scanners and a plain writer, at Accumulo's defaults. Run by its
 * source: <code>java -cp ... Baseline.java PROPERTIES CELLS</code>. It is told <code>scan TABLE</code>,
 * <code>batch TABLE</code>, <code>write TABLE</code>, <code>keep TABLE</code> (hold its cells), <code>copy TABLE</code> (write the
 * cells held) or <code>hops TABLE VERTEX</code>, and answers each with a line: seconds, seconds of processors, and how many
 * cells or vertices it has seen.
 */
public final class Baseline {
  /** What stands behind the source in the row of a directed edge. */
  private static final String OUT = "\0\2\0";

  private static final List<Map.Entry<Key, Value>> kept = new ArrayList<>();

  private Baseline() {}

  public static void main(String[] given) throws Exception {
    Properties properties = new Properties();
    try (FileReader in = new FileReader(given[0], StandardCharsets.UTF_8)) {
      properties.load(in);
    }
    Parts parts = new Parts(Integer.parseInt(given[1]));
    try (AccumuloClient client =
        Accumulo.newClient()
            .to(properties.getProperty("accumulo.instance"), properties.getProperty("accumulo.zookeepers"))
            .as(properties.getProperty("accumulo.user"), properties.getProperty("accumulo.password"))
            .build();
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      for (String line = told.readLine(); line != null; line = told.readLine()) {
        long processors = system.getProcessCpuTime();
        long start = System.nanoTime();
        long seen = run(client, line.split(" "), parts);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.println(seconds + " " + (system.getProcessCpuTime() - processors) / 1e9 + " " + seen);
      }
    }
  }

  private static long run(AccumuloClient client, String[] asked, Parts parts) throws Exception {
    switch (asked[0]) {
      case "scan":
        return scan(client, asked[1]);
      case "batch":
        return batch(client, asked[1]);
      case "keep":
        return keep(client, asked[1]);
      case "copy":
        return copy(client, asked[1]);
      case "hops":
        return hops(client, asked[1], asked[2]);
      default:
        return write(client, asked[1], parts);
    }
  }

  private static long scan(AccumuloClient client, String table) throws Exception {
    try (Scanner scanner = client.createScanner(table, Authorizations.EMPTY)) {
      return read(scanner);
    }
  }

  private static long batch(AccumuloClient client, String table) throws Exception {
    try (BatchScanner scanner = client.createBatchScanner(table, Authorizations.EMPTY, 10)) {
      scanner.setRanges(List.of(new Range()));
      return read(scanner);
    }
  }

  /** Looks at every part of every key, and at every value. */
  private static long read(Iterable<Map.Entry<Key, Value>> found) {
    long cells = 0;
    long bytes = 0;
    for (Map.Entry<Key, Value> cell : found) {
      Key key = cell.getKey();
      bytes += key.getRowData().length() + key.getColumnFamilyData().length();
      bytes += key.getColumnQualifierData().length() + key.getColumnVisibilityData().length();
      bytes += key.getTimestamp() & 1;
      bytes += cell.getValue().get().length;
      cells++;
    }
    return bytes > 0 ? cells : 0;
  }

  private static long write(AccumuloClient client, String table, Parts parts) throws Exception {
    try (BatchWriter writer = client.createBatchWriter(table)) {
      for (int cell = 0; cell < parts.rows.length; cell++) {
        Mutation mutation = new Mutation(new Text(parts.rows[cell]));
        mutation.at().family(parts.family).qualifier(parts.qualifiers[cell]).timestamp(1).put(parts.values[cell]);
        writer.addMutation(mutation);
      }
    }
    return parts.rows.length;
  }

  private static long keep(AccumuloClient client, String table) throws Exception {
    kept.clear();
    try (Scanner scanner = client.createScanner(table, Authorizations.EMPTY)) {
      for (Map.Entry<Key, Value> cell : scanner) {
        kept.add(Map.entry(new Key(cell.getKey()), new Value(cell.getValue())));
      }
    }
    return kept.size();
  }

  private static long copy(AccumuloClient client, String table) throws Exception {
    try (BatchWriter writer = client.createBatchWriter(table)) {
      for (Map.Entry<Key, Value> cell : kept) {
        Key key = cell.getKey();
        Mutation mutation = new Mutation(key.getRow());
        mutation
            .at()
            .family(key.getColumnFamily())
            .qualifier(key.getColumnQualifier())
            .timestamp(key.getTimestamp())
            .put(cell.getValue());
        writer.addMutation(mutation);
      }
    }
    return kept.size();
  }

  /** Counts the vertices that lie two hops along directed edges of the layout byte-entity, and not fewer. */
  private static long hops(AccumuloClient client, String table, String vertex) throws Exception {
    Set<String> seen = new HashSet<>(Set.of(vertex));
    Set<String> frontier = Set.of(vertex);
    for (int hop = 0; hop < 2; hop++) {
      List<Range> ranges = new ArrayList<>();
      for (String one : frontier) {
        ranges.add(Range.prefix(one + OUT));
      }
      Set<String> found = new HashSet<>();
      try (BatchScanner scanner = client.createBatchScanner(table, Authorizations.EMPTY, 10)) {
        scanner.setRanges(ranges);
        for (Map.Entry<Key, Value> cell : scanner) {
          String row = cell.getKey().getRow().toString();
          int start = row.indexOf(OUT) + OUT.length();
          found.add(row.substring(start, row.indexOf('\0', start)));
        }
      }
      found.removeAll(seen);
      seen.addAll(found);
      frontier = found;
    }
    return frontier.size();
  }

  /** The cells of data.py. */
  private static final class Parts {
    final byte[] family = "calls".getBytes(StandardCharsets.US_ASCII);
    final byte[][] rows;
    final byte[][] qualifiers;
    final byte[][] values;

    Parts(int cells) {
      rows = new byte[cells][];
      qualifiers = new byte[cells][];
      values = new byte[cells][];
      for (int cell = 0; cell < cells; cell++) {
        String number = String.format("%010d", cell * 7919L % cells);
        rows[cell] = ("u" + number + "calls-somebody").getBytes(StandardCharsets.US_ASCII);
        qualifiers[cell] = ("day" + number.substring(6)).getBytes(StandardCharsets.US_ASCII);
        values[cell] = Arrays.copyOf(number.getBytes(StandardCharsets.US_ASCII), 10);
      }
    }
  }
}
