package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;
import org.lexigraph.json.Node;

/**
 * Reads predicates from their JSON form and binds them to the fields of elements. Values are key forms, so every
 * language compares bytes. A comparison with an absent field is false, also <code>ne</code>.
 */
public final class Predicates<E> {

  /** How deep predicates may nest, so that no scan can exhaust a stack. */
  private static final int MAX_DEPTH = 32;

  private final Fields<E> fields;
  private final Map<String, KeySet> sets;
  private final Contents<E> contents;

  /** Predicates about these fields; <code>now</code> is the clock in microseconds, if there is one. */
  public Predicates(Fields<E> fields, Map<String, KeySet> sets, OptionalLong now) {
    this.fields = fields;
    this.sets = sets;
    this.contents = new Contents<>(fields, now);
  }

  /** Reads a predicate; InvalidOption says where in it something is wrong. */
  public Test<E> parse(Node node) {
    return parse(node, 1);
  }

  /** Whether JSON is a predicate, and not a map from groups to predicates. */
  public static boolean isPredicate(Node node) {
    return !node.value().isJsonObject()
        || node.value().getAsJsonObject().has("op") && node.optional("op").isText();
  }

  private Test<E> parse(Node node, int depth) {
    if (depth > MAX_DEPTH) {
      throw node.fail("predicates nest at most " + MAX_DEPTH + " deep");
    }
    Node op = node.optional("op");
    if (op == null || !op.isText()) {
      throw node.fail("a predicate is an object with an 'op'");
    }
    switch (op.text()) {
      case "and":
      case "or":
        node.expect(List.of("op", "of"));
        return op.text().equals("and") ? all(node, depth) : any(node, depth);
      case "not":
        node.expect(List.of("op", "of"));
        Test<E> inner = parse(node.member("of"), depth + 1);
        return element -> !inner.holds(element);
      case "exists":
        node.expect(List.of("op", "field"));
        return fields.find(node.member("field").text())::has;
      case "in":
        return node.optional("set") == null ? among(node) : inSet(node);
      default:
        Comparison how = Comparison.WORDS.get(op.text());
        if (how == null) {
          return contents.parse(op.text(), node);
        }
        return node.optional("other") == null ? compare(how, node) : compareFields(how, node);
    }
  }

  private Test<E> all(Node node, int depth) {
    List<Test<E>> tests = tests(node, depth);
    return element -> {
      for (Test<E> test : tests) {
        if (!test.holds(element)) {
          return false;
        }
      }
      return true;
    };
  }

  private Test<E> any(Node node, int depth) {
    List<Test<E>> tests = tests(node, depth);
    return element -> {
      for (Test<E> test : tests) {
        if (test.holds(element)) {
          return true;
        }
      }
      return false;
    };
  }

  private List<Test<E>> tests(Node node, int depth) {
    List<Test<E>> tests = new ArrayList<>();
    for (Node item : node.member("of").items()) {
      tests.add(parse(item, depth + 1));
    }
    return tests;
  }

  private Test<E> compare(Comparison how, Node node) {
    node.expect(List.of("op", "field", "value"));
    byte[] value = node.member("value").bytes();
    Field<E> field = fields.keyOf(node.member("field").text());
    Slice key = new Slice();
    Buffer scratch = new Buffer();
    return element -> field.key(element, key, scratch) && how.holds(key.compare(value));
  }

  private Test<E> compareFields(Comparison how, Node node) {
    node.expect(List.of("op", "field", "other"));
    String name = node.member("field").text();
    String otherName = node.member("other").text();
    if (fields.result(name) != fields.result(otherName)) {
      throw node.fail("'" + name + "' and '" + otherName + "' are of different types and cannot be compared");
    }
    Field<E> field = fields.keyOf(name);
    Field<E> other = fields.keyOf(otherName);
    Slice key = new Slice();
    Slice otherKey = new Slice();
    Buffer scratch = new Buffer();
    Buffer otherScratch = new Buffer();
    return element ->
        field.key(element, key, scratch)
            && other.key(element, otherKey, otherScratch)
            && how.holds(key.compare(otherKey));
  }

  private Test<E> among(Node node) {
    node.expect(List.of("op", "field", "values"));
    List<byte[]> values = new ArrayList<>();
    for (Node item : node.member("values").items()) {
      values.add(item.bytes());
    }
    return inSet(fields.keyOf(node.member("field").text()), KeySet.of(values));
  }

  private Test<E> inSet(Node node) {
    node.expect(List.of("op", "field", "set"));
    Node named = node.member("set");
    KeySet set = sets.get(named.text());
    if (set == null) {
      throw named.fail("the scan brings no set '" + named.text() + "' along; give it in 'sets' of the scan");
    }
    return inSet(fields.keyOf(node.member("field").text()), set);
  }

  private Test<E> inSet(Field<E> field, KeySet set) {
    Slice key = new Slice();
    Buffer scratch = new Buffer();
    return element -> field.key(element, key, scratch) && set.contains(key);
  }

  /** The words of all operations, for messages. */
  static String operations() {
    return String.join(", ", Comparison.WORDS.keySet()) + ", " + String.join(", ", Arrays.asList(
        "in", "exists", "regex", "substring", "contains", "length", "age-off", "and", "or", "not"));
  }
}
