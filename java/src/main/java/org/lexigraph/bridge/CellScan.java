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
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchScanner;
import org.apache.accumulo.core.client.IteratorSetting;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.client.ScannerBase;
import org.apache.accumulo.core.client.TableNotFoundException;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.security.Authorizations;
import org.lexigraph.LexigraphException;
import org.lexigraph.iterators.EqualKeys;
import org.lexigraph.iterators.Notes;

/**
 * One scan, frame by frame, in the order of the ranges and of the keys in each. One range is read as it comes, each row
 * at one moment. Of several, some hundred are asked for at once, from all servers, and sorted here; then twice as many
 * each time, since every request brings along all that its iterators need, and half as many whenever their cells are
 * too much to be held. The next frames are read while the one before is used.
 */
public final class CellScan implements AutoCloseable {
  private static final Object END = new Object();
  private static final int AHEAD = 2;
  private static final long RANGES_BYTES = 64 << 20;
  /** How many are asked for first, so that the first cells come soon. */
  private static final int FIRST_RANGES = 500;
  private static final long FRAME_BYTES = 16 << 20;

  private final AccumuloClient client;
  private final Calls calls;
  private final String table;
  private final List<Range> ranges;
  private final Authorizations authorizations;
  private final Columns columns;
  private final List<IteratorSetting> iterators;
  /** The families of the cells in which iterators tell an error or what they did; null where they do not. */
  private final ByteSequence errorFamily;
  private final ByteSequence countsFamily;
  /** The name under which all values of a key come in one cell; null where they do not. */
  private final byte[] packed;
  private final int threads;
  private final int atOnce;
  private final List<String> counts = new ArrayList<>();
  private final BlockingQueue<Object> ready = new ArrayBlockingQueue<>(AHEAD);
  private final Queue<ByteBuffer> spare = new ConcurrentLinkedQueue<>();
  private final FrameWriter frame = new FrameWriter();
  private Future<?> reading;
  private ByteBuffer lent;
  private int next;
  /** How many ranges are asked for next. */
  private int step;
  private volatile ScannerBase scanner;
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
    String errors = option(iterators, "errors");
    this.errorFamily = errors == null ? null : Notes.errorFamily(errors);
    String counted = option(iterators, "counts");
    this.countsFamily = counted == null ? null : Notes.countsFamily(counted);
    String name = option(iterators, EqualKeys.NAME);
    this.packed = name == null ? null : name.getBytes(StandardCharsets.UTF_8);
    this.threads = threads;
    this.atOnce = Math.max(1, atOnce);
    this.step = Math.min(this.atOnce, FIRST_RANGES);
  }

  /**
   * The next frame of at most so many cells, null behind the last. Its memory is used again by the next call.
   *
   * @param cells the same for all frames
   * @param millis how long it may take
   */
  public ByteBuffer next(int cells, long millis) {
    if (reading == null) {
      reading = calls.start(() -> readAll(cells));
    }
    if (lent != null) {
      spare.add(lent);
      lent = null;
    }
    Object found = calls.take("scan of " + table, Math.min(millis, calls.timeoutMillis()), ready);
    if (found instanceof ByteBuffer) {
      lent = (ByteBuffer) found;
      return lent.slice();
    }
    // Whoever asks again hears the same.
    ready.offer(found);
    if (found instanceof Throwable) {
      throw Problems.of((Throwable) found);
    }
    return null;
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
    if (reading != null) {
      reading.cancel(true);
      ready.clear();
      ready.offer(cancelled());
    }
    closeScanner();
  }

  private void closeScanner() {
    ScannerBase open = scanner;
    if (open != null) {
      open.close();
    }
  }

  private LexigraphException cancelled() {
    return new LexigraphException("QueryCancelled", "the scan of " + table + " was closed");
  }

  private void readAll(int cells) {
    Object read;
    try {
      do {
        try {
          ByteBuffer made = read(cells);
          read = made == null ? END : made;
        } catch (Exception | Error problem) {
          read = problem;
        }
        ready.put(read);
      } while (read instanceof ByteBuffer && !closed);
    } catch (InterruptedException stopped) {
      // Nobody waits for what was read.
      Thread.currentThread().interrupt();
    }
  }

  private ByteBuffer read(int cells) throws TableNotFoundException {
    while (frame.count() < cells && frame.size() < FRAME_BYTES && hasNext()) {
      Map.Entry<Key, Value> entry = entries.next();
      if (!takeNote(entry)) {
        frame.add(entry.getKey(), entry.getValue());
      }
    }
    return frame.count() == 0 ? null : frame.take(spare.poll());
  }

  private boolean hasNext() throws TableNotFoundException {
    while (!entries.hasNext()) {
      if (next == ranges.size()) {
        return false;
      }
      if (closed) {
        throw cancelled();
      }
      int last = (int) Math.min(ranges.size(), (long) next + step);
      if (last - next == 1) {
        entries = new WholeRows(ranges.get(next), this::oneByOne);
      } else {
        entries = several(ranges.subList(next, last));
        if (entries == null) {
          entries = Collections.emptyIterator();
          step = (last - next) / 2;
          continue;
        }
      }
      next = last;
      step = (int) Math.min(atOnce, 2L * step);
    }
    return true;
  }

  private Iterator<Map.Entry<Key, Value>> oneByOne(Range range) {
    return packed == null ? one(range, 0) : new Unpacked(range, packed, this::one);
  }

  private Iterator<Map.Entry<Key, Value>> one(Range range, long skip) {
    try {
      closeScanner();
      Scanner made = client.createScanner(table, authorizations);
      prepare(made);
      if (skip > 0) {
        String topmost = iterators.get(iterators.size() - 1).getName();
        made.updateScanIteratorOption(topmost, EqualKeys.SKIP, Long.toString(skip));
      }
      made.enableIsolation();
      made.setRange(range);
      return made.iterator();
    } catch (TableNotFoundException problem) {
      throw Problems.of(problem);
    }
  }

  private Iterator<Map.Entry<Key, Value>> several(List<Range> some) throws TableNotFoundException {
    closeScanner();
    BatchScanner made = client.createBatchScanner(table, authorizations, threads);
    prepare(made);
    made.setRanges(some);
    List<Map.Entry<Key, Value>> found = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Key, Value> entry : made) {
      Key key = entry.getKey();
      bytes += key.getSize() + entry.getValue().getSize();
      int left = -1;
      if (packed != null && EqualKeys.isPacked(entry.getValue(), packed)) {
        left = EqualKeys.read(entry.getValue(), packed, value -> found.add(Map.entry(key, value)));
      } else {
        found.add(entry);
      }
      if (left >= 0 || bytes > RANGES_BYTES) {
        made.close();
        return null;
      }
    }
    // Sorting keeps equal keys as they came, and those come from one server.
    found.sort(Map.Entry.comparingByKey());
    return found.iterator();
  }

  private void prepare(ScannerBase made) {
    scanner = made;
    made.setTimeout(calls.timeoutMillis(), TimeUnit.MILLISECONDS);
    // A server that takes long for a whole answer gives what it has: so it is not taken for one that is away.
    made.setBatchTimeout(Math.max(1, calls.timeoutMillis() / 6), TimeUnit.MILLISECONDS);
    columns.chooseFrom(made);
    iterators.forEach(made::addScanIterator);
  }

  private static String option(List<IteratorSetting> iterators, String name) {
    for (IteratorSetting one : iterators) {
      if (one.getOptions().containsKey(name)) {
        return one.getOptions().get(name);
      }
    }
    return null;
  }

  private boolean takeNote(Map.Entry<Key, Value> entry) {
    ByteSequence family = entry.getKey().getColumnFamilyData();
    if (family.length() == 0 || family.byteAt(0) != 0) {
      return false;
    }
    if (family.equals(errorFamily)) {
      JsonObject told = JsonParser.parseString(entry.getValue().toString()).getAsJsonObject();
      throw new LexigraphException(told.get("name").getAsString(), told.get("text").getAsString());
    }
    if (!family.equals(countsFamily)) {
      return false;
    }
    synchronized (counts) {
      counts.add(entry.getValue().toString());
    }
    return true;
  }
}
