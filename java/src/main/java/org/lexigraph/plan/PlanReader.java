package org.lexigraph.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Nulls;
import org.lexigraph.functions.Aggregate;
import org.lexigraph.functions.Aggregator;
import org.lexigraph.functions.Kind;
import org.lexigraph.json.Node;
import org.lexigraph.json.Words;

/** Reads key plans from JSON: what the grammar allows and no more. What pieces must have in common is PlanCheck's. */
final class PlanReader {

  private static final Map<String, ElementKind> KINDS = Words.of(ElementKind.values());
  private static final Map<String, Matched> MATCHED = Words.of(Matched.values());
  private static final Map<String, Once> ONCE = Words.of(Once.values());
  private static final Map<String, Form> FORMS = Words.of(Form.values());
  private static final Map<String, Nulls> NULLS = Words.of(Nulls.values());
  private static final Map<String, ValueForm> VALUE_FORMS = Words.of(ValueForm.values());
  private static final long MAX_ID = 0xffff_ffffL;

  private PlanReader() {}

  /** Reads and checks a plan; errors say where in it they lie. */
  static Model read(Node node) {
    node.expect(List.of("version", "rows", "family", "groups"));
    node.member("version").integer(1, 1);
    List<Shape> rows = new ArrayList<>();
    for (Node item : node.member("rows").items()) {
      rows.add(readShape(item));
    }
    List<Group> groups = new ArrayList<>();
    node.member("groups").members().forEach((name, item) -> groups.add(readGroup(name, item)));
    Model model = new Model(rows, readParts(node.member("family")), groups);
    new PlanCheck(model, node).check();
    return model;
  }

  private static Shape readShape(Node node) {
    node.expect(List.of("kind", "parts"), "directed", "matched", "once", "group", "family");
    ElementKind kind = node.member("kind").choice(KINDS);
    boolean isEdge = kind == ElementKind.EDGE;
    if (isEdge) {
      node.expect(List.of("kind", "parts", "directed", "matched", "once"), "group", "family");
    } else {
      node.expect(List.of("kind", "parts"), "group", "family");
    }
    return new Shape(
        kind,
        isEdge && node.member("directed").flag(),
        isEdge ? node.member("matched").choice(MATCHED) : null,
        isEdge ? node.member("once").choice(ONCE) : null,
        node.optional("group") == null ? null : node.member("group").name(),
        node.optional("family") == null ? null : readParts(node.member("family")),
        readParts(node.member("parts")));
  }

  private static List<Part> readParts(Node node) {
    List<Part> parts = new ArrayList<>();
    for (Node item : node.items()) {
      parts.add(readPart(item));
    }
    return parts;
  }

  private static Part readPart(Node node) {
    Node constant = node.optional("const");
    if (constant != null) {
      node.expect(List.of("const"));
      if (constant.bytes().length == 0) {
        throw constant.fail("a const needs at least one byte");
      }
      return Part.constant(constant.bytes());
    }
    node.expect(List.of("field", "codec", "form"), "descending", "nulls");
    Form form = node.member("form").choice(FORMS);
    Node descending = node.optional("descending");
    Node nulls = node.optional("nulls");
    if (form != Form.PART && (descending != null || nulls != null)) {
      throw node.fail("only a field of the form 'part' can be given 'descending' or 'nulls'");
    }
    return Part.field(
        node.member("field").name(),
        readCodec(node.member("codec")),
        form,
        descending != null && descending.flag(),
        nulls == null ? null : nulls.choice(NULLS));
  }

  private static Codec readCodec(Node node) {
    try {
      return Codecs.named(node.name());
    } catch (LexigraphException error) {
      throw node.fail(error.text());
    }
  }

  private static Group readGroup(String name, Node node) {
    node.expect(List.of("kind", "qualifier", "value"));
    Node value = node.member("value");
    value.expect(List.of("form"), "property", "properties");
    ValueForm form = value.member("form").choice(VALUE_FORMS);
    return new Group(
        name,
        node.member("kind").choice(KINDS),
        readParts(node.member("qualifier")),
        form,
        readProperties(value, form));
  }

  private static List<Property> readProperties(Node value, ValueForm form) {
    List<Property> properties = new ArrayList<>();
    switch (form) {
      case NONE:
        value.expect(List.of("form"));
        break;
      case SINGLE:
        value.expect(List.of("form", "property"));
        properties.add(readProperty(value.member("property")));
        break;
      default:
        value.expect(List.of("form", "properties"));
        long last = -1;
        for (Node item : value.member("properties").items()) {
          Property found = readProperty(item);
          if (found.id <= last) {
            throw item.fail("ids ascend: " + found.id + " comes after " + last);
          }
          last = found.id;
          properties.add(found);
        }
    }
    return properties;
  }

  private static Property readProperty(Node node) {
    node.expect(List.of("id", "field", "codec"), "aggregate");
    Codec codec = readCodec(node.member("codec"));
    Node aggregate = node.optional("aggregate");
    return new Property(
        node.member("id").integer(0, MAX_ID),
        node.member("field").name(),
        codec,
        aggregate == null ? null : readAggregate(aggregate, codec));
  }

  /** Reads the aggregator of a property, which works over its codec. */
  static Aggregate readAggregate(Node node, Codec codec) {
    Aggregate aggregate = Aggregate.parse(node);
    if (aggregate.kind() == Kind.COUNT) {
      throw node.fail("'count' has no field; it works only in the stage 'summarise'");
    }
    try {
      new Aggregator(aggregate, codec);
    } catch (LexigraphException error) {
      throw node.fail(error.text());
    }
    return aggregate;
  }
}
