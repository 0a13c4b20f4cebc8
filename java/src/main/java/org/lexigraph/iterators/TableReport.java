package org.lexigraph.iterators;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.accumulo.core.client.PluginEnvironment;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * Gives one cell for each range and tablet, whatever is stored there: which jar the server runs, where its files are, and
 * the properties of the table that are ours. Accumulo tells these only to users who may change them, and others need them.
 */
public final class TableReport implements SortedKeyValueIterator<Key, Value> {
  /** The form of the options of iterators that this jar reads. */
  public static final String OPTIONS = StageOptions.VERSION;

  private static final byte[] FAMILY = "\0lexigraph report".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NONE = {};

  private Key top;
  private JsonObject properties = new JsonObject();
  private String volumes;

  /** Made by Accumulo, which then calls {@link #init}. */
  public TableReport() {}

  @Override
  public void init(
      SortedKeyValueIterator<Key, Value> source, Map<String, String> options, IteratorEnvironment env) {
    PluginEnvironment.Configuration table = env.getPluginEnv().getConfiguration(env.getTableId());
    volumes = env.getPluginEnv().getConfiguration().get("instance.volumes");
    for (String name : List.of("lexigraph.settings", "lexigraph.version", "lexigraph.marked")) {
      String value = table.getTableCustom(name);
      if (value != null) {
        properties.addProperty("table.custom." + name, value);
      }
    }
  }

  @Override
  public void seek(Range range, Collection<ByteSequence> families, boolean inclusive) {
    Key start = range.getStartKey();
    // A start that is left out is the key given before: Accumulo goes on behind it.
    boolean again = start != null && !range.isStartKeyInclusive();
    byte[] row = start == null ? NONE : start.getRowData().toArray();
    top = again ? null : new Key(row, FAMILY, NONE, NONE, Long.MAX_VALUE, false, false);
  }

  @Override
  public boolean hasTop() {
    return top != null;
  }

  @Override
  public void next() {
    top = null;
  }

  @Override
  public Key getTopKey() {
    return top;
  }

  @Override
  public Value getTopValue() {
    JsonObject told = new JsonObject();
    told.addProperty("version", Jar.version());
    told.addProperty("digest", Jar.digest());
    told.addProperty("options", OPTIONS);
    told.add("properties", properties);
    told.addProperty("volumes", volumes);
    return new Value(told.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    TableReport copy = new TableReport();
    copy.properties = properties;
    copy.volumes = volumes;
    return copy;
  }
}
