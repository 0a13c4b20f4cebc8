package org.lexigraph.iterators;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.LexigraphException;

/**
 * Cells that tell a client what happened on a server: section 4 of <code>docs/formats/accumulo.md</code>. Their family
 * has the name of the scan, which nobody knows before: so no cell of a table is taken for one.
 */
public final class Notes {

  private static final byte[] NONE = {};

  private Notes() {}

  /** The family of the counts of a scan. */
  public static ByteSequence countsFamily(String scan) {
    return family("counts", scan);
  }

  /** The family of the errors of a scan. */
  public static ByteSequence errorFamily(String scan) {
    return family("error", scan);
  }

  /** The key of a note in a row. */
  static Key key(byte[] row, ByteSequence family) {
    return new Key(row, family.toArray(), NONE, NONE, Long.MAX_VALUE, false, false);
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

  private static ByteSequence family(String what, String scan) {
    return new ArrayByteSequence(("\0lexigraph " + what + " " + scan).getBytes(StandardCharsets.UTF_8));
  }

  private static Value value(JsonObject told) {
    return new Value(told.toString().getBytes(StandardCharsets.UTF_8));
  }
}
