package dev.sequitur.sequencer.setup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Values of bytes, each kept once, one after another and with no object for any. Values are added
 * only. Not thread-safe.
 */
final class ByteValues {
  private static final int BLOCK_BITS = 14;
  private static final int BLOCK = 1 << BLOCK_BITS;

  /** In the place of a length that does not fit into one byte: four bytes of it follow. */
  private static final int LONG = 0xFF;

  private final List<byte[]> blocks = new ArrayList<>();
  private final PlaceTable table = new PlaceTable(place -> Arrays.hashCode(at(place)));
  private int end;

  /** Where the value stands, now or since one was added that is equal. */
  int placeOf(byte[] value) {
    int found = table.find(Arrays.hashCode(value), place -> Arrays.equals(at(place), value));
    return found >= 0 ? found : add(value);
  }

  /**
   * @throws ArithmeticException beyond 2 GiB, before anything is written
   */
  private int add(byte[] value) {
    int place = end;
    int after = Math.addExact(place, head(value.length) + value.length);
    while ((long) blocks.size() << BLOCK_BITS < after) {
      blocks.add(new byte[BLOCK]);
    }
    if (value.length < LONG) {
      append(value.length);
    } else {
      append(LONG);
      for (int bits = Integer.SIZE - Byte.SIZE; bits >= 0; bits -= Byte.SIZE) {
        append(value.length >>> bits);
      }
    }
    for (byte each : value) {
      append(each);
    }
    table.add(place);
    return place;
  }

  private void append(int value) {
    blocks.get(end >>> BLOCK_BITS)[end & (BLOCK - 1)] = (byte) value;
    end++;
  }

  private int read(int at) {
    return blocks.get(at >>> BLOCK_BITS)[at & (BLOCK - 1)] & 0xFF;
  }

  private static int head(int length) {
    return length < LONG ? 1 : 1 + Integer.BYTES;
  }

  private int length(int place) {
    int length = read(place);
    if (length == LONG) {
      length = 0;
      for (int at = place + 1; at <= place + Integer.BYTES; at++) {
        length = (length << Byte.SIZE) | read(at);
      }
    }
    return length;
  }

  /** The value that stands at a place that {@link #placeOf} has told. */
  byte[] at(int place) {
    var value = new byte[length(place)];
    int from = place + head(value.length);
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) read(from + i);
    }
    return value;
  }

  /** What it takes, room for what comes next included. */
  long bytes() {
    return (long) BLOCK * blocks.size() + table.bytes();
  }
}
