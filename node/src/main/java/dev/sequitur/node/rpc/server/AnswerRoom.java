package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes the answer to one text may have, counted while it is written; the answers of a
 * batch have them together. Errors are short and not counted. Thread-safe.
 */
final class AnswerRoom {
  private final int most;
  private final AtomicLong left;
  private volatile boolean full;

  AnswerRoom(int most) {
    this.most = most;
    this.left = new AtomicLong(most);
  }

  /** There is no room for an answer; of what was written of it nothing is kept. */
  static final class Full extends IOException {
    private static final long serialVersionUID = 1;
  }

  int most() {
    return most;
  }

  /** Whether an answer was left out: what comes after it is not begun. */
  boolean isFull() {
    return full;
  }

  /** In UTF-8. */
  byte[] write(JsonNode answer) throws Full {
    var taken = new Taken();
    try {
      JsonText.write(answer, taken);
      return taken.bytes.toByteArray();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof Full none) {
        full = true;
        left.addAndGet(taken.count);
        throw none;
      }
      throw e;
    }
  }

  private final class Taken extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long count;

    @Override
    public void write(int one) throws IOException {
      take(1);
      bytes.write(one);
    }

    @Override
    public void write(byte[] some, int offset, int length) throws IOException {
      take(length);
      bytes.write(some, offset, length);
    }

    private void take(int more) throws Full {
      count += more;
      if (left.addAndGet(-more) < 0) {
        throw new Full();
      }
    }
  }
}
