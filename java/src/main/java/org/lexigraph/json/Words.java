package org.lexigraph.json;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The words that stand for the values of an enum in JSON: lower case, with a hyphen for an underscore. */
public final class Words {

  private Words() {}

  /** The word for one value. */
  public static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Values by their words. */
  @SafeVarargs
  public static <E extends Enum<E>> Map<String, E> of(E... values) {
    Map<String, E> words = new LinkedHashMap<>();
    for (E value : values) {
      words.put(of((Enum<?>) value), value);
    }
    return words;
  }
}
