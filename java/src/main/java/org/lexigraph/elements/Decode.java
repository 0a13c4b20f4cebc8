package org.lexigraph.elements;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.codec.Buffer;
import org.lexigraph.codec.Codecs;
import org.lexigraph.codec.Tuple;
import org.lexigraph.json.Node;
import org.lexigraph.plan.CellReader;
import org.lexigraph.plan.Element;
import org.lexigraph.plan.Plan;
import org.lexigraph.plan.PlanField;
import org.lexigraph.stages.CellStage;
import org.lexigraph.stages.StageContext;
import org.lexigraph.stages.StageSpec;

/** Gives for each element the tuple of some fields, null where one is absent, in the self-describing value form. */
final class Decode extends CellStage {

  private final CellReader reader;
  private final List<PlanField> fields = new ArrayList<>();
  private final Buffer written = new Buffer();

  Decode(SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    Node node = ElementStages.scanOptions(spec, context, List.of("plan", "fields"));
    Plan plan = Plans.find(context, node.member("plan"));
    for (String name : node.member("fields").texts()) {
      fields.add(plan.fields().locate(name));
    }
    reader = new CellReader(plan);
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
    for (; source.hasTop(); source.next()) {
      Element element = reader.read(source.getTopKey(), source.getTopValue());
      if (element != null) {
        topKey = source.getTopKey();
        topValue = decoded(element);
        return;
      }
    }
    topKey = null;
  }

  private Value decoded(Element element) {
    List<Object> values = new ArrayList<>(fields.size());
    for (PlanField field : fields) {
      values.add(field.value(element));
    }
    written.clear();
    Codecs.ANY.writeValue(new Tuple(values), written);
    return new Value(written.toArray(), false);
  }
}
