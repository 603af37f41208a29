package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.PublicContracts.Estimate;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What is asked before a public transaction is accepted (PUB-1). Thread-safe. */
final class PublicChecks {
  private final NodeServices services;

  PublicChecks(NodeServices services) {
    this.services = services;
  }

  /**
   * What needs no look at the ledger.
   *
   * @throws dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent with a sentence
   */
  void check(PublicTransaction transaction) {
    contracts();
    IntentRules.checkNode(transaction.from(), services.self());
    if (NodeKeyNames.isTakenBy(transaction.from())) {
      throw IntentRules.nodesOwnKey(transaction.from());
    }
    var name = transaction.from().name();
    if (services.keys().standing(name, services.keys().account(name)) == Keys.Standing.REVOKED) {
      throw IntentRules.keyRevoked(transaction.from());
    }
  }

  /**
   * The same, with the gas that it may use, if its caller has not said how much; what its caller
   * says has to fit into a block.
   *
   * @return fails with what the ledger's port does, if it cannot be reached
   */
  CompletionStage<Intent> withGas(Intent intent) {
    if (intent.publicly().isEmpty()) {
      return CompletableFuture.completedFuture(intent);
    }
    var transaction = intent.publicly().get();
    if (transaction.gas() > 0) {
      return hasRoom(transaction.gas()).thenApply(ignored -> intent);
    }
    var signer = services.keys().account(transaction.from().name());
    return contracts()
        .estimate(services.signatures().address(signer), PublicCall.of(transaction))
        .thenApply(estimate -> limited(intent, transaction, estimate));
  }

  /** A ledger that cannot be asked keeps nobody waiting: its pool refuses what is too much. */
  private CompletionStage<Void> hasRoom(long gas) {
    return contracts()
        .mostGas()
        .exceptionally(away -> Long.MAX_VALUE)
        .thenAccept(
            most -> {
              if (gas > most) {
                throw IntentRules.tooMuchGas(gas, most);
              }
            });
  }

  private Intent limited(Intent intent, PublicTransaction transaction, Estimate estimate) {
    return switch (estimate) {
      case Estimate.Gas(var limit) ->
          new Intent(
              intent.order(),
              intent.created(),
              intent.idempotencyKey(),
              intent.bodyHash(),
              transaction.withGas(limit));
      case Estimate.Fails(var data, var reason) ->
          throw IntentRules.wouldFail(
              data.isEmpty() ? reason : contracts().reason(data, transaction.source().abi()));
    };
  }

  private PublicContracts contracts() {
    return services.ledger().contracts().orElseThrow(IntentRules::noContracts);
  }
}
