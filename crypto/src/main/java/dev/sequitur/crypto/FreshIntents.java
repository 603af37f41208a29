package dev.sequitur.crypto;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.transaction.FreshIntent;
import java.util.Map;
import java.util.UUID;

/**
 * Ids and salts of new private transactions. So many of one sender and one contract after each
 * other are a series: they share a salt, and all of their ids but the last byte, so that a chain
 * has one slot for all of them. Whoever reads the chain sees that they have one sender, and not who
 * that is.
 *
 * <p>A series is in memory only: after a restart the next transaction begins a new one, so no place
 * is given twice. Thread-safe.
 */
public final class FreshIntents {
  /** Of senders, each for each of its contracts; who comes again later begins a new series. */
  private static final int MOST_OPEN = 4096;

  /** What is random in what nobody is to guess. */
  @FunctionalInterface
  public interface Salts {
    /**
     * @param series its first id
     */
    Hash of(ContractAddress contract, TransactionId series, Identity from);
  }

  private final int length;
  private final Salts salts;
  private final Map<Sender, FreshIntent> newest = LimitedMap.ofLastUsed(MOST_OPEN);

  private record Sender(ContractAddress contract, Identity from) {}

  /**
   * @param length how many a series has, at most {@link TransactionId#SERIES}; with 1 nobody sees
   *     which transactions have the same sender
   */
  public FreshIntents(int length) {
    this(length, (contract, series, from) -> IntentSalt.random());
  }

  /**
   * @param salts as for {@link #FreshIntents(int)}, of each series
   */
  public FreshIntents(int length, Salts salts) {
    if (length < 1 || length > TransactionId.SERIES) {
      throw new IllegalArgumentException(
          "A series has 1 to " + TransactionId.SERIES + " intents, not " + length + ".");
    }
    this.length = length;
    this.salts = salts;
  }

  /** For one more transaction of that sender. */
  public FreshIntent next(ContractAddress contract, Identity from) {
    var sender = new Sender(contract, from);
    synchronized (newest) {
      var next = after(newest.get(sender), sender);
      newest.put(sender, next);
      return next;
    }
  }

  private FreshIntent after(FreshIntent last, Sender sender) {
    if (last == null || last.id().place() + 1 == length) {
      var series = new TransactionId(UUID.randomUUID()).series();
      return new FreshIntent(series, salts.of(sender.contract(), series, sender.from()));
    }
    return new FreshIntent(last.id().at(last.id().place() + 1), last.salt());
  }
}
