package org.lexigraph.plan;

import java.util.ArrayList;
import java.util.List;
import org.lexigraph.codec.Codec;
import org.lexigraph.codec.Nulls;

/** A piece of a key: bytes that must be there literally, or a field. */
final class Part {

  /** The bytes of a const; null for a field. */
  final byte[] constant;

  final String field;
  final Codec codec;
  final Form form;
  final boolean descending;
  /** Where null stands; null where the field is never null. */
  final Nulls nulls;

  private Part(byte[] constant, String field, Codec codec, Form form, boolean descending, Nulls nulls) {
    this.constant = constant;
    this.field = field;
    this.codec = codec;
    this.form = form;
    this.descending = descending;
    this.nulls = nulls;
  }

  static Part constant(byte[] bytes) {
    return new Part(bytes, null, null, null, false, null);
  }

  static Part field(String field, Codec codec, Form form, boolean descending, Nulls nulls) {
    return new Part(null, field, codec, form, descending, nulls);
  }

  boolean isField() {
    return constant == null;
  }

  boolean isField(String name) {
    return isField() && field.equals(name);
  }

  /** The parts that hold fields. */
  @SafeVarargs
  static List<Part> fieldsIn(List<Part>... all) {
    List<Part> fields = new ArrayList<>();
    for (List<Part> parts : all) {
      for (Part part : parts) {
        if (part.isField()) {
          fields.add(part);
        }
      }
    }
    return fields;
  }
}
