package dev.sequitur.node.rpc.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.AnswersTogether;
import dev.sequitur.node.rpc.query.KeptBytes;
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
  private final KeptBytes kept;
  private volatile boolean full;

  /**
   * @param all of which the text takes its part
   */
  AnswerRoom(int most, AnswersTogether all) {
    this.most = most;
    this.kept = new KeptBytes(most, all);
    this.left = new AtomicLong(most);
  }

  /** There is no room for an answer; of what was written of it nothing is kept. */
  static final class Full extends IOException {
    private static final long serialVersionUID = 1;
  }

  int most() {
    return most;
  }

  /** What is found for answers that are not written yet. */
  KeptBytes kept() {
    return kept;
  }

  /** Whether an answer was left out: what comes after it is not begun. */
  boolean isFull() {
    return full;
  }

  /**
   * In UTF-8: what was looked for, which can be asked for again.
   *
   * @throws RpcFailure if the answers of others leave no room
   */
  byte[] write(JsonNode answer) throws Full {
    var taken = new Taken(true);
    try {
      JsonText.write(answer, taken);
      return taken.bytes.toByteArray();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof Full none) {
        full = true;
        taken.giveBack();
        throw none;
      }
      throw e;
    } catch (RpcFailure e) {
      taken.giveBack();
      throw e;
    }
  }

  /**
   * In UTF-8, whether there is room or not: what was done is said once. It is short, and nothing is
   * begun after it that has no room.
   */
  byte[] writeWhole(JsonNode answer) {
    var taken = new Taken(false);
    JsonText.write(answer, taken);
    return taken.bytes.toByteArray();
  }

  private final class Taken extends OutputStream {
    private final boolean ends;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long count;
    private long held;

    Taken(boolean ends) {
      this.ends = ends;
    }

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

    private void giveBack() {
      left.addAndGet(count);
      kept.notWritten(held);
    }

    private void take(int more) throws Full {
      if (ends) {
        kept.written(more);
        held += more;
      }
      count += more;
      if (left.addAndGet(-more) < 0) {
        if (ends) {
          throw new Full();
        }
        full = true;
      }
    }
  }
}
