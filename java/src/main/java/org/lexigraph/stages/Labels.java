package org.lexigraph.stages;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.accumulo.core.security.ColumnVisibility;
import org.apache.accumulo.core.security.VisibilityEvaluator;
import org.apache.accumulo.core.security.VisibilityParseException;
import org.apache.accumulo.core.util.BadArgumentException;
import org.lexigraph.LexigraphException;

/** Questions about labels, each answered once for as long as it is remembered. */
final class Labels {

  private static final int REMEMBERED = 1000;

  private final Predicate<byte[]> question;
  private final Map<ByteSequence, Boolean> answers =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteSequence, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  private Labels(Predicate<byte[]> question) {
    this.question = question;
  }

  /** Whether a label can be seen with these authorizations; one that cannot be parsed is not. */
  static Labels seenBy(List<byte[]> tokens) {
    if (tokens.stream().anyMatch(token -> token.length == 0)) {
      throw LexigraphException.invalidValue("stage 'visibility': an authorization cannot be empty");
    }
    VisibilityEvaluator evaluator = new VisibilityEvaluator(new Authorizations(tokens));
    return new Labels(label -> label.length == 0 || sees(evaluator, label));
  }

  /** Whether a label can be parsed. */
  static Labels parsed() {
    return new Labels(label -> problem(label) == null);
  }

  /** What is wrong with a label, or null. */
  static String problem(byte[] label) {
    try {
      new ColumnVisibility(label);
      return null;
    } catch (BadArgumentException error) {
      return error.getMessage();
    } catch (StackOverflowError error) {
      return "it nests too deep";
    }
  }

  /** The answer for a label. */
  boolean accept(ByteSequence label) {
    Boolean known = answers.get(label);
    if (known == null) {
      byte[] copied = label.toArray();
      known = question.test(copied);
      answers.put(new ArrayByteSequence(copied), known);
    }
    return known;
  }

  private static boolean sees(VisibilityEvaluator evaluator, byte[] label) {
    try {
      return evaluator.evaluate(new ColumnVisibility(label));
    } catch (BadArgumentException | VisibilityParseException | StackOverflowError error) {
      return false;
    }
  }
}
