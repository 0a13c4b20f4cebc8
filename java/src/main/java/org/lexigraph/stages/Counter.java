package org.lexigraph.stages;

import static org.lexigraph.LexigraphException.invalidBytes;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** How combiners store 64-bit numbers and arrays of them, as Accumulo's do. What cannot be read is InvalidBytes. */
abstract class Counter {

  /** The names by which options call them. */
  static final List<String> NAMES = List.of("varlen", "fixed", "text");

  private static final int MOST_SHOWN = 40;

  /** The one of that name. */
  static Counter named(String name) {
    switch (name) {
      case "varlen":
        return new Varlen();
      case "fixed":
        return new Fixed();
      default:
        return new Text();
    }
  }

  /** Reads a number; bytes behind it are passed over, but not behind text. */
  abstract long read(byte[] data);

  /** Writes a number. */
  abstract byte[] write(long number);

  /** Reads an array. */
  abstract long[] readArray(byte[] data);

  /** Writes the first <code>count</code> numbers of an array. */
  abstract byte[] writeArray(long[] numbers, int count);

  /** Numbers one after another, behind their count. */
  private abstract static class Binary extends Counter {

    /** Reads a number at an offset. */
    abstract long at(byte[] data, int offset);

    /** How many bytes the number at an offset takes. */
    abstract int size(byte[] data, int offset);

    @Override
    long read(byte[] data) {
      return at(data, 0);
    }

    @Override
    long[] readArray(byte[] data) {
      long count = Vlong.read(data, 0);
      int offset = Vlong.size(data, 0);
      if (count != (int) count) {
        throw invalidBytes("the length of the array does not fit into 32 bits");
      }
      if (count < 0) {
        throw new NeverLost("the array has the length " + count);
      }
      // Every number takes a byte at least: do not believe in more than there are.
      if (count > data.length - offset) {
        throw invalidBytes("the array of " + count + " numbers ends after " + data.length + " bytes");
      }
      long[] numbers = new long[(int) count];
      for (int place = 0; place < count; place++) {
        numbers[place] = at(data, offset);
        offset += size(data, offset);
      }
      return numbers;
    }

    @Override
    byte[] writeArray(long[] numbers, int count) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(Vlong.write(count));
      for (int place = 0; place < count; place++) {
        out.writeBytes(write(numbers[place]));
      }
      return out.toByteArray();
    }
  }

  private static final class Varlen extends Binary {
    @Override
    long at(byte[] data, int offset) {
      return Vlong.read(data, offset);
    }

    @Override
    int size(byte[] data, int offset) {
      return Vlong.size(data, offset);
    }

    @Override
    byte[] write(long number) {
      return Vlong.write(number);
    }
  }

  private static final class Fixed extends Binary {
    @Override
    long at(byte[] data, int offset) {
      if (data.length - offset < Long.BYTES) {
        throw invalidBytes("a number takes 8 bytes; " + (data.length - offset) + " are left");
      }
      long number = 0;
      for (int at = 0; at < Long.BYTES; at++) {
        number = number << 8 | data[offset + at] & 0xff;
      }
      return number;
    }

    @Override
    int size(byte[] data, int offset) {
      return Long.BYTES;
    }

    @Override
    byte[] write(long number) {
      byte[] data = new byte[Long.BYTES];
      for (int at = 0; at < Long.BYTES; at++) {
        data[at] = (byte) (number >> 8 * (Long.BYTES - 1 - at));
      }
      return data;
    }
  }

  private static final class Text extends Counter {
    @Override
    long read(byte[] data) {
      return parse(new String(data, StandardCharsets.UTF_8));
    }

    @Override
    byte[] write(long number) {
      return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    long[] readArray(byte[] data) {
      // Empty fields at the end do not count, but no text at all is one 0.
      String[] fields = new String(data, StandardCharsets.UTF_8).split(",");
      long[] numbers = new long[fields.length];
      for (int place = 0; place < fields.length; place++) {
        numbers[place] = fields[place].isEmpty() ? 0 : parse(fields[place]);
      }
      return numbers;
    }

    @Override
    byte[] writeArray(long[] numbers, int count) {
      StringBuilder text = new StringBuilder();
      for (int place = 0; place < count; place++) {
        text.append(place == 0 ? "" : ",").append(numbers[place]);
      }
      return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static long parse(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException error) {
        String shown = text.substring(0, Math.min(text.length(), MOST_SHOWN));
        throw invalidBytes("'" + shown + "' is not a decimal number of 64 bits");
      }
    }
  }
}
