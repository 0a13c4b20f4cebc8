package org.lexigraph.stages;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.apache.accumulo.core.data.ArrayByteSequence;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;
import org.lexigraph.functions.JavaRegex;

/**
 * Keeps cells whose fields match: all patterns given, or with <code>any</code> one of them. A pattern matches a whole
 * field, or with <code>substring</code> a part of it.
 */
final class Regex extends FilterStage {

  private static final List<String> ENCODINGS = List.of("UTF-8", "ISO-8859-1", "US-ASCII");

  private final List<Test> tests = new ArrayList<>();
  private final boolean any;
  private final boolean substring;
  private final Charset encoding;

  Regex(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    add("row", (key, value) -> key.getRowData());
    add("family", (key, value) -> key.getColumnFamilyData());
    add("qualifier", (key, value) -> key.getColumnQualifierData());
    add("value", (key, value) -> new ArrayByteSequence(value.get(), 0, value.getSize()));
    any = options.flag("any", false);
    substring = options.flag("substring", false);
    encoding = Charset.forName(options.choice("encoding", "UTF-8", ENCODINGS));
    options.done();
  }

  @Override
  protected boolean accepts(Key key, Value value) {
    for (Test test : tests) {
      if (matches(test, key, value) == any) {
        return any;
      }
    }
    return !any;
  }

  private boolean matches(Test test, Key key, Value value) {
    ByteSequence field = test.field.apply(key, value);
    String text =
        new String(field.getBackingArray(), field.offset(), field.length(), encoding);
    try {
      return substring ? test.pattern.matcher(text).find() : test.pattern.matcher(text).matches();
    } catch (StackOverflowError error) {
      // Java walks into itself for each repetition of a group; the server must outlive it.
      throw new LexigraphException(
          "UnsupportedError",
          "the pattern " + test.pattern + " is too deep for a text of " + text.length() + " characters");
    }
  }

  private void add(String name, BiFunction<Key, Value, ByteSequence> field) {
    String pattern = options.optionalText(name);
    if (pattern != null) {
      tests.add(new Test(field, JavaRegex.compile(pattern, options.what(name))));
    }
  }

  /** A field and the pattern that it is to match. */
  private static final class Test {
    private final BiFunction<Key, Value, ByteSequence> field;
    private final Pattern pattern;

    private Test(BiFunction<Key, Value, ByteSequence> field, Pattern pattern) {
      this.field = field;
      this.pattern = pattern;
    }
  }
}
