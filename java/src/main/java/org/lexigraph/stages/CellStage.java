package org.lexigraph.stages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.IteratorEnvironment;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;

/**
 * What stages share: a source, a top, and copying. A subclass moves to its first cell in {@link #begin} and to the next
 * one in {@link #advance}, leaving it in <code>topKey</code> and <code>topValue</code>, or null there at the end. It
 * keeps no state from one seek to the next.
 *
 * <p>A source may use its key again for the next cell: what is kept across a step of the source must be copied.
 */
public abstract class CellStage implements SortedKeyValueIterator<Key, Value> {

  /** Where cells come from. */
  protected final SortedKeyValueIterator<Key, Value> source;

  /** What the stage may know of the scan or merge. */
  protected final StageContext context;

  /** The key of the present cell; null at the end. */
  protected Key topKey;

  /** The value of the present cell. */
  protected Value topValue;

  private final StageSpec spec;

  /** A stage on a source. */
  protected CellStage(
      SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    this.source = source;
    this.spec = spec;
    this.context = context;
  }

  /** Moves to the first cell of a range. */
  protected abstract void begin(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException;

  /** Moves to the next cell. */
  protected abstract void advance() throws IOException;

  /** Makes the source's cell the top, or ends where the source has none. */
  protected final void takeSource() {
    boolean more = source.hasTop();
    topKey = more ? source.getTopKey() : null;
    topValue = more ? source.getTopValue() : null;
  }

  @Override
  public final void seek(Range range, Collection<ByteSequence> families, boolean inclusive)
      throws IOException {
    topKey = null;
    topValue = null;
    begin(range, families, inclusive);
  }

  @Override
  public final void next() throws IOException {
    advance();
  }

  @Override
  public final boolean hasTop() {
    return topKey != null;
  }

  @Override
  public final Key getTopKey() {
    return topKey;
  }

  @Override
  public final Value getTopValue() {
    return topValue;
  }

  @Override
  public final void init(
      SortedKeyValueIterator<Key, Value> below, Map<String, String> options, IteratorEnvironment env) {
    throw new UnsupportedOperationException("a stage is opened by its factory");
  }

  @Override
  public final SortedKeyValueIterator<Key, Value> deepCopy(IteratorEnvironment env) {
    try {
      return StageRegistry.stage(spec.name()).open(source.deepCopy(env), spec, context.in(env));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
