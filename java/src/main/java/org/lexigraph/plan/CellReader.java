package org.lexigraph.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.PartialKey;
import org.apache.accumulo.core.data.Value;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.ByteReader;
import org.lexigraph.codec.Slice;
import org.lexigraph.functions.State;
import org.lexigraph.stages.Bounds;

/**
 * Reads cells as one plan says. A group that the plan does not list gives no element; everything else that does not fit
 * is InvalidBytes. Buffers are kept from cell to cell. Not for two threads at once.
 */
public final class CellReader {

  private static final int NONE = -1;

  private final Plan plan;
  private final Cut cut;
  private final Element element;
  private final Spans sharedFamily;
  private final Slice data = new Slice();
  private final Slice state = new Slice();
  private final Slice first = new Slice();
  private final Slice second = new Slice();
  private final Buffer scratch = new Buffer();
  private final Buffer other = new Buffer();
  private final ByteReader in = new ByteReader();
  /** Cells of one row come together: the last row and family are remembered, and what they are. */
  private Key last;

  private int lastPlace;

  /** A reader of cells that a plan describes. */
  public CellReader(Plan plan) {
    this.plan = plan;
    cut = new Cut(plan);
    element = new Element(plan, cut);
    sharedFamily = new Spans(plan.sharedFamily().size());
  }

  /** Reads and cuts a whole cell; null for a group that the plan does not list. */
  public Element read(Key key, Value value) {
    int place = place(key);
    if (place == NONE) {
      return null;
    }
    readQualifier(place, key);
    readValue(place, key, value);
    element.set(key, place, isOrdered(place));
    return element;
  }

  /** The place of a cell, from its row and family; negative for a group that the plan does not list. */
  public int place(Key key) {
    if (last != null && key.equals(last, PartialKey.ROW_COLFAM)) {
      return lastPlace;
    }
    last = null;
    // A copy, into which the cut parts point: a source may use its key again.
    Key copy = new Key(key);
    lastPlace = findPlace(copy);
    last = copy;
    return lastPlace;
  }

  /** Whether rows of a place never stand for their edge. */
  public boolean isSecond(int place) {
    return plan.shapeOf(place).once == Once.NEVER;
  }

  /** The number of the group of a place. */
  public int group(int place) {
    return plan.groupOf(place);
  }

  /** Cuts the qualifier of a cell. */
  public void readQualifier(int place, Key key) {
    Parts parts = plan.qualifierParts(plan.groupOf(place));
    show(key.getColumnQualifierData(), data);
    Spans spans = cut.qualifier(plan.groupOf(place));
    if (!parts.read(data, spans, scratch)) {
      throw misfit("qualifier", place, key, parts.why(data, spans, scratch));
    }
  }

  /** Appends the parts of the qualifier that was cut last which stay in a roll-up. */
  public void writeKept(int place, Kept kept, Buffer out) {
    Spans spans = cut.qualifier(plan.groupOf(place));
    for (int part = 0; part < kept.size(); part++) {
      if (kept.stays(part) && spans.show(part, state)) {
        out.add(state);
      }
    }
  }

  /** Merges the states in the value of a cell into what is held. */
  public void fold(int place, Key key, Value value, State[] states) {
    readValue(place, key, value);
    int group = plan.groupOf(place);
    try {
      plan.value(group).fold(cut.states(group), key.getTimestamp(), state, states);
    } catch (LexigraphException error) {
      throw named(error, place, key);
    }
  }

  private void readValue(int place, Key key, Value value) {
    int group = plan.groupOf(place);
    byte[] bytes = value.get();
    try {
      plan.value(group).read(data.set(bytes, 0, bytes.length), cut.states(group), in);
    } catch (LexigraphException error) {
      throw named(error, place, key);
    }
  }

  private LexigraphException named(LexigraphException error, int place, Key key) {
    return error.name().equals("InvalidBytes") ? misfit("value", place, key, error.text()) : error;
  }

  private boolean isOrdered(int place) {
    if (!plan.shapeOf(place).compares()) {
      return true;
    }
    Slot[] ends = plan.ends(place);
    endKey(place, ends[0], first, scratch);
    endKey(place, ends[1], second, other);
    return first.compare(second) <= 0;
  }

  /** The key form of an end, empty for null, which it is in no sound table. */
  private void endKey(int place, Slot slot, Slice out, Buffer buffer) {
    if (!cut.part(place, slot, state) || !plan.field(place, slot).key(state, out, buffer)) {
      out.set(state.data(), 0, 0);
    }
  }

  private int findPlace(Key key) {
    Slice row = show(key.getRowData(), new Slice());
    Slice family = show(key.getColumnFamilyData(), new Slice());
    boolean shares = false;
    boolean fits = false;
    for (int shape = 0; shape < plan.shapeCount(); shape++) {
      if (!plan.hasOwnFamily(shape)) {
        shares = true;
        continue;
      }
      int group = plan.groupOfShape(shape);
      if (group < 0 || !plan.familyParts(shape).read(family, cut.family(shape), scratch)) {
        continue;
      }
      if (plan.rowParts(shape).read(row, cut.row(shape), scratch)) {
        return checked(group, shape, key);
      }
      fits = true;
    }
    if (shares) {
      return findShared(key, row, family);
    }
    if (fits) {
      throw noShape(key, row, true);
    }
    return NONE;
  }

  private int findShared(Key key, Slice row, Slice family) {
    Parts parts = plan.sharedFamily();
    if (!parts.read(family, sharedFamily, scratch)) {
      throw LexigraphException.invalidBytes("family " + Bounds.show(key.getColumnFamilyData()) + " does not fit the plan: "
          + parts.why(family, sharedFamily, scratch));
    }
    int named = NONE;
    if (plan.groupStep() >= 0) {
      sharedFamily.show(plan.groupStep(), state);
      parts.field(plan.groupStep()).key(state, first, scratch);
      named = plan.findGroup(first);
      if (named < 0) {
        return NONE;
      }
    }
    for (int shape = 0; shape < plan.shapeCount(); shape++) {
      if (plan.hasOwnFamily(shape)) {
        continue;
      }
      if (plan.rowParts(shape).read(row, cut.row(shape), scratch)) {
        int group = named < 0 ? plan.groupOfShape(shape) : named;
        if (group < 0) {
          return NONE;
        }
        parts.read(family, cut.family(shape), scratch);
        return checked(group, shape, key);
      }
    }
    throw noShape(key, row, false);
  }

  private LexigraphException noShape(Key key, Slice row, boolean own) {
    List<String> reasons = new ArrayList<>();
    for (int shape = 0; shape < plan.shapeCount(); shape++) {
      String why = plan.rowParts(shape).why(row, cut.row(shape), scratch);
      if (plan.hasOwnFamily(shape) == own && why != null) {
        reasons.add(why);
      }
    }
    return LexigraphException.invalidBytes("row " + Bounds.show(key.getRowData())
        + " does not fit any of the plan's shapes: " + String.join("; ", reasons));
  }

  private int checked(int group, int shape, Key key) {
    int place = plan.place(group, shape);
    if (!plan.serves(group, shape)) {
      throw misfit("row", place, key, "it is the row of another kind of element");
    }
    return place;
  }

  private LexigraphException misfit(String what, int place, Key key, String why) {
    return LexigraphException.invalidBytes("the " + what + " of the cell at " + Bounds.show(key)
        + " does not fit group '" + plan.model().groups.get(plan.groupOf(place)).name + "' of the plan: " + why);
  }

  private static Slice show(ByteSequence bytes, Slice out) {
    return out.set(bytes.getBackingArray(), bytes.offset(), bytes.offset() + bytes.length());
  }
}
