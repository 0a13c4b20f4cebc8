package org.lexigraph.plan;

import java.nio.charset.StandardCharsets;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;

/** One vertex or edge, as the cell holds it that its reader read last; fields are read when they are asked for. */
public final class Element {

  private static final byte[] SOURCE = Names.SOURCE.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DESTINATION = Names.DESTINATION.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VERTEX = Names.VERTEX.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EDGE = "edge".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRUE = {1};
  private static final byte[] FALSE = {0};

  private final Plan plan;
  private final Cut cut;
  private final Slice raw = new Slice();
  private Key key;
  private int place;
  /** Whether the first end of an edge is not the greater one; true where nobody asks. */
  private boolean ordered;

  Element(Plan plan, Cut cut) {
    this.plan = plan;
    this.cut = cut;
  }

  void set(Key newKey, int newPlace, boolean newOrdered) {
    key = newKey;
    place = newPlace;
    ordered = newOrdered;
  }

  /** The number of its pair of group and shape. */
  int place() {
    return place;
  }

  /** The number of its group in the plan. */
  public int group() {
    return plan.groupOf(place);
  }

  /** The time of its cell. */
  public long timestamp() {
    return key.getTimestamp();
  }

  /** Whether this row stands for the element where each must come once. */
  public boolean once() {
    Once once = shape().once;
    return once == null || once == Once.ALWAYS || once == Once.ORDERED && ordered;
  }

  boolean state(Slot slot, Slice out) {
    return slot.where == Slot.Where.PROPERTY && cut.states(group()).show(slot.at, out);
  }

  boolean key(Slot asked, Slice out, Buffer scratch) {
    Slot slot = resolve(asked);
    switch (slot.where) {
      case ABSENT:
        return false;
      case ROW:
      case FAMILY:
      case QUALIFIER:
        return cut.part(place, slot, raw) && plan.field(place, slot).key(raw, out, scratch);
      case PROPERTY:
        return state(slot, raw) && value().aggregator(slot.at).key(raw, out, scratch);
      case TIMESTAMP:
        scratch.clear();
        scratch.addNumber(timestamp() ^ Long.MIN_VALUE, 8);
        scratch.show(0, out);
        return true;
      case VISIBILITY:
        ByteSequence label = key.getColumnVisibilityData();
        out.set(label.getBackingArray(), label.offset(), label.offset() + label.length());
        return true;
      default:
        byte[] word = word(slot);
        out.set(word, 0, word.length);
        return true;
    }
  }

  Object value(Slot asked) {
    Slot slot = resolve(asked);
    switch (slot.where) {
      case ABSENT:
        return null;
      case ROW:
      case FAMILY:
      case QUALIFIER:
        return cut.part(place, slot, raw) ? plan.field(place, slot).value(raw) : null;
      case PROPERTY:
        return state(slot, raw) ? value().aggregator(slot.at).finish(raw) : null;
      case TIMESTAMP:
        return timestamp();
      case VISIBILITY:
        return key.getColumnVisibilityData().toArray();
      case DIRECTED:
        return shape().directed;
      default:
        return new String(word(slot), StandardCharsets.UTF_8);
    }
  }

  boolean has(Slot asked) {
    Slot slot = resolve(asked);
    switch (slot.where) {
      case ABSENT:
        return false;
      case ROW:
      case FAMILY:
      case QUALIFIER:
        return cut.part(place, slot, raw) && plan.field(place, slot).isPresent(raw);
      case PROPERTY:
        return state(slot, raw) && !value().aggregator(slot.at).isNull(raw);
      default:
        return true;
    }
  }

  /** The key form of what follows from group and shape. */
  private byte[] word(Slot slot) {
    switch (slot.where) {
      case KIND:
        return shape().kind == ElementKind.VERTEX ? VERTEX : EDGE;
      case GROUP:
        return plan.groupName(place);
      case DIRECTED:
        return shape().directed ? TRUE : FALSE;
      default:
        Matched matched = shape().matched;
        boolean second = matched == Matched.DESTINATION || matched == Matched.EITHER && !ordered;
        return second ? DESTINATION : SOURCE;
    }
  }

  private Slot resolve(Slot slot) {
    if (slot.where == Slot.Where.LESSER || slot.where == Slot.Where.GREATER) {
      return plan.ends(place)[slot.where == Slot.Where.LESSER == ordered ? 0 : 1];
    }
    return slot;
  }

  private Shape shape() {
    return plan.shapeOf(place);
  }

  private ValuePlan value() {
    return plan.value(group());
  }
}
