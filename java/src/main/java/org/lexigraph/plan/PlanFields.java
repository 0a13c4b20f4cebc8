package org.lexigraph.plan;

import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Codecs;
import org.lexigraph.functions.Aggregate;
import org.lexigraph.functions.Aggregator;
import org.lexigraph.functions.Field;
import org.lexigraph.functions.Fields;

/** The fields of one group of a plan, or of all. */
public final class PlanFields implements Fields<Element> {

  private final Model model;
  private final List<Group> groups;
  private final String what;

  PlanFields(Model model, Group only) {
    this.model = model;
    groups = only == null ? model.groups : List.of(only);
    what = only == null ? "the plan" : "group '" + only.name + "'";
  }

  /** What the field of that name holds: codec and aggregator; refused where groups disagree. */
  Property held(String name) {
    Property first = null;
    for (Group group : groups) {
      Property found = heldBy(group, name);
      if (first == null) {
        first = found;
      } else if (found != null
          && (found.codec != first.codec || !Objects.equals(found.aggregate, first.aggregate))) {
        throw LexigraphException.invalidOption(
            "the groups of " + what + " hold different kinds of value in '" + name + "'");
      }
    }
    if (first == null) {
      throw unknown(name);
    }
    return first;
  }

  /** The aggregator that made a field's states; null for a field that nothing aggregates. */
  public Aggregate aggregate(String name) {
    return held(name).aggregate;
  }

  /** Where a field is, also where groups disagree on what it holds. */
  public PlanField locate(String name) {
    if (groups.stream().allMatch(group -> heldBy(group, name) == null)) {
      throw unknown(name);
    }
    Slot[] slots = new Slot[model.groups.size() * model.rows.size()];
    int place = 0;
    for (Group group : model.groups) {
      for (Shape shape : model.rows) {
        slots[place++] = Slots.find(model, group, shape, name);
      }
    }
    return new PlanField(slots);
  }

  @Override
  public Field<Element> keyOf(String name) {
    if (result(name) == null) {
      throw LexigraphException.invalidOption("field '" + name + "' holds a collection, which cannot be compared");
    }
    return locate(name);
  }

  @Override
  public Field<Element> find(String name) {
    held(name);
    return locate(name);
  }

  @Override
  public Codec codec(String name) {
    return held(name).codec;
  }

  @Override
  public Codec result(String name) {
    return aggregator(name).result();
  }

  @Override
  public boolean isMap(String name) {
    return aggregator(name).isMap();
  }

  private Aggregator aggregator(String name) {
    return held(name).aggregator();
  }

  private Property heldBy(Group group, String name) {
    switch (name) {
      case Names.KIND:
      case Names.MATCHED:
      case Names.GROUP:
        return plain(name, Codecs.STR);
      case Names.DIRECTED:
        return plain(name, Codecs.BOOL);
      case Names.VISIBILITY:
        return plain(name, Codecs.BYTES);
      case Names.TIMESTAMP:
        return plain(name, Codecs.INT64);
      default:
        for (Part part : keyParts(group)) {
          if (part.isField(name)) {
            return plain(name, part.codec);
          }
        }
        return group.property(name);
    }
  }

  private static Property plain(String name, Codec codec) {
    return new Property(0, name, codec, null);
  }

  /** The fields in the key; all shapes of a group have the same. */
  private List<Part> keyParts(Group group) {
    for (Shape shape : model.rows) {
      if (shape.serves(group)) {
        return Part.fieldsIn(shape.parts, model.familyOf(shape), group.qualifier);
      }
    }
    return Part.fieldsIn(group.qualifier);
  }

  private LexigraphException unknown(String name) {
    TreeSet<String> known = new TreeSet<>(Names.BUILT_IN);
    known.add(Names.GROUP);
    for (Group group : groups) {
      keyParts(group).forEach(part -> known.add(part.field));
      group.properties.forEach(property -> known.add(property.field));
    }
    return LexigraphException.invalidOption(
        what + " has no field '" + name + "'; available: " + String.join(", ", known));
  }
}
