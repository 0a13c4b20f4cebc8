package org.lexigraph.functions;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lexigraph.json.Node;
import org.lexigraph.json.Words;

/** An aggregator with its options, those that it does not have at their defaults. */
public final class Aggregate {

  private static final Map<String, Bucket> BUCKETS = Words.of(Bucket.values());
  private static final Map<String, Kind> KINDS = kinds();

  private final Kind kind;
  private final int size;
  private final String separator;
  private final boolean distinct;
  private final Bucket bucket;

  private Aggregate(Kind kind, int size, String separator, boolean distinct, Bucket bucket) {
    this.kind = kind;
    this.size = size;
    this.separator = separator;
    this.distinct = distinct;
    this.bucket = bucket;
  }

  /** One with all options at their defaults. */
  public static Aggregate of(Kind kind) {
    return new Aggregate(kind, kind.size(), ",", false, Bucket.DAY);
  }

  /** The aggregator of a bare name. */
  public static Aggregate named(Node name) {
    return of(name.choice(KINDS));
  }

  /** Reads <code>{"name", option...}</code>; an option that the aggregator does not have is refused. */
  public static Aggregate parse(Node node) {
    Kind kind = node.member("name").choice(KINDS);
    List<String> name = List.of("name");
    if (kind == Kind.CONCAT) {
      node.expect(name, "separator", "distinct");
      Node separator = node.optional("separator");
      Node distinct = node.optional("distinct");
      return new Aggregate(
          kind, 0, separator == null ? "," : separator.text(), distinct != null && distinct.flag(), Bucket.DAY);
    }
    if (kind == Kind.TIME_SERIES) {
      node.expect(name, "bucket");
      Node bucket = node.optional("bucket");
      return new Aggregate(kind, 0, ",", false, bucket == null ? Bucket.DAY : bucket.choice(BUCKETS));
    }
    if (kind.sizeName() == null) {
      node.expect(name);
      return of(kind);
    }
    node.expect(name, kind.sizeName());
    Node size = node.optional(kind.sizeName());
    if (size == null) {
      return of(kind);
    }
    int given = (int) size.integer(kind.lowest(), kind.highest());
    if (kind == Kind.FREQUENT_ITEMS && Integer.bitCount(given) != 1) {
      throw size.fail("a power of two is needed, not " + given);
    }
    return new Aggregate(kind, given, ",", false, Bucket.DAY);
  }

  /** The form that {@link #parse} reads, without what has its default. */
  public JsonObject toJson() {
    JsonObject written = new JsonObject();
    written.addProperty("name", kind.word());
    if (size != kind.size()) {
      written.addProperty(kind.sizeName(), size);
    }
    if (!separator.equals(",")) {
      written.addProperty("separator", separator);
    }
    if (distinct) {
      written.addProperty("distinct", true);
    }
    if (bucket != Bucket.DAY) {
      written.addProperty("bucket", Words.of(bucket));
    }
    return written;
  }

  /** Which one it is. */
  public Kind kind() {
    return kind;
  }

  /** How much is kept, where that can be said. */
  int size() {
    return size;
  }

  /** What joins texts. */
  String separator() {
    return separator;
  }

  /** Whether every part of joined texts comes once. */
  boolean distinct() {
    return distinct;
  }

  /** What moments are counted by. */
  Bucket bucket() {
    return bucket;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Aggregate)) {
      return false;
    }
    Aggregate that = (Aggregate) other;
    return kind == that.kind
        && size == that.size
        && separator.equals(that.separator)
        && distinct == that.distinct
        && bucket == that.bucket;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, size, separator, distinct, bucket);
  }

  private static Map<String, Kind> kinds() {
    List<Kind> named = new ArrayList<>(List.of(Kind.values()));
    named.remove(Kind.FAITHFUL);
    return Words.of(named.toArray(new Kind[0]));
  }
}
