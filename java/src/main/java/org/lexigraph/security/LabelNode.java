package org.lexigraph.security;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lexigraph.codec.Buffer;

/** A term, or a group in its final order: made from the inside out, so that comparing children is enough. */
final class LabelNode implements Comparable<LabelNode> {

  static final int OR = '|';
  static final int AND = '&';

  /** A term as it is written; null for a group. */
  private final byte[] term;

  private final int operator;
  private final List<LabelNode> children;

  private LabelNode(byte[] term, int operator, List<LabelNode> children) {
    this.term = term;
    this.operator = operator;
    this.children = children;
  }

  /** A term that says this token, quoted only where it must be. */
  static LabelNode term(byte[] token) {
    return new LabelNode(quote(token), 0, List.of());
  }

  /** A group: children of the same operator rolled up, sorted, distinct; a group of one is that one. */
  static LabelNode group(int operator, List<LabelNode> members) {
    List<LabelNode> gathered = new ArrayList<>();
    for (LabelNode member : members) {
      if (!member.isTerm() && member.operator == operator) {
        gathered.addAll(member.children);
      } else {
        gathered.add(member);
      }
    }
    gathered.sort(null);
    List<LabelNode> distinct = new ArrayList<>();
    for (LabelNode node : gathered) {
      if (distinct.isEmpty() || distinct.get(distinct.size() - 1).compareTo(node) != 0) {
        distinct.add(node);
      }
    }
    return distinct.size() == 1 ? distinct.get(0) : new LabelNode(null, operator, distinct);
  }

  boolean isTerm() {
    return term != null;
  }

  void write(Buffer out) {
    if (isTerm()) {
      out.add(term);
      return;
    }
    for (int at = 0; at < children.size(); at++) {
      if (at > 0) {
        out.add(operator);
      }
      LabelNode child = children.get(at);
      if (child.isTerm()) {
        child.write(out);
      } else {
        out.add('(');
        child.write(out);
        out.add(')');
      }
    }
  }

  /** Terms first, then ORs, then ANDs; shorter groups first. */
  @Override
  public int compareTo(LabelNode other) {
    if (isTerm() || other.isTerm()) {
      return isTerm() && other.isTerm() ? Arrays.compareUnsigned(term, other.term) : isTerm() ? -1 : 1;
    }
    if (operator != other.operator) {
      return operator == OR ? -1 : 1;
    }
    int order = Integer.compare(children.size(), other.children.size());
    for (int at = 0; order == 0 && at < children.size(); at++) {
      order = children.get(at).compareTo(other.children.get(at));
    }
    return order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LabelNode && compareTo((LabelNode) other) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(term) + children.hashCode() + operator;
  }

  /** Whether a byte may stand in a term without quotes. */
  static boolean isPlain(int one) {
    return one >= 'a' && one <= 'z' || one >= 'A' && one <= 'Z' || one >= '0' && one <= '9'
        || "_-.:/".indexOf(one) >= 0;
  }

  private static byte[] quote(byte[] token) {
    Buffer quoted = new Buffer();
    boolean plain = true;
    quoted.add('"');
    for (byte one : token) {
      plain &= isPlain(one);
      if (one == '"' || one == '\\') {
        quoted.add('\\');
      }
      quoted.add(one);
    }
    quoted.add('"');
    return plain ? token : quoted.toArray();
  }
}
