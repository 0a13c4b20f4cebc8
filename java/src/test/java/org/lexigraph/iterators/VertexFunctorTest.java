package org.lexigraph.iterators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;

/** Bloom filters are asked for what all rows of a range start with, and for nothing less. */
class VertexFunctorTest {

  private final VertexFunctor functor = new VertexFunctor();

  private static Key row(String row) {
    return new Key(new Text(row));
  }

  @Test
  void rowsOfOneVertexAreOneKey() {
    assertEquals(functor.transform(row("A")), functor.transform(row("A\0\1")));
    assertEquals(functor.transform(row("A\0\1")), functor.transform(row("A\0\2\0B\0\2")));
    assertNotEquals(functor.transform(row("A\0\1")), functor.transform(row("AB\0\1")));
    assertNotNull(functor.transform(row("")));
    assertEquals(functor.transform(row("")), functor.transform(row("\0A")));
  }

  @Test
  void rangesOfOneVertexAskForIt() {
    for (Range range : new Range[] {
      new Range("A"),
      new Range("A\0\1"),
      new Range(row("A\0\2"), true, row("A\0\3"), false),
      new Range(row("A\0"), true, row("A\1"), false),
      new Range(row("A"), true, row("A\0\4"), true),
      new Range(row("A\0\2"), false, row("A\0\2\0B"), true)}) {
      assertEquals(functor.transform(row("A")), functor.transform(range), range.toString());
    }
  }

  @Test
  void otherRangesAskForNothing() {
    for (Range range : new Range[] {
      new Range(),
      new Range("A", null),
      new Range(null, "A"),
      new Range("A", "B"),
      new Range(row("A"), true, row("AB"), false),
      new Range(row("A\0"), true, row("A\1"), true),
      new Range(row("A\0"), true, new Key(new Text("A\1"), new Text("f")), false),
      new Range(row("A\0"), true, row("A\2"), false),
      new Range(row("AB"), true, row("B"), false)}) {
      assertNull(functor.transform(range), range.toString());
    }
  }
}
