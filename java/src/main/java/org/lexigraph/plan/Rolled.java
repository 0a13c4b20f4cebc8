package org.lexigraph.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Codec;
import org.lexigraph.functions.Aggregate;
import org.lexigraph.json.Node;

/**
 * The plan of what a roll-up gives: fewer group-by properties, and other aggregators where asked. Consts and identity
 * fields stay where they are. A group that is given aggregators has a tagged value: properties keep their ids, and
 * group-by properties that move into the value take the next ones.
 */
public final class Rolled {

  private static final long MAX_ID = 0xffff_ffffL;

  private final Plan plan;
  private final Plan output;
  private final Kept[] kept;
  private final Remake[] remakes;

  /** Rolls a plan up by some group-by properties; <code>aggregates</code> may be null. */
  public Rolled(Plan plan, List<String> by, Node aggregates) {
    this.plan = plan;
    Map<String, Map<String, Aggregate>> asked =
        aggregates == null ? Map.of() : readAggregates(plan.model(), by, aggregates);
    List<Group> groups = new ArrayList<>();
    for (Group group : plan.model().groups) {
      checkKnown(group, by);
      groups.add(roll(group, by, asked.get(group.name)));
    }
    output = new Plan(new Model(plan.model().rows, plan.model().family, groups));
    output.checkMergeable("roll-up");
    kept = new Kept[groups.size()];
    remakes = new Remake[groups.size()];
    for (int at = 0; at < kept.length; at++) {
      Group group = plan.model().groups.get(at);
      kept[at] = new Kept(group, by);
      remakes[at] = asked.containsKey(group.name) ? new Remake(plan, group, groups.get(at)) : null;
    }
  }

  /** The plan of what is read. */
  public Plan plan() {
    return plan;
  }

  /** The plan of what is given. */
  public Plan output() {
    return output;
  }

  /** What stays of the qualifiers of a group. */
  public Kept kept(int group) {
    return kept[group];
  }

  /** How the values of a group are made anew; null where they merge as they are. */
  public Remake remake(int group) {
    return remakes[group];
  }

  private static Map<String, Map<String, Aggregate>> readAggregates(Model model, List<String> by, Node node) {
    Map<String, Map<String, Aggregate>> found = new HashMap<>();
    node.members().forEach((name, members) -> {
      Group group = model.group(name);
      if (group == null) {
        throw members.fail("the plan has no group '" + name + "'");
      }
      Map<String, Aggregate> asked = new HashMap<>();
      members.members().forEach((field, item) -> asked.put(field, readAggregate(group, field, by, item)));
      found.put(name, asked);
    });
    return found;
  }

  private static Aggregate readAggregate(Group group, String field, List<String> by, Node item) {
    Property own = group.property(field);
    if (own != null) {
      Aggregate aggregate = Aggregate.parse(item);
      return aggregate.equals(own.aggregate) ? aggregate : PlanReader.readAggregate(item, resultOf(own));
    }
    for (Part part : group.groupBy()) {
      if (part.isField(field) && !by.contains(field)) {
        return PlanReader.readAggregate(item, part.codec);
      }
    }
    throw item.fail("group '" + group.name + "' has no aggregated property '" + field + "'");
  }

  private static Group roll(Group group, List<String> by, Map<String, Aggregate> asked) {
    List<Part> qualifier = new ArrayList<>(group.qualifier);
    qualifier.removeIf(part -> !Kept.stays(part, by));
    if (asked == null) {
      return new Group(group.name, group.kind, qualifier, group.form, group.properties);
    }
    List<Property> properties = new ArrayList<>();
    long id = 0;
    for (Property own : group.properties) {
      Aggregate aggregate = asked.get(own.field);
      boolean changes = aggregate != null && !aggregate.equals(own.aggregate);
      properties.add(changes ? new Property(own.id, own.field, resultOf(own), aggregate) : own);
      id = own.id;
    }
    for (Part part : group.groupBy()) {
      if (asked.containsKey(part.field)) {
        id++;
        if (id > MAX_ID) {
          throw LexigraphException.invalidOption(
              "group '" + group.name + "' has no property ids left for '" + part.field + "'");
        }
        properties.add(new Property(id, part.field, part.codec, asked.get(part.field)));
      }
    }
    return new Group(group.name, group.kind, qualifier, ValueForm.TAGGED, properties);
  }

  /** The codec of a property's finished values. */
  private static Codec resultOf(Property property) {
    Codec result = property.aggregator().result();
    if (result == null) {
      throw LexigraphException.invalidOption(
          "field '" + property.field + "' holds a collection, which only its own aggregator merges");
    }
    return result;
  }

  private static void checkKnown(Group group, List<String> by) {
    for (String name : by) {
      if (group.groupBy().stream().noneMatch(part -> part.isField(name))) {
        throw LexigraphException.invalidOption(
            "roll-up by '" + name + "': group '" + group.name + "' has no such group-by property");
      }
    }
  }
}
