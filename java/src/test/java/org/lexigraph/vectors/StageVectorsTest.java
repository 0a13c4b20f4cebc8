package org.lexigraph.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyValueIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.lexigraph.LexigraphException;
import org.lexigraph.stages.Scope;
import org.lexigraph.stages.StageRegistry;

/**
 * Every vector of <code>spec/stages</code>: whole, read again by the same iterators and by a copy of them, cut behind
 * every cell and resumed as Accumulo resumes, and row by row as tablets would give it.
 */
class StageVectorsTest {

  private static final int FEWEST = 650;
  private static final Map<String, String> CODES = Map.of(
      "InvalidOption", "usage.option",
      "InvalidBytes", "usage.bytes",
      "InvalidValue", "usage.value",
      "InvalidVisibility", "usage.visibility",
      "GroupNotFound", "not-found.group");

  private static final AtomicInteger RAN = new AtomicInteger();

  @Test
  void everyStageOfTheSpecificationIsThere() throws IOException {
    assertEquals(names(), StageRegistry.names());
  }

  @TestFactory
  Stream<DynamicContainer> vectors() throws IOException {
    return names().stream().map(this::ofStage);
  }

  @AfterAll
  static void sayHowManyRan() {
    System.out.println("spec/stages: " + RAN + " vectors ran");
    assertTrue(RAN.get() >= FEWEST, RAN + " vectors ran, at least " + FEWEST + " are there");
  }

  private DynamicContainer ofStage(String name) {
    try {
      List<StageCase> cases = StageCase.load(StageCase.SPEC.resolve("stages").resolve(name + ".json"));
      return DynamicContainer.dynamicContainer(name, cases.stream().map(
          one -> DynamicTest.dynamicTest(name + ": " + one.name, () -> check(one))));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static void check(StageCase vector) throws IOException {
    RAN.incrementAndGet();
    if (vector.error != null) {
      LexigraphException error = assertThrows(LexigraphException.class, () -> whole(vector));
      assertEquals(vector.error, CODES.get(error.name()), error.getMessage());
      LexigraphException told = assertThrows(LexigraphException.class, () -> loaded(vector));
      assertEquals(error.getMessage(), told.getMessage(), "told by a server");
      return;
    }
    assertEquals(vector.expected, whole(vector));
    assertEquals(vector.expected, loaded(vector), "loaded as a server does");
    assertEquals(vector.expected, copied(vector), "read by a copy");
    if (vector.scope == Scope.SCAN) {
      assertEquals(distinct(vector.expected), distinct(cut(vector)), "cut behind every cell");
      assertEquals(distinct(vector.expected), distinct(loadedAndCut(vector)), "the same, loaded");
    }
    if (vector.isOfWholeTable()) {
      assertEquals(vector.expected, rowByRow(vector), "row by row");
    }
  }

  private static List<Cell> whole(StageCase vector) throws IOException {
    Stack stack = vector.stack();
    SortedKeyValueIterator<Key, Value> top = stack.open();
    List<Cell> cells = stack.read(top, vector.ranges());
    assertEquals(cells, stack.read(top, vector.ranges()), "read again by the same iterators");
    return finish(vector, cells);
  }

  private static List<Cell> copied(StageCase vector) throws IOException {
    Stack stack = vector.stack();
    return finish(vector, stack.read(stack.open().deepCopy(null), vector.ranges()));
  }

  private static List<Cell> loaded(StageCase vector) throws IOException {
    Stack stack = server(vector);
    List<Cell> cells = Told.withoutNotes(stack.read(stack.open(), vector.ranges()));
    if (vector.scope.keepsDeletes()) {
      // A server also keeps the markers that a stage drops.
      cells.removeIf(cell -> cell.key.isDeleted() && !vector.expected.contains(cell));
    }
    return finish(vector, cells);
  }

  private static List<Cell> loadedAndCut(StageCase vector) throws IOException {
    return finish(vector, Told.withoutNotes(server(vector).readCut(vector.ranges())));
  }

  private static Stack server(StageCase vector) throws IOException {
    Stack stack = vector.stack();
    // A roll-up adds the plan of its output, which a client hands to the stages above it.
    stack.open();
    return stack.loaded();
  }

  private static List<Cell> cut(StageCase vector) throws IOException {
    return finish(vector, vector.stack().readCut(vector.ranges()));
  }

  private static List<Cell> rowByRow(StageCase vector) throws IOException {
    Set<Range> rows = new TreeSet<>();
    vector.cells().forEach(cell -> rows.add(new Range(cell.key.getRow())));
    Stack stack = vector.stack();
    return finish(vector, stack.read(stack.open(), new ArrayList<>(rows)));
  }

  // What sees the whole scan runs over all ranges at once, as it does in a client.
  private static List<Cell> finish(StageCase vector, List<Cell> cells) throws IOException {
    Stack upper = vector.upper(cells);
    return upper.read(upper.open(), List.of(new Range()));
  }

  private static List<Cell> distinct(List<Cell> cells) {
    List<Cell> first = new ArrayList<>();
    for (Cell cell : cells) {
      if (first.isEmpty() || !first.get(first.size() - 1).key.equals(cell.key)) {
        first.add(cell);
      }
    }
    return first;
  }

  private static Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(StageCase.SPEC.resolve("stages"))) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .map(name -> name.substring(0, name.length() - ".json".length()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
