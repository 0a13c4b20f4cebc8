package org.lexigraph.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.lexigraph.LexigraphException;
import org.lexigraph.codec.Buffer;

/**
 * Labels in their normal form: groups of one operator rolled up, siblings sorted and distinct, without needless quotes.
 * Accumulo's own <code>flatten</code> leaves brackets around a group that shrinks to one member and replaces bytes that
 * are no text.
 */
public final class Label {

  private Label() {}

  /**
   * The normal form of the AND of several labels; empty labels ask for nothing and drop out. InvalidVisibility where one
   * cannot be parsed, or nests deeper than the stack.
   */
  public static byte[] conjunction(Collection<byte[]> labels) {
    Buffer out = new Buffer();
    try {
      List<LabelNode> all = new ArrayList<>();
      for (byte[] label : labels) {
        if (label.length > 0) {
          all.add(new LabelParser(label).parse());
        }
      }
      if (!all.isEmpty()) {
        LabelNode.group(LabelNode.AND, all).write(out);
      }
    } catch (StackOverflowError error) {
      throw new LexigraphException("InvalidVisibility", "the label nests too deep", error);
    }
    return out.toArray();
  }
}
