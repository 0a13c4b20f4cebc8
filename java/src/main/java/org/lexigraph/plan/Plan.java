package org.lexigraph.plan;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Slice;
import org.lexigraph.json.Node;

/**
 * A checked and compiled plan; {@link CellReader} reads cells by it. A <em>place</em> is the number of a pair of group
 * and shape. Has no state and may be shared.
 */
public final class Plan {

  private final Model model;
  private final Parts[] rows;
  private final Parts[] families;
  private final Parts family;
  private final int groupStep;
  private final Parts[] qualifiers;
  private final ValuePlan[] values;
  private final byte[][] groupNames;
  private final Map<String, Integer> groups = new HashMap<>();
  private final Slot[][] ends;

  Plan(Model model) {
    this.model = model;
    int shapes = model.rows.size();
    int count = model.groups.size();
    family = new Parts(model.family);
    groupStep = stepOf(model.family);
    rows = new Parts[shapes];
    families = new Parts[shapes];
    for (int at = 0; at < shapes; at++) {
      Shape shape = model.rows.get(at);
      rows[at] = new Parts(shape.parts);
      families[at] = shape.family == null ? family : new Parts(shape.family);
    }
    qualifiers = new Parts[count];
    values = new ValuePlan[count];
    groupNames = new byte[count][];
    ends = new Slot[count * shapes][];
    for (int at = 0; at < count; at++) {
      Group group = model.groups.get(at);
      qualifiers[at] = new Parts(group.qualifier);
      values[at] = new ValuePlan(group);
      groupNames[at] = group.name.getBytes(StandardCharsets.UTF_8);
      groups.put(group.name, at);
      for (int shape = 0; shape < shapes; shape++) {
        ends[at * shapes + shape] = Slots.ends(group, model.rows.get(shape));
      }
    }
  }

  /** Reads a plan from JSON; errors say where in it they lie. */
  public static Plan parse(Node node) {
    return new Plan(PlanReader.read(node));
  }

  /** The plan as JSON: equal plans, equal JSON. */
  public JsonObject toJson() {
    return PlanWriter.write(model);
  }

  /** The fields of all groups. */
  public PlanFields fields() {
    return new PlanFields(model, null);
  }

  /** The fields of one group; GroupNotFound where there is none of that name. */
  public PlanFields fields(String group) {
    Group found = model.group(group);
    if (found == null) {
      throw new LexigraphException(
          "GroupNotFound", "the plan has no group '" + group + "'; it has " + String.join(", ", groups.keySet()));
    }
    return new PlanFields(model, found);
  }

  /** How many groups there are. */
  public int groupCount() {
    return values.length;
  }

  /** The number of a group that the plan has. */
  public int groupIndex(String name) {
    return groups.get(name);
  }

  /** How a group's values are read and written. */
  public ValuePlan value(int group) {
    return values[group];
  }

  /** Refuses a plan for a stage that merges: without an aggregator no choice is the same in every order. */
  public void checkMergeable(String stage) {
    for (Group group : model.groups) {
      for (Property property : group.properties) {
        if (property.aggregate == null) {
          throw LexigraphException.invalidOption("stage '" + stage + "' cannot merge group '" + group.name
              + "': its property '" + property.field + "' has no aggregator");
        }
      }
    }
  }

  Model model() {
    return model;
  }

  /** The number of the group that a family names; -1 for one that is not listed. */
  int findGroup(Slice name) {
    for (int at = 0; at < groupNames.length; at++) {
      if (name.is(groupNames[at])) {
        return at;
      }
    }
    return -1;
  }

  /** The number of the group that a shape gives; -1 where it gives none, or one that is not listed. */
  int groupOfShape(int shape) {
    String name = model.rows.get(shape).group;
    return name == null ? -1 : groups.getOrDefault(name, -1);
  }

  int shapeCount() {
    return rows.length;
  }

  int place(int group, int shape) {
    return group * rows.length + shape;
  }

  int groupOf(int place) {
    return place / rows.length;
  }

  int shapeIndex(int place) {
    return place % rows.length;
  }

  Shape shapeOf(int place) {
    return model.rows.get(shapeIndex(place));
  }

  boolean serves(int group, int shape) {
    return model.rows.get(shape).serves(model.groups.get(group));
  }

  byte[] groupName(int place) {
    return groupNames[groupOf(place)];
  }

  Slot[] ends(int place) {
    return ends[place];
  }

  /** The field at a slot of the key. */
  KeyField field(int place, Slot slot) {
    switch (slot.where) {
      case ROW:
        return rows[shapeIndex(place)].field(slot.at);
      case FAMILY:
        return families[shapeIndex(place)].field(slot.at);
      default:
        return qualifiers[groupOf(place)].field(slot.at);
    }
  }

  boolean hasOwnFamily(int shape) {
    return model.rows.get(shape).family != null;
  }

  Parts rowParts(int shape) {
    return rows[shape];
  }

  Parts familyParts(int shape) {
    return families[shape];
  }

  /** The family of shapes that have none of their own. */
  Parts sharedFamily() {
    return family;
  }

  /** The part of the shared family that names the group; -1 where shapes do. */
  int groupStep() {
    return groupStep;
  }

  Parts qualifierParts(int group) {
    return qualifiers[group];
  }

  private static int stepOf(List<Part> family) {
    for (int at = 0; at < family.size(); at++) {
      if (family.get(at).isField(Names.GROUP)) {
        return at;
      }
    }
    return -1;
  }
}
