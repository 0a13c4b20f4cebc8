package org.lexigraph.functions;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.lexigraph.LexigraphException;

/**
 * Java's regular expressions as far as all languages read them alike. What the others refuse is refused here too:
 * classes within classes, intersections, <code>\p{..}</code>, <code>\R</code>, <code>\G</code>, <code>\X</code>, flags
 * other than i, s, m, and an inline flag with <code>|</code> behind it.
 */
public final class JavaRegex {

  private static final String ESCAPES = "dDwWsStnrfxu123456789zZAaehvbB";
  private static final String NOT_IN_CLASS = "QbBzZAhvk";
  private static final Pattern FLAGS = Pattern.compile("\\(\\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])");
  private static final Pattern HEAD = Pattern.compile("\\(\\?(?:[:=!>]|<[=!]|<[a-zA-Z])");
  private static final Pattern OCTAL = Pattern.compile("[0-3]?[0-7]{1,2}");
  private static final Pattern CODE_POINT = Pattern.compile("\\{0*(?:10|[0-9a-fA-F])?[0-9a-fA-F]{1,4}\\}");
  private static final Pattern NAME = Pattern.compile("<[a-zA-Z][a-zA-Z0-9]*>");
  // Letters, digits and the underscore of all scripts, whatever the version of Java takes for a word.
  private static final String WORD = "[\\p{L}\\p{N}_]";
  private static final String EDGE =
      "(?:(?<=" + WORD + ")(?!" + WORD + ")|(?<!" + WORD + ")(?=" + WORD + "))";

  private final String pattern;
  private final String what;
  private final StringBuilder out = new StringBuilder();
  // For each group that is open, whether an inline flag stands in it.
  private final Deque<Boolean> flagged = new ArrayDeque<>();
  private int at;

  private JavaRegex(String pattern, String what) {
    this.pattern = pattern;
    this.what = what;
  }

  /** Compiles a pattern; <code>what</code> says in errors where it stands. */
  public static Pattern compile(String pattern, String what) {
    String read = new JavaRegex(pattern, what).run();
    try {
      return Pattern.compile(read);
    } catch (PatternSyntaxException error) {
      throw LexigraphException.invalidOption(
          what + " '" + pattern + "' is not a regular expression: " + error.getDescription());
    } catch (StackOverflowError error) {
      throw LexigraphException.invalidOption(what + " nests too deep");
    }
  }

  private String run() {
    flagged.push(false);
    while (at < pattern.length()) {
      step(pattern.charAt(at));
    }
    return out.toString();
  }

  private void step(char unit) {
    if (unit == '\\') {
      escape(false);
    } else if (unit == '[') {
      characterClass();
    } else if (unit == '(') {
      group();
    } else {
      if (unit == ')' && flagged.size() > 1) {
        flagged.pop();
      } else if (unit == '|' && flagged.peek()) {
        throw refused("'|' after an inline flag; write the flag as a group: (?i:a|b)");
      }
      copy(at + 1);
    }
  }

  private void escape(boolean inClass) {
    if (at + 1 >= pattern.length()) {
      throw refused("a lone backslash at the end");
    }
    char unit = pattern.charAt(at + 1);
    if (inClass && NOT_IN_CLASS.indexOf(unit) >= 0) {
      throw refused("the escape \\" + unit + " in a class");
    }
    switch (unit) {
      case 'Q':
        int end = pattern.indexOf("\\E", at + 2);
        copy(end < 0 ? pattern.length() : end + 2);
        break;
      case 'b':
      case 'B':
        out.append(unit == 'b' ? EDGE : "(?!" + EDGE + ")");
        at += 2;
        break;
      case 'k':
        copy(after(NAME, "\\k without a name"));
        break;
      case '0':
        copy(after(OCTAL, "an octal escape without digits"));
        break;
      case 'c':
        if (at + 2 >= pattern.length()) {
          throw refused("\\c without a character");
        }
        copy(at + 3);
        break;
      case 'x':
        boolean braced = pattern.startsWith("{", at + 2);
        copy(braced ? after(CODE_POINT, "\\x{..} without a code point") : at + 2);
        break;
      default:
        boolean letter = unit < 0x80 && Character.isLetterOrDigit(unit);
        if (letter && ESCAPES.indexOf(unit) < 0) {
          throw refused("the escape \\" + unit);
        }
        copy(at + 2);
    }
  }

  private void characterClass() {
    copy(pattern.startsWith("^", at + 1) ? at + 2 : at + 1);
    boolean first = true;
    while (true) {
      if (at >= pattern.length()) {
        throw refused("a class without its ']'");
      }
      char unit = pattern.charAt(at);
      if (unit == '[' || pattern.startsWith("&&", at) || pattern.startsWith("--", at)) {
        throw refused("a nested class, '&&' or '--' in a class");
      }
      if (unit == ']' && !first) {
        copy(at + 1);
        return;
      }
      first = false;
      if (unit == '\\') {
        escape(true);
      } else {
        if (unit == ']' || unit == '&') {
          out.append('\\');
        }
        copy(at + 1);
      }
    }
  }

  private void group() {
    Matcher flags = FLAGS.matcher(pattern).region(at, pattern.length());
    if (flags.lookingAt() && !flags.group().equals("(?:")) {
      String named = flags.group(1) + (flags.group(2) == null ? "" : flags.group(2));
      if (!named.chars().allMatch(unit -> "ism".indexOf(unit) >= 0)) {
        throw refused("the flags '" + flags.group() + "'; use only i, s and m");
      }
      if (flags.group(3).equals(":")) {
        flagged.push(false);
      } else if (named.indexOf('i') >= 0) {
        flagged.pop();
        flagged.push(true);
      }
      copy(flags.end());
      return;
    }
    Matcher head = HEAD.matcher(pattern).region(at, pattern.length());
    boolean special = pattern.startsWith("(?", at);
    if (special && !head.lookingAt()) {
      throw refused("this kind of group");
    }
    flagged.push(false);
    copy(special ? head.end() : at + 1);
  }

  private int after(Pattern expected, String missing) {
    Matcher matcher = expected.matcher(pattern).region(at + 2, pattern.length());
    if (!matcher.lookingAt()) {
      throw refused(missing);
    }
    return matcher.end();
  }

  private void copy(int end) {
    out.append(pattern, at, end);
    at = end;
  }

  private LexigraphException refused(String found) {
    return LexigraphException.invalidOption(
        what + " '" + pattern + "' has " + found + " near position " + at
            + ", which is not in the subset of Java's syntax that is supported");
  }
}
