package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
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
 */
public record ListenerFeed(
    String notification, String field, int batch, Duration patience, Rows rows) {
  public ListenerFeed {
    if (batch < 1 || patience.isNegative()) {
      throw new IllegalArgumentException("No batches: " + batch + ", " + patience);
    }
  }

  /** Asked for one page at a time. */
  @FunctionalInterface
  public interface Rows {
    /**
     * What comes next.
     *
     * @param after rows up to this number have been read
     * @param most rows in the page
     */
    CompletionStage<Page> after(long after, int most);
  }

  /** A row that the listener wants, as it is pushed. */
  public record Row(long number, JsonNode json) {}

  /**
   * @param rows by rising numbers
   * @param readTo up to this number there are no other rows that the listener wants; what was asked
   *     for, if there is nothing more yet
   */
  public record Page(List<Row> rows, long readTo) {
    public Page {
      rows = List.copyOf(rows);
      if (!rows.isEmpty() && rows.getLast().number() > readTo) {
        throw new IllegalArgumentException("A row is beyond what was read: " + readTo);
      }
    }
  }
}
