package org.lexigraph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.lexigraph.functions.OwnPredicate;

/** All {@link Extension}s that the loader of our own jar finds, read once. */
public final class Extensions {

  private static final List<Extension> FOUND = find();
  private static final Map<String, OwnPredicate> PREDICATES = predicates();

  private Extensions() {}

  /** Adds what extensions have to what we have ourselves; a name that is taken is refused. */
  public static <T> void addTo(Map<String, T> known, Function<Extension, Map<String, ? extends T>> part) {
    for (Extension one : FOUND) {
      part.apply(one).forEach(
          (name, added) -> {
            if (known.putIfAbsent(name, added) != null) {
              throw LexigraphException.invalidOption(
                  one.getClass().getName() + " brings '" + name + "', which is there already");
            }
          });
    }
  }

  /** The predicate of that name, or null. */
  public static OwnPredicate predicate(String op) {
    return PREDICATES.get(op);
  }

  private static Map<String, OwnPredicate> predicates() {
    Map<String, OwnPredicate> found = new HashMap<>();
    addTo(found, Extension::predicates);
    return found;
  }

  private static List<Extension> find() {
    List<Extension> found = new ArrayList<>();
    // Not the thread's loader: on a server, that knows nothing of a table's context.
    ServiceLoader.load(Extension.class, Extensions.class.getClassLoader()).forEach(found::add);
    return found;
  }
}
