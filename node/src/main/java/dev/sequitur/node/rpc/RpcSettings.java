package dev.sequitur.node.rpc;

import dev.sequitur.protocol.copying.Copyable;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where the endpoint listens and what it puts up with.
 *
 * @param host the interface to bind; anything but loopback lets others call the node
 * @param port 0 lets the operating system choose
 * @param allowedOrigins origins of web pages, such as {@code https://ops.example}, that may call
 *     the node
 * @param loopbackPages whether pages served from loopback may call it, too
 * @param hostNames by which callers may name it, beside {@code host}, localhost, and addresses
 * @param page whether the node serves its page
 * @param webhooks how the node sends to its callers by itself
 */
@Copyable
public record RpcSettings(
    String host,
    int port,
    Limits limits,
    Timeouts timeouts,
    Set<String> allowedOrigins,
    boolean loopbackPages,
    Set<String> hostNames,
    boolean page,
    WebhookSettings webhooks)
    implements RpcSettingsBuilder.With {
  public static final String LOOPBACK = "127.0.0.1";

  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

  public RpcSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(
          "The port of the JSON-RPC endpoint is between 0 and 65535, not " + port + ".");
    }
    allowedOrigins = Set.copyOf(allowedOrigins);
    allowedOrigins.forEach(RpcSettings::checkOrigin);
    hostNames = Set.copyOf(hostNames);
  }

  /** All defaults, on loopback. */
  public static RpcSettings loopback(int port) {
    return new RpcSettings(
        LOOPBACK,
        port,
        Limits.DEFAULT,
        Timeouts.DEFAULT,
        Set.of(),
        true,
        Set.of(),
        true,
        WebhookSettings.DEFAULT);
  }

  /** Browsers send an origin in just one spelling, so another one would let nobody in. */
  private static void checkOrigin(String origin) {
    if (!ORIGIN.matcher(origin).matches()) {
      throw new IllegalArgumentException(
          "An origin is written as browsers send it, such as https://ops.example or"
              + " http://10.0.0.7:3000, in small letters and without a path; '%s' is none."
                  .formatted(origin));
    }
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
   * @param connectionsPerAddress those of one address
   * @param subscriptions of one WebSocket
   * @param listenerBatch receipts, events or messages that a listener is told at once
   * @param answerBytes of the answer to one HTTP body or WebSocket message, of a batch together
   */
  @Copyable
  public record Limits(
      int bodyBytes,
      int batchRequests,
      int transactions,
      int queryResults,
      int queryScan,
      int connections,
      int connectionsPerAddress,
      int subscriptions,
      int listenerBatch,
      int answerBytes)
      implements RpcSettingsLimitsBuilder.With {
    public static final Limits DEFAULT =
        new Limits(1 << 20, 500, 1_000, 1_000, 20_000, 1_024, 256, 16, 100, 16 << 20);

    public Limits {
      positive("bodyBytes", bodyBytes);
      positive("batchRequests", batchRequests);
      positive("transactions", transactions);
      positive("queryResults", queryResults);
      positive("queryScan", queryScan);
      positive("connections", connections);
      positive("connectionsPerAddress", connectionsPerAddress);
      positive("subscriptions", subscriptions);
      positive("listenerBatch", listenerBatch);
      positive("answerBytes", answerBytes);
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
   * @param idle a connection on which nothing moves, or no request comes, is closed
   * @param head from a connection's beginning to the end of its first request's head
   * @param body from the first byte of a body to its last
   * @param call from a request to its answer; after it the caller is told that there is none yet
   * @param keepAlive a WebSocket is pinged when nothing moved for this long; less than {@code idle}
   * @param receiptPoll how often a subscription that is up to date looks for new receipts
   * @param receiptRetry the first wait after a {@code ptx_nack} or a failure; doubles up to a
   *     minute
   * @param stop what runs at the time of a stop is given this long
   */
  @Copyable
  public record Timeouts(
      Duration idle,
      Duration head,
      Duration body,
      Duration call,
      Duration keepAlive,
      Duration receiptPoll,
      Duration receiptRetry,
      Duration stop)
      implements RpcSettingsTimeoutsBuilder.With {
    public static final Timeouts DEFAULT =
        new Timeouts(
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
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
