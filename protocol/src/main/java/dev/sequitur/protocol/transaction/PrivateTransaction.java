package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One intent as it is delegated: the {@code private_transactions} of a DelegationCommand.
 *
 * @param from whose signature the domain asks for; its node is the transaction's sender
 * @param inputs the function's parameters, UTF-8 JSON, private
 * @param dependsOn what must be confirmed on the ledger before this is delegated (SND-6), at most
 *     {@value #MAX_DEPENDENCIES}
 * @param salt random, private: keeps outsiders from guessing {@code from} by the commitment
 * @param maxAttempts failed tries after which its caller wants to be told, at least 1; its sender
 *     makes no more than its own settings allow
 * @param deadline when its caller wants to be told: what is not on its way to the base ledger by
 *     then ends as reverted (SND-8)
 */
@Copyable
public record PrivateTransaction(
    TransactionId id,
    ContractAddress contract,
    String domain,
    String function,
    Identity from,
    Bytes inputs,
    SubmitMode submitMode,
    List<TransactionId> dependsOn,
    Hash salt,
    Optional<Integer> maxAttempts,
    Optional<Instant> deadline)
    implements Transaction, PrivateTransactionBuilder.With {
  /** How many it may depend on. */
  public static final int MAX_DEPENDENCIES = 256;

  public PrivateTransaction {
    dependsOn = List.copyOf(dependsOn);
    if (dependsOn.size() > MAX_DEPENDENCIES) {
      throw new IllegalArgumentException(
          "dependsOn names "
              + dependsOn.size()
              + " transactions: name at most "
              + MAX_DEPENDENCIES
              + ".");
    }
    if (maxAttempts.isPresent() && maxAttempts.get() < 1) {
      throw new IllegalArgumentException(
          "A transaction is tried at least once, not " + maxAttempts.get() + " times.");
    }
  }

  /** One that is tried as often as its sender's settings say, for as long as it takes. */
  public PrivateTransaction(
      TransactionId id,
      ContractAddress contract,
      String domain,
      String function,
      Identity from,
      Bytes inputs,
      SubmitMode submitMode,
      List<TransactionId> dependsOn,
      Hash salt) {
    this(
        id,
        contract,
        domain,
        function,
        from,
        inputs,
        submitMode,
        dependsOn,
        salt,
        Optional.empty(),
        Optional.empty());
  }

  /** The same, for a caller that wants to be told by then. */
  public PrivateTransaction by(Instant time) {
    return withDeadline(Optional.of(time));
  }

  /** How the base ledger knows it. Costs a hash at each call. */
  public IntentKey key() {
    return new IntentKey(id, SenderCommitment.of(contract, id, from, salt));
  }
}
