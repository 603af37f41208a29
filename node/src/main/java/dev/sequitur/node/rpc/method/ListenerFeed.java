package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What one listener is told of, as a subscription to it reads it: rows with rising numbers, those
 * alone that the listener wants, and how they are pushed.
 *
 * @param notification the method of what is pushed, such as {@code ptx_subscription}
 * @param field of the batch that holds the rows, such as {@code receipts}
 * @param batch rows at most in one
 * @param patience how long a batch that is not full waits for more; zero not to wait
 * @param naming what a batch is called
 */
public record ListenerFeed(
    String notification, String field, int batch, Duration patience, Rows rows, Naming naming) {
  public ListenerFeed {
    if (batch < 1 || patience.isNegative()) {
      throw new IllegalArgumentException("No batches: " + batch + ", " + patience);
    }
  }

  /** One whose batches are counted from 1 by each subscription. */
  public ListenerFeed(String notification, String field, int batch, Duration patience, Rows rows) {
    this(notification, field, batch, patience, rows, (count, any) -> LongNode.valueOf(count));
  }

  /** What a batch is called. */
  @FunctionalInterface
  public interface Naming {
    /**
     * @param count of the batches of this subscription
     * @param rows those of the batch, at least one
     */
    JsonNode name(long count, List<Row> rows);
  }

  /** Asked for one page at a time. */
  @FunctionalInterface
  public interface Rows {
    /**
     * What comes next.
     *
     * @param after rows up to this number have been read
     * @param heldBack what of these has to be told later
     * @param most rows in the page
     */
    CompletionStage<Page> after(long after, HeldBack heldBack, int most);
  }

  /** A row that the listener wants, as it is pushed. */
  public record Row(long number, JsonNode json) {}

  /**
   * @param rows by rising numbers; first those that were held back
   * @param readTo up to this number there are no other rows that the listener wants; what was asked
   *     for, if there is nothing more yet
   * @param heldBack what of these has to be told later
   * @param done the numbers of what was held back and is so no more, whether it is among the rows
   */
  public record Page(List<Row> rows, long readTo, List<HeldBack.Row> heldBack, List<Long> done) {
    /** With nothing held back. */
    public Page(List<Row> rows, long readTo) {
      this(rows, readTo, List.of(), List.of());
    }

    public Page {
      rows = List.copyOf(rows);
      heldBack = List.copyOf(heldBack);
      done = List.copyOf(done);
      if (!rows.isEmpty() && rows.getLast().number() > readTo) {
        throw new IllegalArgumentException("A row is beyond what was read: " + readTo);
      }
    }

    /** What the listener has taken once it has the rows. */
    public Taken taken() {
      return new Taken(readTo, heldBack, done);
    }
  }
}
