package org.lexigraph.vectors;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.IteratorUtil.IteratorScope;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.iterators.StageIterator;
import org.lexigraph.json.Json;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/** Stages as a server loads them: a class without arguments, options as text, and an environment. */
public final class Loading {

  private static final Map<Scope, IteratorScope> SCOPES = Map.of(
      Scope.SCAN, IteratorScope.scan,
      Scope.FLUSH, IteratorScope.minc,
      Scope.MERGE, IteratorScope.majc,
      Scope.FULL, IteratorScope.majc);

  private Loading() {}

  /** Puts a stage on a source. */
  public static SortedKeyValueIterator<Key, Value> load(
      SortedKeyValueIterator<Key, Value> source, Map<String, String> options, Scope scope)
      throws IOException {
    StageIterator iterator = new StageIterator();
    iterator.init(source, options, environment(scope));
    return iterator;
  }

  /** The options of a stage iterator. */
  public static Map<String, String> options(StageSpec spec, StageContext context) {
    Map<String, String> options = new HashMap<>();
    options.put("version", "1");
    options.put("stage", spec.name());
    options.put("options", spec.options().toString());
    options.put("plans", context.plans().toString());
    JsonObject sets = new JsonObject();
    context.sets().forEach(sets::add);
    options.put("sets", sets.toString());
    options.put("now", Long.toString(context.now().orElse(0)));
    options.put("unit", context.unit());
    options.put("default_visibility", Json.fromBytes(context.defaultVisibility()).toString());
    options.put("authorizations", authorizations(context.authorizations()));
    return options;
  }

  /** An environment that knows its scope and nothing else. */
  public static IteratorEnvironment environment(Scope scope) {
    return (IteratorEnvironment) Proxy.newProxyInstance(
        Loading.class.getClassLoader(),
        new Class<?>[] {IteratorEnvironment.class},
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "getIteratorScope":
              return SCOPES.get(scope);
            case "isFullMajorCompaction":
              return scope == Scope.FULL;
            default:
              throw new UnsupportedOperationException(method.getName());
          }
        });
  }

  private static String authorizations(List<byte[]> tokens) {
    if (tokens == null) {
      return "\"ALL\"";
    }
    JsonArray list = new JsonArray();
    tokens.forEach(token -> list.add(Json.fromBytes(token)));
    return list.toString();
  }
}
