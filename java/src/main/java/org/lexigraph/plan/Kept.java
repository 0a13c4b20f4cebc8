package org.lexigraph.plan;

import java.util.List;

/** Which parts of a group's qualifier stay in a roll-up: consts, identity fields and the properties asked for. */
public final class Kept {

  private final boolean[] stays;
  private final boolean prefix;

  Kept(Group group, List<String> by) {
    stays = new boolean[group.qualifier.size()];
    boolean streams = true;
    boolean dropped = false;
    for (int at = 0; at < stays.length; at++) {
      Part part = group.qualifier.get(at);
      stays[at] = stays(part, by);
      if (part.isField()) {
        streams &= !(dropped && stays[at]);
        dropped |= !stays[at];
      }
    }
    prefix = streams;
  }

  /** Whether a part stays. */
  static boolean stays(Part part, List<String> by) {
    return !part.isField() || Names.isIdentity(part.field) || by.contains(part.field);
  }

  /** Whether all that stays comes before all that is left out, so that results can stream. */
  public boolean isPrefix() {
    return prefix;
  }

  int size() {
    return stays.length;
  }

  boolean stays(int part) {
    return stays[part];
  }
}
