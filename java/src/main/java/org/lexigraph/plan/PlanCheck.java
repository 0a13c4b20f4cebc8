package org.lexigraph.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.json.Node;

/** What the pieces of a key plan must have in common: after it every cell that fits a plan gives one element. */
final class PlanCheck {

  private final Model model;
  private final Node node;
  private final List<Node> shapes;

  PlanCheck(Model model, Node node) {
    this.model = model;
    this.node = node;
    this.shapes = node.member("rows").items();
  }

  /** Refuses a plan that contradicts itself. */
  void check() {
    if (model.rows.isEmpty()) {
      throw node.member("rows").fail("a plan has at least one shape");
    }
    if (model.groups.isEmpty()) {
      throw node.member("groups").fail("a plan has at least one group");
    }
    checkParts(model.family, node.member("family"));
    for (int at = 0; at < shapes.size(); at++) {
      checkParts(model.rows.get(at).parts, shapes.get(at).member("parts"));
      if (model.rows.get(at).family != null) {
        checkParts(model.rows.get(at).family, shapes.get(at).member("family"));
      }
    }
    checkFamily();
    Iterator<Node> groups = node.member("groups").members().values().iterator();
    for (Group group : model.groups) {
      Node item = groups.next();
      checkParts(group.qualifier, item.member("qualifier"));
      checkGroup(group, item);
    }
  }

  private static void checkParts(List<Part> parts, Node place) {
    List<Node> items = place.items();
    for (int at = 0; at < parts.size(); at++) {
      Part part = parts.get(at);
      if (!part.isField()) {
        continue;
      }
      Node item = items.get(at);
      if (Names.BUILT_IN.contains(part.field)) {
        throw item.fail("'" + part.field + "' is a field of every element and cannot be a part of the key");
      }
      boolean tellsWhich = Names.isIdentity(part.field) || part.field.equals(Names.GROUP);
      if (tellsWhich && part.nulls != null) {
        throw item.fail("'" + part.field + "' identifies the element and cannot be null");
      }
      Part following = at + 1 < parts.size() ? parts.get(at + 1) : null;
      if (part.form == Form.REST && following != null) {
        throw item.fail("a field of the form 'rest' takes all bytes and must come last");
      }
      boolean ends = following == null || !following.isField() && following.constant[0] == 0;
      if (part.form == Form.ESCAPED && !ends) {
        throw item.fail("after a field of the form 'escaped' comes the end, or a const that starts 00");
      }
    }
  }

  private void checkFamily() {
    for (Part part : Part.fieldsIn(model.family)) {
      if (part.isField(Names.GROUP) && part.codec != Codecs.STR) {
        throw node.member("family").fail("the field 'group' has the codec 'str'");
      }
    }
    for (int at = 0; at < shapes.size(); at++) {
      Shape shape = model.rows.get(at);
      boolean grouping = model.familyOf(shape).stream().anyMatch(part -> part.isField(Names.GROUP));
      if (shape.family != null && grouping) {
        throw shapes.get(at).fail("a shape with its own family must name the group itself");
      }
      if (grouping && shape.group != null) {
        throw shapes.get(at).fail("the family gives the group; the shape must not give it too");
      }
      if (!grouping && shape.group == null) {
        throw shapes.get(at).fail("neither the family nor this shape names the group");
      }
    }
  }

  private void checkGroup(Group group, Node place) {
    Map<String, Codec> first = null;
    for (int at = 0; at < shapes.size(); at++) {
      Shape shape = model.rows.get(at);
      if (!shape.serves(group) || group.name.isEmpty()) {
        continue;
      }
      checkFields(group, shape, place);
      if (shape.kind == ElementKind.EDGE) {
        checkEnds(group, shape, shapes.get(at));
      }
      Map<String, Codec> fields = new HashMap<>();
      Part.fieldsIn(shape.parts, model.familyOf(shape)).forEach(part -> fields.put(part.field, part.codec));
      if (first != null && !first.keySet().equals(fields.keySet())) {
        throw shapes.get(at).fail("its fields differ from those of the other shapes of '" + group.name + "'");
      }
      if (first != null && !first.equals(fields)) {
        throw place.fail("a field has two codecs in the shapes of one group");
      }
      first = fields;
    }
    if (first == null) {
      throw place.fail("no shape in the rows is for group '" + group.name + "'");
    }
  }

  private void checkFields(Group group, Shape shape, Node place) {
    List<Part> own = Part.fieldsIn(shape.parts, group.qualifier);
    List<Part> family = Part.fieldsIn(model.familyOf(shape));
    Set<String> seen = new HashSet<>();
    own.forEach(part -> once(part.field, seen, place));
    family.forEach(part -> once(part.field, seen, place));
    for (Property property : group.properties) {
      String name = property.field;
      if (Names.BUILT_IN.contains(name) || Names.isIdentity(name) || name.equals(Names.GROUP)) {
        throw place.fail("'" + name + "' is not a property and cannot be in the value");
      }
      once(name, seen, place);
    }
    Set<String> identity = new HashSet<>();
    for (Part part : own) {
      if (part.isField(Names.GROUP)) {
        throw place.fail("the field 'group' can only be in the family");
      }
      if (Names.isIdentity(part.field)) {
        identity.add(part.field);
      }
    }
    Set<String> wanted =
        group.kind == ElementKind.VERTEX ? Set.of(Names.VERTEX) : Set.of(Names.SOURCE, Names.DESTINATION);
    if (!identity.equals(wanted) || family.stream().anyMatch(part -> Names.isIdentity(part.field))) {
      throw place.fail("the group has " + String.join(" and ", wanted)
          + " in row or qualifier, and nothing else of the kind");
    }
  }

  private static void once(String name, Set<String> seen, Node place) {
    if (!seen.add(name)) {
      throw place.fail("the field '" + name + "' comes twice in one cell");
    }
  }

  private static void checkEnds(Group group, Shape shape, Node place) {
    List<Part> ends = Part.fieldsIn(shape.parts, group.qualifier);
    ends.removeIf(part -> !Names.isEnd(part.field));
    if (shape.compares() && ends.get(0).codec != ends.get(1).codec) {
      throw place.fail("ends that are compared with each other ('either', 'ordered') must have the same codec");
    }
    if (shape.matched == Matched.EITHER) {
      if (shape.directed) {
        throw place.fail("a directed edge starts with its source or its destination, never 'either'");
      }
      return;
    }
    String first = shape.matched == Matched.SOURCE ? Names.SOURCE : Names.DESTINATION;
    if (!ends.get(0).isField(first)) {
      throw place.fail("the row starts with '" + ends.get(0).field + "', but 'matched' names the other end");
    }
  }
}
