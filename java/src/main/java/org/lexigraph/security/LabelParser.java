package org.lexigraph.security;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;

/** Reads a label: terms joined with only AND or only OR, brackets to mix them. Nothing recurses. */
final class LabelParser {

  /** The brackets being read. */
  private static final class Open {
    int operator;
    final List<LabelNode> members = new ArrayList<>();

    LabelNode close(LabelNode last) {
      if (operator == 0) {
        return last;
      }
      members.add(last);
      return LabelNode.group(operator, members);
    }
  }

  private final byte[] label;
  private int at;

  LabelParser(byte[] label) {
    this.label = label;
  }

  LabelNode parse() {
    Deque<Open> outer = new ArrayDeque<>();
    Open group = new Open();
    LabelNode operand = null;
    while (at < label.length) {
      int one = label[at];
      if (one == LabelNode.AND || one == LabelNode.OR) {
        require(operand != null, "a term is missing");
        require(group.operator == 0 || group.operator == one, "& and | cannot be mixed without brackets");
        group.operator = one;
        group.members.add(operand);
        operand = null;
        at++;
      } else if (one == ')') {
        require(operand != null, "a term is missing");
        require(!outer.isEmpty(), "this bracket closes nothing");
        operand = group.close(operand);
        group = outer.pop();
        at++;
      } else {
        require(operand == null, "& or | is missing");
        if (one == '(') {
          outer.push(group);
          group = new Open();
          at++;
        } else {
          operand = term();
        }
      }
    }
    require(operand != null, "a term is missing");
    require(outer.isEmpty(), "a bracket is never closed");
    return group.close(operand);
  }

  private LabelNode term() {
    int start = at;
    while (at < label.length && LabelNode.isPlain(label[at])) {
      at++;
    }
    if (at > start) {
      return LabelNode.term(Arrays.copyOfRange(label, start, at));
    }
    require(label[at] == '"', "this character is only allowed inside quotes");
    at++;
    Buffer token = new Buffer();
    while (true) {
      require(at < label.length, "a quote is never closed");
      int one = label[at++];
      if (one == '"') {
        break;
      }
      if (one == '\\') {
        boolean escapes = at < label.length && (label[at] == '"' || label[at] == '\\');
        require(escapes, "inside quotes \\ may only stand before \" and \\");
        one = label[at++];
      }
      token.add(one);
    }
    require(token.length() > 0, "quotes must hold at least one character");
    return LabelNode.term(token.toArray());
  }

  private void require(boolean holds, String problem) {
    if (!holds) {
      throw new LexigraphException("InvalidVisibility", problem + " at byte " + at + " of the label");
    }
  }
}
