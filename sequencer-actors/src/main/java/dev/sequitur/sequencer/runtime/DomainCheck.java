package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.Domain.Objection;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.actor.StateStoreActor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks the domain of a contract whether intents can be accepted. What may pass, such as a balance
 * that does not reach yet, is refused only if nothing on this node could make it right: no other
 * intent of the contract that has not ended, none before it in the batch, nothing it depends on. If
 * it could, the intent is accepted, and its assembly tried again with back-off until it succeeds or
 * the sender gives up.
 */
final class DomainCheck {
  private static final Duration ASK = Duration.ofSeconds(10);

  private final NodeServices services;

  DomainCheck(NodeServices services) {
    this.services = services;
  }

  /**
   * @param transactions of this contract
   * @return fails with {@link RefusedIntent}
   */
  CompletionStage<Void> check(ContractAddress contract, List<PrivateTransaction> transactions) {
    return objection(contract, transactions)
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              if (!found.get().mayPass()) {
                throw refused(found.get());
              }
              return services
                  .setup()
                  .ports()
                  .store()
                  .hasPending(contract)
                  .thenCompose(
                      pending ->
                          pending
                              ? CompletableFuture.completedFuture(null)
                              : checkAgain(contract, transactions));
            });
  }

  /** What was pending before may have ended between the two questions. */
  private CompletionStage<Void> checkAgain(
      ContractAddress contract, List<PrivateTransaction> transactions) {
    return objection(contract, transactions)
        .thenApply(
            found -> {
              if (found.isPresent()) {
                throw refused(found.get());
              }
              return null;
            });
  }

  private static RefusedIntent refused(Objection objection) {
    return new RefusedIntent("SQ020005", objection.reason());
  }

  /** The worst there is: what will never pass, or else what may. */
  private CompletionStage<Optional<Objection>> objection(
      ContractAddress contract, List<PrivateTransaction> transactions) {
    CompletionStage<StateStoreActor.Validated> all =
        services
            .entities()
            .stateStore(contract)
            .ask(replyTo -> new StateStoreActor.Validate(transactions, replyTo), ASK);
    return all.thenApply(validated -> worst(transactions, validated.objections()));
  }

  private static Optional<Objection> worst(
      List<PrivateTransaction> transactions, List<Optional<Objection>> objections) {
    var never = objections.stream().flatMap(Optional::stream).filter(o -> !o.mayPass()).findFirst();
    boolean firstMayPass = !transactions.get(0).dependsOn().isEmpty();
    return never.or(() -> firstMayPass ? Optional.empty() : objections.get(0));
  }
}
