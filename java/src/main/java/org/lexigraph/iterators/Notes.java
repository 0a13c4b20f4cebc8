package org.lexigraph.iterators;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.LexigraphException;

/**
 * Cells that tell a client what happened on a server: section 4 of <code>docs/formats/accumulo.md</code>. Their family
 * starts with a zero byte, which no family of ours does.
 */
final class Notes {

  private static final byte[] COUNTS = "\0lexigraph counts".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ERROR = "\0lexigraph error".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NONE = {};

  private Notes() {}

  /** The key of counts in a row. */
  static Key countsKey(byte[] row) {
    return new Key(row, COUNTS, NONE, NONE, Long.MAX_VALUE, false, false);
  }

  /** The key of an error in a row. */
  static Key errorKey(byte[] row) {
    return new Key(row, ERROR, NONE, NONE, Long.MAX_VALUE, false, false);
  }

  /** Whether a key is that of counts. */
  static boolean isCounts(Key key) {
    return key.getColumnFamilyData().equals(new ArrayByteSequence(COUNTS));
  }

  /** Counts of stages, from the data upwards. */
  static Value counts(JsonArray stages) {
    JsonObject told = new JsonObject();
    told.addProperty("class", StageIterator.class.getName());
    told.addProperty("version", Jar.version());
    told.add("stages", stages);
    return value(told);
  }

  /** An error of ours. */
  static Value error(LexigraphException error) {
    JsonObject told = new JsonObject();
    told.addProperty("name", error.name());
    told.addProperty("text", error.text());
    return value(told);
  }

  private static Value value(JsonObject told) {
    return new Value(told.toString().getBytes(StandardCharsets.UTF_8));
  }
}
