package org.lexigraph.functions;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.lexigraph.Extensions;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.IntCodec;
import org.lexigraph.codec.Moment;
import org.lexigraph.codec.Slice;
import org.lexigraph.codec.Tuple;
import org.lexigraph.codec.TypeBytes;
import org.lexigraph.json.Node;

/** Tests that look into a value: patterns, parts of texts, members, lengths and ages. An absent field fails all. */
final class Contents<E> {

  private static final BigInteger DAY_MICROS = BigInteger.valueOf(86_400_000_000L);

  private final OptionalLong now;

  Contents(OptionalLong now) {
    this.now = now;
  }

  Predicate<E> parse(String op, Node node) {
    switch (op) {
      case "regex":
        return matches(node);
      case "substring":
        return substring(node);
      case "contains":
        return contains(node);
      case "length":
        return length(node);
      case "age-off":
        return ageOff(node);
      default:
        OwnPredicate own = Extensions.predicate(op);
        if (own != null) {
          return own.parse(node);
        }
        throw node.fail("there is no predicate '" + op + "'; available: "
            + String.join(", ", Comparison.WORDS.keySet())
            + ", in, exists, regex, substring, contains, length, age-off, and, or, not");
    }
  }

  private Predicate<E> matches(Node node) {
    node.expect(List.of("op", "field", "pattern"));
    Pattern pattern = JavaRegex.compile(node.member("pattern").text(), "pattern");
    String name = node.member("field").text();
    return fields -> {
      Field<E> field = require(fields, name, node, Codecs.STR);
      return element -> {
        String text = (String) field.value(element);
        return text != null && matches(pattern, text);
      };
    };
  }

  private static boolean matches(Pattern pattern, String text) {
    try {
      return pattern.matcher(text).matches();
    } catch (StackOverflowError error) {
      // Java walks into itself for each repetition of a group; the server must outlive it.
      throw new LexigraphException(
          "UnsupportedError",
          "the pattern " + pattern + " is too deep for a text of " + text.length() + " characters");
    }
  }

  private Predicate<E> substring(Node node) {
    node.expect(List.of("op", "field", "value"), "ignore_case");
    boolean ignoresCase = node.optional("ignore_case") != null && node.member("ignore_case").flag();
    String given = node.member("value").text();
    String part = ignoresCase ? given.toLowerCase(Locale.ROOT) : given;
    String name = node.member("field").text();
    return fields -> {
      Field<E> field = require(fields, name, node, Codecs.STR);
      return element -> {
        String text = (String) field.value(element);
        return text != null && (ignoresCase ? text.toLowerCase(Locale.ROOT) : text).contains(part);
      };
    };
  }

  private Predicate<E> contains(Node node) {
    node.expect(List.of("op", "field", "value"));
    byte[] value = node.member("value").bytes();
    String name = node.member("field").text();
    return fields -> {
      if (fields.result(name) != null) {
        throw node.fail(
            "'contains' looks at collections; field '" + name + "' holds " + fields.result(name).name());
      }
      Field<E> field = fields.find(name);
      Codec codec = fields.codec(name);
      boolean isMap = fields.isMap(name);
      return element -> {
        Tuple members = (Tuple) field.value(element);
        return members != null && hasMember(members, codec, isMap, value);
      };
    };
  }

  private static boolean hasMember(Tuple members, Codec codec, boolean isMap, byte[] value) {
    Buffer key = new Buffer();
    Slice shown = new Slice();
    for (Object member : members.items()) {
      key.clear();
      codec.writeKey(isMap ? ((Tuple) member).items().get(0) : member, key);
      key.show(0, shown);
      if (shown.is(value)) {
        return true;
      }
    }
    return false;
  }

  private Predicate<E> length(Node node) {
    node.expect(List.of("op", "field", "compare", "size"));
    Comparison how = node.member("compare").choice(Comparison.WORDS);
    long size = node.member("size").integer();
    String name = node.member("field").text();
    return fields -> {
      Field<E> field = fields.result(name) == null
          ? fields.find(name)
          : require(fields, name, node, Codecs.STR, Codecs.BYTES);
      return element -> {
        Object value = field.value(element);
        return value != null && how.holds(Long.compare(lengthOf(value), size));
      };
    };
  }

  private static long lengthOf(Object value) {
    if (value instanceof String) {
      return ((String) value).codePointCount(0, ((String) value).length());
    }
    return value instanceof byte[] ? ((byte[]) value).length : ((Tuple) value).items().size();
  }

  private Predicate<E> ageOff(Node node) {
    node.expect(List.of("op", "field", "ttl"));
    BigInteger ttl = BigInteger.valueOf(node.member("ttl").integer());
    long clock = now.orElseThrow(() -> node.fail("there is no clock in this table's unit"));
    BigInteger oldest = BigInteger.valueOf(clock).subtract(ttl);
    String name = node.member("field").text();
    // Integers are milliseconds, but for the time of the cell.
    BigInteger unit = BigInteger.valueOf(name.equals("timestamp") ? 1 : 1000);
    return fields -> {
      Field<E> field = require(
          fields, name, node, Codecs.DATETIME, Codecs.NAIVE_DATETIME, Codecs.DATE, Codecs.INT, Codecs.INT64);
      return element -> {
        Object moment = field.value(element);
        return moment != null && micros(moment, unit).compareTo(oldest) > 0;
      };
    };
  }

  private static BigInteger micros(Object moment, BigInteger unit) {
    if (!(moment instanceof Moment)) {
      return IntCodec.big(moment).multiply(unit);
    }
    BigInteger number = BigInteger.valueOf(((Moment) moment).number());
    return ((Moment) moment).type() == TypeBytes.DATE ? number.multiply(DAY_MICROS) : number;
  }

  /** Finds the field of a test that works over some codecs only. */
  private static <E> Field<E> require(Fields<E> fields, String name, Node node, Codec... codecs) {
    Codec held = fields.result(name);
    for (Codec codec : codecs) {
      if (codec == held) {
        return fields.find(name);
      }
    }
    String found = held == null ? "a collection" : held.name();
    throw node.fail("'" + node.member("op").text() + "' does not look at " + found + ", which field '" + name + "' holds");
  }
}
