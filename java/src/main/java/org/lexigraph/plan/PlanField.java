package org.lexigraph.plan;

import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Slice;
import org.lexigraph.functions.Field;

/** A field of a plan's elements, wherever it is found: one slot for each pair of group and shape. */
public final class PlanField implements Field<Element> {

  private final Slot[] slots;

  PlanField(Slot[] slots) {
    this.slots = slots;
  }

  @Override
  public boolean key(Element element, Slice out, Buffer scratch) {
    return element.key(slots[element.place()], out, scratch);
  }

  @Override
  public Object value(Element element) {
    return element.value(slots[element.place()]);
  }

  @Override
  public boolean has(Element element) {
    return element.has(slots[element.place()]);
  }

  /** Makes a slice show the state of a property, undecoded; false where it is absent. */
  public boolean state(Element element, Slice out) {
    return element.state(slots[element.place()], out);
  }
}
