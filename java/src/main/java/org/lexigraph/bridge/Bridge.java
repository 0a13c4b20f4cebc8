package org.lexigraph.bridge;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.accumulo.core.client.Accumulo;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.IteratorSetting;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.security.Authorizations;

/** A connection to a cluster, for any number of threads. */
public final class Bridge implements AutoCloseable {
  private final AccumuloClient client;
  private final Calls calls;
  private final Admin admin;
  private final CellWriter writer;
  private final WriteSettings settings;

  private Bridge(AccumuloClient client, Calls calls, WriteSettings settings) {
    this.client = client;
    this.calls = calls;
    this.settings = settings;
    this.admin = new Admin(client, calls);
    this.writer = new CellWriter(client, calls, settings);
  }

  /**
   * Connects, by the names that Accumulo gives to the properties of a client.
   *
   * @param timeoutMillis how long any call may take before it is Unreachable
   */
  public static Bridge connect(Properties properties, long timeoutMillis, WriteSettings settings) {
    Calls calls = new Calls(timeoutMillis);
    AccumuloClient client =
        calls.run(
            "connecting",
            () -> {
              AccumuloClient made = Accumulo.newClient().from(properties).build();
              try {
                // A client is made without asking anybody: this asks.
                made.securityOperations().getUserAuthorizations(made.whoami());
                return made;
              } catch (Exception failed) {
                made.close();
                throw failed;
              }
            });
    return new Bridge(client, calls, settings);
  }

  /** Tables. */
  public Admin admin() {
    return admin;
  }

  /** Users. */
  public Users users() {
    return new Users(client, calls);
  }

  /** Tablet servers, each by itself. */
  public Servers servers() {
    return new Servers(client, calls);
  }

  /** The user who is connected. */
  public String user() {
    return client.whoami();
  }

  /**
   * Starts a scan.
   *
   * @param ranges sorted and apart from each other, packed
   * @param families of the columns to read, none for all
   * @param qualifiers one for each family, null for all of it
   * @param iterators as {@link Iterators} reads them
   * @param atOnce how many ranges are asked for at once, at most some hundred
   */
  public CellScan scan(
      String table,
      byte[] ranges,
      byte[][] authorizations,
      byte[][] families,
      byte[][] qualifiers,
      String iterators,
      int threads,
      int atOnce) {
    Columns columns = new Columns(families, qualifiers);
    List<Range> wanted = columns.within(Ranges.read(ranges));
    List<IteratorSetting> settings = Iterators.read(iterators);
    Authorizations asked = new Authorizations(Arrays.asList(authorizations));
    return new CellScan(client, calls, table, wanted, asked, columns, settings, threads, atOnce);
  }

  /** How writers are made, as Accumulo shows it. */
  public String writerConfig() {
    return settings.config(calls.timeoutMillis(), null).toString();
  }

  /** Writes the cells of a frame, each row atomically; ends when all are as safe as asked for. */
  public void write(String table, ByteBuffer frame, String durability) {
    writer.write(table, new Frame(frame), durability);
  }

  /** Writes rows whose conditions hold, as {@link RowConditions} says. */
  public String[] writeIf(
      String table, ByteBuffer[] frames, ByteBuffer[] conditions, byte[][] authorizations) {
    Authorizations asked = new Authorizations(Arrays.asList(authorizations));
    return new RowConditions(client, calls).write(table, frames, conditions, asked);
  }

  /** Starts to load a table in bulk, from files below a directory that the servers can read. */
  public BulkLoad load(String table, String directory) {
    return new BulkLoad(client, calls, table, directory);
  }

  @Override
  public void close() {
    client.close();
  }
}
