package org.lexigraph.stages;

import java.io.IOException;
import java.util.Arrays;
import org.apache.accumulo.core.data.ByteSequence;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.lexigraph.LexigraphException;

/**
 * Finds documents by terms, as {@link Intersect} does, and gives their bodies. The index has one family; its qualifiers
 * are term, type, document and info with a 00 byte behind each of the first three. Bodies lie in the same row, in
 * family prefix, 00, type. A result has the index family, the qualifier 00 type 00 document 00 and the body, empty where
 * it is missing. A range that starts at such a key starts there; any other at the document its qualifier spells.
 */
final class IntersectDocuments extends Intersect {

  private final byte[] indexFamily;
  private final byte[] documentFamily;
  private final SortedKeyValueIterator<Key, Value> bodies;

  private IntersectDocuments(
      SortedKeyValueIterator<Key, Value> source, StageSpec spec, StageContext context) {
    super(source, spec, context);
    indexFamily = options.bytes("index_family", new byte[] {'i'});
    documentFamily = options.bytes("document_family", new byte[] {'e'});
    bodies = copySource();
  }

  /** A stage that finds documents and their bodies. */
  static StageFactory factory() {
    return (source, spec, context) -> new IntersectDocuments(source, spec, context).open();
  }

  @Override
  byte[] familyOf(byte[] term) {
    return indexFamily;
  }

  @Override
  Key key(byte[] row, byte[] term, byte[] document) {
    byte[] qualifier = document == null ? term : joined(term, document, NONE);
    return Bounds.leading(row, indexFamily, qualifier);
  }

  @Override
  Key startKey(Key start, byte[] term) {
    byte[] document = Bounds.qualifier(start);
    if (isResult(start)) {
      document = Arrays.copyOfRange(document, 1, document.length - 1);
    }
    return key(Bounds.row(start), term, document);
  }

  @Override
  byte[] termOf(Key key) {
    byte[] qualifier = Bounds.qualifier(key);
    return Arrays.copyOf(qualifier, zero(key, qualifier, 0));
  }

  @Override
  byte[] documentOf(Key key) {
    byte[] qualifier = Bounds.qualifier(key);
    int type = zero(key, qualifier, 0) + 1;
    int document = zero(key, qualifier, type) + 1;
    return Arrays.copyOfRange(qualifier, type, zero(key, qualifier, document));
  }

  @Override
  boolean isResult(Key key) {
    ByteSequence qualifier = key.getColumnQualifierData();
    int size = qualifier.length();
    return Arrays.equals(Bounds.family(key), indexFamily)
        && size > 1
        && qualifier.byteAt(0) == 0
        && qualifier.byteAt(size - 1) == 0;
  }

  @Override
  Key resultKey(byte[] row, byte[] document) {
    byte[] qualifier = joined(NONE, document, NONE);
    return new Key(row, indexFamily, qualifier, NONE, Long.MAX_VALUE, false, false);
  }

  @Override
  byte[] body(byte[] row, byte[] document) throws IOException {
    int zero = 0;
    while (document[zero] != 0) {
      zero++;
    }
    byte[] type = Arrays.copyOf(document, zero);
    byte[] name = Arrays.copyOfRange(document, zero + 1, document.length);
    byte[] family = Arrays.copyOf(joined(documentFamily, type, NONE), documentFamily.length + 1 + zero);
    Families only = Families.only(family);
    Key start = Bounds.leading(row, family, name);
    Range exact = new Range(start, true, Bounds.following(row, family, name), false);
    bodies.seek(exact, only.names, only.inclusive);
    return bodies.hasTop() ? bodies.getTopValue().get() : NONE;
  }

  // Each of the first two parts has a 00 byte behind it.
  private static byte[] joined(byte[] first, byte[] second, byte[] third) {
    byte[] all = Arrays.copyOf(first, first.length + second.length + third.length + 2);
    System.arraycopy(second, 0, all, first.length + 1, second.length);
    System.arraycopy(third, 0, all, first.length + second.length + 2, third.length);
    return all;
  }

  private static int zero(Key key, byte[] qualifier, int from) {
    for (int at = from; at < qualifier.length; at++) {
      if (qualifier[at] == 0) {
        return at;
      }
    }
    throw LexigraphException.invalidBytes(
        "the index qualifier " + Bounds.show(key.getColumnQualifierData()) + " in row "
            + Bounds.show(key.getRowData())
            + " is not term, type, document and info with a 00 byte between");
  }
}
