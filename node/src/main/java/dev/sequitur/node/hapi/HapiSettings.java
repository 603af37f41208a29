package dev.sequitur.node.hapi;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.body.ExchangeRates;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where Hedera's clients are served, and what is put up with there.
 *
 * @param port 0 lets the operating system choose
 * @param queue the one that is served
 * @param account the node account that transactions for this front have to name
 * @param operator the account that is opened in a queue that has none, as is the node account then
 * @param mirrorPort where the mirror's view is served, on the same host; empty if it is not
 * @param nodes of the network, as the mirror's view tells clients of them: all fronts of the queue,
 *     by their node accounts; empty if this one is alone
 * @param rates that receipts show
 */
@Copyable
public record HapiSettings(
    String host,
    int port,
    boolean tls,
    QueueName queue,
    EntityId account,
    Optional<Operator> operator,
    OptionalInt mirrorPort,
    SortedMap<EntityId, InetSocketAddress> nodes,
    ExchangeRates rates,
    Limits limits)
    implements HapiSettingsBuilder.With {
  public HapiSettings {
    nodes = new TreeMap<>(nodes);
  }

  /** An account that is there from the beginning, and its money. */
  public record Operator(EntityId account, AccountKey key, Amount balance) {}

  /**
   * @param messageBytes of one call
   * @param connections open at once
   * @param connectionsOfAddress of them from one address; one more is closed
   * @param calls under way on one connection
   * @param resets of calls by the client on one connection in ten seconds; one more closes it
   * @param callsOfAddress under way from one address, on all its connections; one more is told BUSY
   * @param call how long one may take; then clients are told BUSY, and send it again
   * @param idle after which a connection on which nothing moves is closed
   */
  public record Limits(
      int messageBytes,
      int connections,
      int connectionsOfAddress,
      int calls,
      int resets,
      int callsOfAddress,
      Duration call,
      Duration idle) {
    public static final Limits DEFAULT =
        new Limits(16_384, 256, 128, 100, 400, 1_000, Duration.ofSeconds(8), Duration.ofMinutes(5));
  }

  /** All defaults, without TLS. */
  public static HapiSettings at(String host, int port) {
    return new HapiSettings(
        host,
        port,
        false,
        QueueName.DEFAULT,
        new EntityId(3),
        Optional.empty(),
        OptionalInt.empty(),
        new TreeMap<>(),
        ExchangeRates.DEFAULT,
        Limits.DEFAULT);
  }
}
