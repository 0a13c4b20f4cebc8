package org.lexigraph.bridge;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchScanner;
import org.apache.accumulo.core.client.IteratorSetting;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.client.ScannerBase;
import org.apache.accumulo.core.client.TableNotFoundException;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.security.Authorizations;
import org.lexigraph.LexigraphException;

/**
 * One scan, frame by frame, in the order of the ranges and of the keys in each. One range is read as it comes; of
 * several, some hundred are asked for at once, from all servers, and sorted here.
 */
public final class CellScan implements AutoCloseable {
  /** The family of the cell in which iterators say what they did. */
  private static final ByteSequence COUNTS =
      new ArrayByteSequence("\0lexigraph counts".getBytes(StandardCharsets.UTF_8));

  /** The family of the cell in which the topmost iterator tells an error. */
  private static final ByteSequence ERROR =
      new ArrayByteSequence("\0lexigraph error".getBytes(StandardCharsets.UTF_8));

  /** More are never asked for at once: their cells are sorted in memory. */
  private static final int MOST_RANGES = 500;
  private static final long FRAME_BYTES = 16 << 20;

  private final AccumuloClient client;
  private final Calls calls;
  private final String table;
  private final List<Range> ranges;
  private final Authorizations authorizations;
  private final Columns columns;
  private final List<IteratorSetting> iterators;
  private final int threads;
  private final int atOnce;
  private final List<String> counts = new ArrayList<>();
  private int next;
  private ScannerBase scanner;
  private Iterator<Map.Entry<Key, Value>> entries = Collections.emptyIterator();
  private volatile boolean closed;

  CellScan(
      AccumuloClient client,
      Calls calls,
      String table,
      List<Range> ranges,
      Authorizations authorizations,
      Columns columns,
      List<IteratorSetting> iterators,
      int threads,
      int atOnce) {
    this.client = client;
    this.calls = calls;
    this.table = table;
    this.ranges = ranges;
    this.authorizations = authorizations;
    this.columns = columns;
    this.iterators = iterators;
    this.threads = threads;
    this.atOnce = Math.min(atOnce, MOST_RANGES);
  }

  /** The next frame of at most so many cells, null behind the last; at most so long. */
  public ByteBuffer next(int cells, long millis) {
    return calls.run("scan of " + table, Math.min(millis, calls.timeoutMillis()), () -> read(cells));
  }

  /** What iterators of ours said about their work so far, each as JSON. */
  public String[] counts() {
    synchronized (counts) {
      return counts.toArray(new String[0]);
    }
  }

  /** How many ranges were asked for so far. */
  public int asked() {
    return next;
  }

  @Override
  public void close() {
    closed = true;
    ScannerBase open = scanner;
    if (open != null) {
      open.close();
    }
  }

  private ByteBuffer read(int cells) throws TableNotFoundException {
    FrameWriter frame = new FrameWriter();
    while (frame.count() < cells && frame.size() < FRAME_BYTES && hasNext()) {
      Map.Entry<Key, Value> entry = entries.next();
      if (!takeNote(entry)) {
        frame.add(entry.getKey(), entry.getValue());
      }
    }
    return frame.count() == 0 ? null : frame.take();
  }

  private boolean hasNext() throws TableNotFoundException {
    while (!entries.hasNext()) {
      if (next == ranges.size()) {
        return false;
      }
      if (closed) {
        throw new LexigraphException("QueryCancelled", "the scan of " + table + " was closed");
      }
      if (scanner != null) {
        scanner.close();
      }
      int last = Math.min(ranges.size(), next + atOnce);
      entries = last - next == 1 ? one(ranges.get(next)) : several(ranges.subList(next, last));
      next = last;
    }
    return true;
  }

  private Iterator<Map.Entry<Key, Value>> one(Range range) throws TableNotFoundException {
    Scanner made = client.createScanner(table, authorizations);
    prepare(made);
    made.setRange(range);
    return made.iterator();
  }

  private Iterator<Map.Entry<Key, Value>> several(List<Range> some) throws TableNotFoundException {
    BatchScanner made = client.createBatchScanner(table, authorizations, threads);
    prepare(made);
    made.setRanges(some);
    List<Map.Entry<Key, Value>> found = new ArrayList<>();
    for (Map.Entry<Key, Value> entry : made) {
      if (!takeNote(entry)) {
        found.add(entry);
      }
    }
    // Sorting keeps equal keys as they came, and those come from one server.
    found.sort(Map.Entry.comparingByKey());
    return found.iterator();
  }

  private void prepare(ScannerBase made) {
    scanner = made;
    made.setTimeout(calls.timeoutMillis(), TimeUnit.MILLISECONDS);
    columns.chooseFrom(made);
    iterators.forEach(made::addScanIterator);
  }

  private boolean takeNote(Map.Entry<Key, Value> entry) {
    ByteSequence family = entry.getKey().getColumnFamilyData();
    if (family.length() == 0 || family.byteAt(0) != 0) {
      return false;
    }
    if (family.equals(ERROR)) {
      JsonObject told = JsonParser.parseString(entry.getValue().toString()).getAsJsonObject();
      throw new LexigraphException(told.get("name").getAsString(), told.get("text").getAsString());
    }
    if (!family.equals(COUNTS)) {
      return false;
    }
    synchronized (counts) {
      counts.add(entry.getValue().toString());
    }
    return true;
  }
}
