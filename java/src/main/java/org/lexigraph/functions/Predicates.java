package org.lexigraph.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;
import org.lexigraph.json.Node;

/**
 * Reads predicates from their JSON form. Values are key forms, so every language compares bytes. A comparison with an
 * absent field is false, also <code>ne</code>.
 */
public final class Predicates<E> {

  /** How deep predicates may nest, so that no scan can exhaust a stack. */
  private static final int MAX_DEPTH = 32;

  private final Map<String, KeySet> sets;
  private final Contents<E> contents;

  /** A reader that knows these sets, and the clock in microseconds if there is one. */
  public Predicates(Map<String, KeySet> sets, OptionalLong now) {
    this.sets = sets;
    this.contents = new Contents<>(now);
  }

  /** Reads a predicate; InvalidOption says where in it something is wrong. */
  public Predicate<E> parse(Node node) {
    return parse(node, 1);
  }

  /** Whether JSON is a predicate, and not a map from groups to predicates. */
  public static boolean isPredicate(Node node) {
    return !node.value().isJsonObject() || node.optional("op") != null && node.optional("op").isText();
  }

  private Predicate<E> parse(Node node, int depth) {
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
        return several(node, op.text().equals("and"), depth);
      case "not":
        node.expect(List.of("op", "of"));
        Predicate<E> inner = parse(node.member("of"), depth + 1);
        return fields -> {
          Test<E> test = inner.bind(fields);
          return element -> !test.holds(element);
        };
      case "exists":
        node.expect(List.of("op", "field"));
        String name = node.member("field").text();
        return fields -> fields.find(name)::has;
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

  private Predicate<E> several(Node node, boolean all, int depth) {
    List<Predicate<E>> predicates = new ArrayList<>();
    for (Node item : node.member("of").items()) {
      predicates.add(parse(item, depth + 1));
    }
    return fields -> {
      List<Test<E>> tests = new ArrayList<>();
      predicates.forEach(predicate -> tests.add(predicate.bind(fields)));
      return element -> {
        for (Test<E> test : tests) {
          if (test.holds(element) != all) {
            return !all;
          }
        }
        return all;
      };
    };
  }

  private Predicate<E> compare(Comparison how, Node node) {
    node.expect(List.of("op", "field", "value"));
    byte[] value = node.member("value").bytes();
    String name = node.member("field").text();
    return fields -> {
      Field<E> field = fields.keyOf(name);
      Slice key = new Slice();
      Buffer scratch = new Buffer();
      return element -> field.key(element, key, scratch) && how.holds(key.compare(value));
    };
  }

  private Predicate<E> compareFields(Comparison how, Node node) {
    node.expect(List.of("op", "field", "other"));
    String name = node.member("field").text();
    String otherName = node.member("other").text();
    return fields -> {
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
    };
  }

  private Predicate<E> among(Node node) {
    node.expect(List.of("op", "field", "values"));
    List<byte[]> values = new ArrayList<>();
    for (Node item : node.member("values").items()) {
      values.add(item.bytes());
    }
    return inSet(node.member("field").text(), KeySet.of(values));
  }

  private Predicate<E> inSet(Node node) {
    node.expect(List.of("op", "field", "set"));
    Node named = node.member("set");
    KeySet set = sets.get(named.text());
    if (set == null) {
      throw named.fail("the scan has no set '" + named.text() + "'; pass it in 'sets' of the scan");
    }
    return inSet(node.member("field").text(), set);
  }

  private Predicate<E> inSet(String name, KeySet set) {
    return fields -> {
      Field<E> field = fields.keyOf(name);
      Slice key = new Slice();
      Buffer scratch = new Buffer();
      return element -> field.key(element, key, scratch) && set.contains(key);
    };
  }
}
