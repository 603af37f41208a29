package dev.sequitur.node.hapi;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.scheduler.QueueName;
import java.time.Duration;
import java.util.Optional;

/**
 * Where Hedera's clients are served, and what is put up with there.
 *
 * @param port 0 lets the operating system choose
 * @param queue the one that is served
 * @param account the node account that transactions for this front have to name
 * @param operator the account that is opened in a queue that has none
 */
public record HapiSettings(
    String host,
    int port,
    boolean tls,
    QueueName queue,
    EntityId account,
    Optional<Operator> operator,
    Limits limits) {

  /** An account that is there from the beginning, and its money. */
  public record Operator(EntityId account, AccountKey key, Amount balance) {}

  /**
   * @param messageBytes of one call
   * @param connections open at once
   * @param calls under way on one connection
   * @param call how long one may take
   * @param idle after which a connection on which nothing moves is closed
   */
  public record Limits(int messageBytes, int connections, int calls, Duration call, Duration idle) {
    public static final Limits DEFAULT =
        new Limits(16_384, 256, 100, Duration.ofSeconds(30), Duration.ofMinutes(5));
  }

  /** All defaults, without TLS. */
  public static HapiSettings at(String host, int port) {
    return new HapiSettings(
        host, port, false, QueueName.DEFAULT, new EntityId(3), Optional.empty(), Limits.DEFAULT);
  }

  public HapiSettings withOperator(Operator value) {
    return new HapiSettings(host, port, tls, queue, account, Optional.of(value), limits);
  }
}
