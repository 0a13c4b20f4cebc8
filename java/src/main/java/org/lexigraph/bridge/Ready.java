package org.lexigraph.bridge;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.client.Accumulo;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.security.Authorizations;

/**
 * Waits until a local cluster answers: its metadata can be read, so tables can be made. Ends with 0 then,
 * with 1 when the time is over.
 */
public final class Ready {
  private Ready() {}

  /** Takes a properties file with {@code accumulo.instance} and so on, and seconds to wait. */
  public static void main(String[] arguments) throws IOException {
    Properties given = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(arguments[0]), StandardCharsets.UTF_8)) {
      given.load(in);
    }
    long seconds = Long.parseLong(arguments[1]);
    Thread reader = new Thread(() -> read(given), "ready");
    reader.setDaemon(true);
    reader.start();
    try {
      reader.join(TimeUnit.SECONDS.toMillis(seconds));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    if (reader.isAlive()) {
      System.err.println("the tables of the cluster cannot be read after " + seconds + " s");
    }
    // The client's own threads may still wait for a server.
    Runtime.getRuntime().halt(reader.isAlive() ? 1 : 0);
  }

  private static void read(Properties given) {
    try (AccumuloClient client =
            Accumulo.newClient()
                .to(
                    given.getProperty("accumulo.instance"),
                    given.getProperty("accumulo.zookeepers"))
                .as(
                    given.getProperty("accumulo.user"),
                    given.getProperty("accumulo.password"))
                .build();
        Scanner scanner = client.createScanner("accumulo.metadata", Authorizations.EMPTY)) {
      scanner.forEach(entry -> {});
      // As all tables of a local cluster: safe when a process is killed, without waiting for the disk.
      for (String table : List.of("accumulo.root", "accumulo.metadata")) {
        client.tableOperations().setProperty(table, "table.durability", "flush");
      }
    } catch (Exception problem) {
      problem.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }
}
