package org.lexigraph.plan;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import org.lexigraph.json.Json;
import org.lexigraph.json.Words;

/** Writes key plans as JSON: equal plans, equal JSON. */
final class PlanWriter {

  private PlanWriter() {}

  static JsonObject write(Model model) {
    JsonObject plan = new JsonObject();
    plan.addProperty("version", 1);
    JsonArray rows = new JsonArray();
    model.rows.forEach(shape -> rows.add(writeShape(shape)));
    plan.add("rows", rows);
    plan.add("family", writeParts(model.family));
    JsonObject groups = new JsonObject();
    model.groups.forEach(group -> groups.add(group.name, writeGroup(group)));
    plan.add("groups", groups);
    return plan;
  }

  private static JsonElement writeShape(Shape shape) {
    JsonObject written = new JsonObject();
    written.addProperty("kind", Words.of(shape.kind));
    if (shape.kind == ElementKind.EDGE) {
      written.addProperty("directed", shape.directed);
      written.addProperty("matched", Words.of(shape.matched));
      written.addProperty("once", Words.of(shape.once));
    }
    if (shape.group != null) {
      written.addProperty("group", shape.group);
    }
    if (shape.family != null) {
      written.add("family", writeParts(shape.family));
    }
    written.add("parts", writeParts(shape.parts));
    return written;
  }

  private static JsonElement writeParts(List<Part> parts) {
    JsonArray written = new JsonArray();
    parts.forEach(part -> written.add(writePart(part)));
    return written;
  }

  private static JsonElement writePart(Part part) {
    JsonObject written = new JsonObject();
    if (!part.isField()) {
      written.add("const", Json.fromBytes(part.constant));
      return written;
    }
    written.addProperty("field", part.field);
    written.addProperty("codec", part.codec.name());
    written.addProperty("form", Words.of(part.form));
    if (part.descending) {
      written.addProperty("descending", true);
    }
    if (part.nulls != null) {
      written.addProperty("nulls", Words.of(part.nulls));
    }
    return written;
  }

  private static JsonElement writeGroup(Group group) {
    JsonObject value = new JsonObject();
    value.addProperty("form", Words.of(group.form));
    JsonArray properties = new JsonArray();
    group.properties.forEach(property -> properties.add(writeProperty(property)));
    if (group.form == ValueForm.SINGLE) {
      value.add("property", properties.get(0));
    } else if (group.form == ValueForm.TAGGED) {
      value.add("properties", properties);
    }
    JsonObject written = new JsonObject();
    written.addProperty("kind", Words.of(group.kind));
    written.add("qualifier", writeParts(group.qualifier));
    written.add("value", value);
    return written;
  }

  private static JsonElement writeProperty(Property property) {
    JsonObject written = new JsonObject();
    written.addProperty("id", property.id);
    written.addProperty("field", property.field);
    written.addProperty("codec", property.codec.name());
    if (property.aggregate != null) {
      written.add("aggregate", property.aggregate.toJson());
    }
    return written;
  }
}
