package org.lexigraph.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lexigraph.LexigraphException;

/** The subset of Java's patterns that every language reads alike; all else is refused as it is in Python. */
class JavaRegexTest {

  private static boolean matches(String pattern, String text) {
    return JavaRegex.compile(pattern, "pattern").matcher(text).matches();
  }

  @Test
  void theseMatchTheWholeText() {
    String[][] pairs = {
      {"", ""}, {"[]a]+", "]a"}, {"[a|b&]+", "a|&"}, {"[\\]\\[]+", "[]"}, {"(?s).", "\u2028"},
      {"a(?s).b", "a\nb"}, {"(a(?i)b)c", "aBc"}, {"\\x41\\u0042\\x{1F600}", "AB\ud83d\ude00"},
      {"\\0101\\cA\\e\\a\\t", "A\u0001\u001b\u0007\t"}, {"\\Qa.b*\\Ec", "a.b*c"}, {"\\Qa.b", "a.b"},
      {"(?<year>\\d+)-\\k<year>", "12-12"}, {"(a)\\1", "aa"}, {"(?>a+)b", "aab"}, {"\\h\\v", " \n"},
      {"\\bword\\b", "word"}, {"\u00e9\\B\u00b2\\b", "\u00e9\u00b2"}, {"\\B-\\B", "-"}, {"\\B", ""},
      {"\\-\\/\\\u00e9", "-/\u00e9"}, {"(?m)^a$\n^b$", "a\nb"}};
    for (String[] pair : pairs) {
      assertTrue(matches(pair[0], pair[1]), pair[0]);
    }
  }

  @Test
  void theseDoNot() {
    String[][] pairs = {
      {"\\d", "\u0663"}, {"\\w", "\u00e9"}, {"(?i)\u00e9", "\u00c9"}, {".", "\r"}, {".", "\u0085"},
      {"(a(?i)b)c", "aBC"}, {"(?s:a).", "a\n"}, {"e\\B\u0301", "e\u0301"}};
    for (String[] pair : pairs) {
      assertFalse(matches(pair[0], pair[1]), pair[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "[a", "[[a]]", "[a&&b]", "[a--b]", "\\p{L}", "\\R", "\\G", "\\X", "\\N", "(?x)a", "(?u)a", "(?i)a|b", "\\",
    "\\k", "\\0", "\\x{}", "\\x{110000}", "\\c", "[\\b]", "[\\Qa\\E]", "(", ")", "*", "(?#a)", "(?P<n>a)"})
  void theseAreRefused(String pattern) {
    LexigraphException error = assertThrows(
        LexigraphException.class, () -> JavaRegex.compile(pattern, "pattern"));
    assertEquals("InvalidOption", error.name());
  }
}
