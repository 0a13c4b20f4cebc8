package org.lexigraph.bridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Mutation;
import org.apache.accumulo.core.data.Value;
import org.junit.jupiter.api.Test;
import org.lexigraph.LexigraphException;

class FrameTest {
  @Test
  void aFrameHasTheBytesOfItsDescription() {
    FrameWriter writer = new FrameWriter();
    writer.add(key("r", "f", "q", "A", 5, false), new Value("v"));
    ByteBuffer frame = writer.take();
    ByteBuffer wanted = ByteBuffer.allocate(frame.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    wanted.put(bytes("LXF1")).putInt(0).putLong(1);
    for (String part : new String[] {"r", "f", "q", "A", "v"}) {
      wanted.putLong(0).putLong(1).put(bytes(part)).put(new byte[7]);
    }
    wanted.putLong(5).putLong(0).putLong(1);
    assertEquals(wanted.flip(), frame);
  }

  @Test
  void whatWasWrittenIsRead() {
    FrameWriter writer = new FrameWriter();
    for (int cell = 0; cell < 1000; cell++) {
      String text = "x".repeat(cell % 17);
      writer.add(key("row" + cell, text, "", text + cell, cell - 500, cell % 3 == 0), new Value(text));
    }
    Frame frame = new Frame(writer.take());
    assertEquals(1000, frame.count());
    for (int cell = 0; cell < 1000; cell++) {
      String text = "x".repeat(cell % 17);
      assertArrayEquals(bytes("row" + cell), frame.row(cell));
      assertArrayEquals(bytes(text), frame.family(cell));
      assertArrayEquals(bytes(""), frame.qualifier(cell));
      assertArrayEquals(bytes(text + cell), frame.visibility(cell));
      assertArrayEquals(bytes(text), frame.value(cell));
      assertEquals(cell - 500, frame.timestamp(cell));
      assertEquals(cell % 3 == 0, frame.deleted(cell));
      assertTrue(frame.timed(cell));
    }
  }

  @Test
  void aWriterIsEmptyAgainOnceItsFrameIsTaken() {
    FrameWriter writer = new FrameWriter();
    writer.add(key("a", "", "", "", 1, false), new Value("1"));
    writer.take();
    writer.add(key("b", "", "", "", 2, false), new Value("2"));
    Frame frame = new Frame(writer.take());
    assertEquals(1, frame.count());
    assertArrayEquals(bytes("b"), frame.row(0));
    assertArrayEquals(bytes("2"), frame.value(0));
  }

  @Test
  void anEmptyFrameHasNoCells() {
    assertEquals(0, new Frame(new FrameWriter().take()).count());
  }

  @Test
  void aFrameThatIsCutAnywhereIsRefused() {
    FrameWriter writer = new FrameWriter();
    writer.add(key("row", "f", "", "", 1, false), new Value("value"));
    ByteBuffer whole = writer.take();
    for (int length = 0; length < whole.limit(); length++) {
      ByteBuffer cut = whole.duplicate();
      cut.limit(length);
      assertRefused(cut);
    }
  }

  @Test
  void offsetsThatFallOrLeaveTheFrameAreRefused() {
    for (long offset : new long[] {-1, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE}) {
      FrameWriter writer = new FrameWriter();
      writer.add(key("row", "f", "", "", 1, false), new Value("value"));
      ByteBuffer frame = writer.take().order(ByteOrder.LITTLE_ENDIAN);
      frame.putLong(Frame.HEADER + 8, offset);
      assertRefused(frame);
    }
  }

  @Test
  void aNumberOfCellsThatCannotBeIsRefused() {
    for (long count : new long[] {-1, 2, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      FrameWriter writer = new FrameWriter();
      writer.add(key("row", "f", "", "", 1, false), new Value("value"));
      ByteBuffer frame = writer.take().order(ByteOrder.LITTLE_ENDIAN);
      frame.putLong(8, count);
      assertRefused(frame);
    }
  }

  @Test
  void cellsOfARowBecomeOneMutationWhereverTheyStand() {
    FrameWriter writer = new FrameWriter();
    for (String row : new String[] {"a", "b", "a"}) {
      writer.add(key(row, "f", "", "", 1, false), new Value("v"));
    }
    List<Mutation> mutations = new ArrayList<>();
    CellWriter.mutations(new Frame(writer.take())).forEach(mutations::add);
    assertEquals(2, mutations.size());
    assertEquals(2, mutations.get(0).size());
    assertEquals(1, mutations.get(1).size());
  }

  @Test
  void aMutationKeepsTimeLabelAndDeletion() {
    FrameWriter writer = new FrameWriter();
    writer.add(key("a", "f", "q", "not a label(", -7, true), new Value(""));
    Mutation mutation = CellWriter.mutations(new Frame(writer.take())).iterator().next();
    var update = mutation.getUpdates().get(0);
    assertTrue(update.isDeleted());
    assertTrue(update.hasTimestamp());
    assertEquals(-7, update.getTimestamp());
    assertArrayEquals(bytes("not a label("), update.getColumnVisibility());
  }

  private static void assertRefused(ByteBuffer frame) {
    LexigraphException error = assertThrows(LexigraphException.class, () -> new Frame(frame));
    assertEquals("InvalidBytes", error.name());
  }

  private static Key key(
      String row, String family, String qualifier, String label, long time, boolean deleted) {
    return new Key(bytes(row), bytes(family), bytes(qualifier), bytes(label), time, deleted);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
