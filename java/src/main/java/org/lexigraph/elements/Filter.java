package org.lexigraph.elements;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.functions.Predicate;
import org.lexigraph.functions.Predicates;
import org.lexigraph.functions.Test;
import org.lexigraph.json.Node;
import org.lexigraph.plan.CellReader;
import org.lexigraph.plan.Element;
import org.lexigraph.plan.Plan;
import org.lexigraph.stages.CellStage;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/**
 * Keeps elements that satisfy their predicate; with <code>once</code>, one of an edge's two rows. It decides cell by
 * cell, so any range is passed down as it is. Delete markers pass, whatever they hold.
 *
 * <p>What a flush writes, and with <code>full_only</code> what a merge makes that does not see every cell, may be parts
 * of elements, which must not be judged for ever: there all cells pass.
 */
final class Filter extends CellStage {

  private final CellReader reader;
  /** By number of group; elements of a group without a test are left out. */
  private final Test<Element>[] tests;
  private final boolean once;
  private final boolean judges;

  Filter(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Node node = ElementStages.options(spec, "where", "once");
    once = node.optional("once") != null && node.member("once").flag();
    Plan plan = Plans.find(context, node.member("plan"));
    reader = new CellReader(plan);
    judges = context.combines() && context.scope() != Scope.FLUSH;
    tests = bind(plan, node.unlessNull("where"), context);
  }

  private static Test<Element>[] bind(Plan plan, Node where, StageContext context) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Test<Element>[] tests = new Test[plan.groupCount()];
    Predicates<Element> reader = new Predicates<>(Sets.read(context.sets()), context.now());
    if (where == null) {
      Arrays.fill(tests, (Test<Element>) element -> true);
    } else if (Predicates.isPredicate(where)) {
      Arrays.fill(tests, reader.parse(where).bind(plan.fields()));
    } else {
      Map<String, Predicate<Element>> predicates = new LinkedHashMap<>();
      where.members().forEach((group, asked) -> predicates.put(group, reader.parse(asked)));
      predicates.forEach((group, asked) -> {
        Test<Element> test = asked.bind(plan.fields(group));
        tests[plan.groupIndex(group)] = test;
      });
    }
    return tests;
  }

  @Override
  protected void begin(Range range, Collection<ByteSequence> families, boolean inclusive) throws IOException {
    source.seek(range, families, inclusive);
    settle();
  }

  @Override
  protected void advance() throws IOException {
    source.next();
    settle();
  }

  private void settle() throws IOException {
    while (source.hasTop() && !passes(source.getTopKey(), source.getTopValue())) {
      source.next();
    }
    takeSource();
  }

  private boolean passes(Key key, Value value) {
    if (key.isDeleted() || !judges) {
      return true;
    }
    int place = reader.place(key);
    // The second row of an edge is left out whatever it holds.
    if (place < 0 || once && reader.isSecond(place)) {
      return false;
    }
    Test<Element> test = tests[reader.group(place)];
    Element element = reader.read(key, value);
    return test != null && (!once || element.once()) && test.holds(element);
  }
}
