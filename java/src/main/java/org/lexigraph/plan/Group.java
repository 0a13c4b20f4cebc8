package org.lexigraph.plan;

import java.util.ArrayList;
import java.util.List;

/** Elements of one kind with one set of properties. */
final class Group {

  final String name;
  final ElementKind kind;
  final List<Part> qualifier;
  final ValueForm form;
  final List<Property> properties;

  Group(String name, ElementKind kind, List<Part> qualifier, ValueForm form, List<Property> properties) {
    this.name = name;
    this.kind = kind;
    this.qualifier = qualifier;
    this.form = form;
    this.properties = properties;
  }

  /** The property of that name; null where there is none. */
  Property property(String field) {
    for (Property property : properties) {
      if (property.field.equals(field)) {
        return property;
      }
    }
    return null;
  }

  /** The group-by properties, in the order of the qualifier. */
  List<Part> groupBy() {
    List<Part> found = new ArrayList<>();
    for (Part part : Part.fieldsIn(qualifier)) {
      if (!Names.isIdentity(part.field)) {
        found.add(part);
      }
    }
    return found;
  }
}
