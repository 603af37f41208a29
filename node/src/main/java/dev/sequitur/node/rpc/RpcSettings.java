package dev.sequitur.node.rpc;

import dev.sequitur.protocol.copying.Copyable;
import java.time.Duration;
import java.util.Set;

/**
 * Where the endpoint listens and what it puts up with.
 *
 * @param host the interface to bind; anything but loopback lets others call the node
 * @param port 0 lets the operating system choose
 * @param allowedOrigins origins of web pages, such as {@code https://ops.example}, that may call
 *     the node beside pages served from loopback
 */
@Copyable
public record RpcSettings(
    String host, int port, Limits limits, Timeouts timeouts, Set<String> allowedOrigins)
    implements RpcSettingsBuilder.With {
  public static final String LOOPBACK = "127.0.0.1";

  public RpcSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(
          "The port of the JSON-RPC endpoint is between 0 and 65535, not " + port + ".");
    }
    allowedOrigins = Set.copyOf(allowedOrigins);
  }

  /** All defaults, on loopback. */
  public static RpcSettings loopback(int port) {
    return new RpcSettings(LOOPBACK, port, Limits.DEFAULT, Timeouts.DEFAULT, Set.of());
  }

  /**
   * How much one caller may ask for.
   *
   * @param bodyBytes of one HTTP body or WebSocket message
   * @param batchRequests in one JSON-RPC batch
   * @param transactions in one {@code ptx_sendTransactions}
   * @param queryResults the largest {@code limit} of a query
   * @param queryScan rows that one query may look at
   * @param connections open at once, WebSockets included
   * @param subscriptions of one WebSocket
   * @param receiptBatch receipts pushed at once
   */
  public record Limits(
      int bodyBytes,
      int batchRequests,
      int transactions,
      int queryResults,
      int queryScan,
      int connections,
      int subscriptions,
      int receiptBatch) {
    public static final Limits DEFAULT =
        new Limits(1 << 20, 500, 1_000, 1_000, 20_000, 1_024, 16, 100);

    public Limits {
      positive("bodyBytes", bodyBytes);
      positive("batchRequests", batchRequests);
      positive("transactions", transactions);
      positive("queryResults", queryResults);
      positive("queryScan", queryScan);
      positive("connections", connections);
      positive("subscriptions", subscriptions);
      positive("receiptBatch", receiptBatch);
    }

    private static void positive(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " is at least 1, not " + value + ".");
      }
    }
  }

  /**
   * How long anything may take.
   *
   * @param idle a connection on which nothing moves is closed
   * @param body from the first byte of a body to its last
   * @param call from a request to its answer; after it the caller is told that there is none yet
   * @param keepAlive a WebSocket is pinged when nothing moved for this long; less than {@code idle}
   * @param receiptPoll how often a subscription that is up to date looks for new receipts
   * @param receiptRetry the first wait after a {@code ptx_nack} or a failure; doubles up to a
   *     minute
   * @param stop what runs at the time of a stop is given this long
   */
  public record Timeouts(
      Duration idle,
      Duration body,
      Duration call,
      Duration keepAlive,
      Duration receiptPoll,
      Duration receiptRetry,
      Duration stop) {
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofSeconds(5));

    public Timeouts {
      if (keepAlive.compareTo(idle) >= 0) {
        throw new IllegalArgumentException(
            "keepAlive must be shorter than idle, or quiet WebSockets are closed.");
      }
    }
  }
}
