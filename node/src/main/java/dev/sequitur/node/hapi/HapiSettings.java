package dev.sequitur.node.hapi;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.QueueName;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where Hedera's clients are served, and what is put up with there.
 *
 * @param port 0 lets the operating system choose
 * @param queue the one that is served
 * @param account the node account that transactions for this front have to name
 * @param operator the account that is opened in a queue that has none
 * @param mirrorPort where the mirror's view is served, on the same host; empty if it is not
 */
public record HapiSettings(
    String host,
    int port,
    boolean tls,
    QueueName queue,
    EntityId account,
    Optional<Operator> operator,
    OptionalInt mirrorPort,
    Limits limits) {

  /** An account that is there from the beginning, and its money. */
  public record Operator(EntityId account, AccountKey key, Amount balance) {}

  /**
   * @param messageBytes of one call
   * @param connections open at once
   * @param calls under way on one connection
   * @param callsOfAddress under way from one address, on all its connections; one more is told BUSY
   * @param call how long one may take
   * @param idle after which a connection on which nothing moves is closed
   */
  public record Limits(
      int messageBytes,
      int connections,
      int calls,
      int callsOfAddress,
      Duration call,
      Duration idle) {
    public static final Limits DEFAULT =
        new Limits(16_384, 256, 100, 1_000, Duration.ofSeconds(30), Duration.ofMinutes(5));
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
        Limits.DEFAULT);
  }

  /** With other limits. */
  public HapiSettings withLimits(Limits value) {
    return new HapiSettings(host, port, tls, queue, account, operator, mirrorPort, value);
  }

  public HapiSettings withOperator(Operator value) {
    return new HapiSettings(
        host, port, tls, queue, account, Optional.of(value), mirrorPort, limits);
  }

  /** With the mirror's view. */
  public HapiSettings withMirror(int at) {
    return new HapiSettings(host, port, tls, queue, account, operator, OptionalInt.of(at), limits);
  }
}
