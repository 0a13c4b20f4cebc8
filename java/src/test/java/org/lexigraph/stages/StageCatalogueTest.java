package org.lexigraph.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.lexigraph.codec.Vectors;

/** Stages are those of <code>spec/catalogue.json</code> that it marks as Java's; their options are in the vectors. */
class StageCatalogueTest {

  @Test
  void stagesHaveTheNamesOfTheCatalogue() {
    Set<String> expected = new TreeSet<>();
    Vectors.read("catalogue.json").getAsJsonObject("stages").entrySet().stream()
        .filter(entry -> entry.getValue().getAsJsonObject().get("java").getAsBoolean())
        .forEach(entry -> expected.add(entry.getKey()));
    assertEquals(expected, StageRegistry.names());
  }
}
