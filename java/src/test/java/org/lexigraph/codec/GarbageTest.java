package org.lexigraph.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.lexigraph.LexigraphException;

/** Whatever bytes are read: they are InvalidBytes, or exactly those that are written for what was read. */
public class GarbageTest {

  private static final int CHANGES = 40;

  private static final JsonObject SPEC = Vectors.read("codec.json");

  @Test
  void keysReadAreTheKeysWritten() {
    forEach("key", (codec, data) -> {
      Buffer out = new Buffer();
      codec.writeKey(codec.readKey(new Slice(data)), out);
      codec.checkKey(new Slice(data));
      return out.toArray();
    });
  }

  @Test
  void valuesReadAreTheValuesWritten() {
    forEach("stored", (codec, data) -> {
      Buffer out = new Buffer();
      codec.writeValue(codec.readValue(new Slice(data)), out);
      codec.checkValue(new Slice(data));
      return out.toArray();
    });
  }

  @Test
  void partsReadAreThePartsWritten() {
    forEach("part", (codec, data) -> {
      ByteReader in = new ByteReader(new Slice(data));
      Buffer out = new Buffer();
      codec.writePart(codec.readPart(in), out);
      in.finish(codec.name());
      return out.toArray();
    });
  }

  /** Reads bytes and writes again what it read. */
  private interface Again {
    byte[] of(Codec codec, byte[] data);
  }

  private static void forEach(String form, Again again) {
    Random random = new Random(7);
    int read = 0;
    for (JsonElement vector : SPEC.getAsJsonArray("values")) {
      Codec codec = Vectors.codec(vector.getAsJsonObject().get("codec"));
      byte[] sound = Vectors.unhex(vector.getAsJsonObject().get(form).getAsString());
      for (int change = 0; change < CHANGES; change++) {
        byte[] data = changed(sound, random);
        try {
          assertEquals(Vectors.hex(data), Vectors.hex(again.of(codec, data)), codec.name());
          read++;
        } catch (LexigraphException error) {
          assertEquals("InvalidBytes", error.name(), codec.name() + " " + Vectors.hex(data));
        }
      }
    }
    assertTrue(read > 1000, read + " were read");
  }

  /** The bytes with a few of them changed, cut off or added. */
  public static byte[] changed(byte[] sound, Random random) {
    List<Function<byte[], byte[]>> changes = new ArrayList<>();
    changes.add(data -> Arrays.copyOf(data, random.nextInt(data.length + 1)));
    changes.add(data -> Arrays.copyOf(data, data.length + random.nextInt(3)));
    changes.add(data -> {
      if (data.length > 0) {
        // More often near the start, where heads and lengths are.
        data[random.nextInt(random.nextBoolean() ? data.length : Math.min(data.length, 24))] = (byte) random.nextInt(256);
      }
      return data;
    });
    byte[] data = sound.clone();
    for (int times = random.nextInt(3); times >= 0; times--) {
      data = changes.get(Math.min(2, random.nextInt(5))).apply(data);
    }
    return data;
  }
}
