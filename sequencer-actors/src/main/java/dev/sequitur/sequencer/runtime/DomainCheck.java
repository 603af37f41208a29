package dev.sequitur.sequencer.runtime;

import dev.sequitur.cluster.AskedAgain;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain.Objection;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.StateStoreActor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Asks the domain of a contract whether intents can be accepted. What may pass, such as a balance
 * that does not reach yet, is refused only if nothing on this node could make it right: nothing
 * that has not ended or comes before it in the batch and of which the domain says that it may help,
 * and nothing unfinished that it depends on. If something could, the intent is accepted, and its
 * assembly tried again with back-off until it succeeds or the sender gives up. A domain that says
 * nothing in time objects to nothing: what it has against an intent, the assembly says later, and
 * the receipt.
 */
final class DomainCheck {
  /** Intents that are looked at at once. */
  private static final int PAGE = 200;

  /** So long a caller waits for the domain: who has the contract's states may be on its way. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final NodeStore store;
  private final Objections objections;
  private final Help help;
  private final Duration patience;

  /** What the domain objects to, in the order of the transactions. */
  interface Objections {
    CompletionStage<List<Optional<Objection>>> to(
        ContractAddress contract, List<PrivateTransaction> transactions);
  }

  /** Whether the domain says that another transaction may make an objection pass. */
  interface Help {
    boolean mayCome(PrivateTransaction doubtful, Objection objection, PrivateTransaction other);
  }

  DomainCheck(NodeServices services) {
    this(
        services.store(),
        (contract, transactions) -> objections(services, contract, transactions),
        (doubtful, objection, other) -> {
          var group = services.group(doubtful.contract());
          return services.domain(group).mayHelp(group, doubtful, objection, other);
        },
        PATIENCE);
  }

  /**
   * @param patience with each of the questions to the domain
   */
  DomainCheck(NodeStore store, Objections objections, Help help, Duration patience) {
    this.store = store;
    this.objections = objections;
    this.help = help;
    this.patience = patience;
  }

  /** An intent that may be assembled upon other states only. */
  private record Doubt(PrivateTransaction transaction, Objection objection) {}

  /**
   * @param transactions of this contract
   * @return fails with {@link RefusedIntent}
   */
  CompletionStage<Void> check(ContractAddress contract, List<PrivateTransaction> transactions) {
    return objections(contract, transactions)
        .thenCompose(
            found -> {
              refuseWhatNeverPasses(found);
              var doubts = doubts(transactions, found);
              return doubts.isEmpty()
                  ? CompletableFuture.completedFuture(null)
                  : withoutHelp(contract, doubts, 0)
                      .thenCompose(left -> checkAgain(contract, left));
            });
  }

  private static void refuseWhatNeverPasses(List<Optional<Objection>> objections) {
    objections.stream()
        .flatMap(Optional::stream)
        .filter(objection -> !objection.mayPass())
        .findFirst()
        .ifPresent(DomainCheck::refuse);
  }

  private static void refuse(Objection objection) {
    throw new RefusedIntent("SQ020005", objection.reason());
  }

  /** Those that nothing of their own batch may help. */
  private List<Doubt> doubts(
      List<PrivateTransaction> transactions, List<Optional<Objection>> objections) {
    var ids = transactions.stream().map(PrivateTransaction::id).collect(Collectors.toSet());
    var doubts = new ArrayList<Doubt>();
    for (int i = 0; i < transactions.size(); i++) {
      if (objections.get(i).isPresent()) {
        var doubt = new Doubt(transactions.get(i), objections.get(i).get());
        if (!isHelped(doubt, transactions.subList(0, i), ids)) {
          doubts.add(doubt);
        }
      }
    }
    return doubts;
  }

  /** Those that nothing pending beyond this order may help. */
  private CompletionStage<List<PrivateTransaction>> withoutHelp(
      ContractAddress contract, List<Doubt> doubts, long after) {
    return store
        .pending(contract, after, PAGE)
        .thenCompose(
            page -> {
              var left = withoutHelp(doubts, page);
              return left.isEmpty() || page.size() < PAGE
                  ? CompletableFuture.completedFuture(
                      left.stream().map(Doubt::transaction).toList())
                  : withoutHelp(contract, left, page.getLast().order());
            });
  }

  private List<Doubt> withoutHelp(List<Doubt> doubts, List<Intent> pending) {
    var others = pending.stream().flatMap(each -> each.privately().stream()).toList();
    var ids = others.stream().map(PrivateTransaction::id).collect(Collectors.toSet());
    return doubts.stream().filter(doubt -> !isHelped(doubt, others, ids)).toList();
  }

  private boolean isHelped(
      Doubt doubt, List<PrivateTransaction> others, Set<TransactionId> unfinished) {
    return doubt.transaction().dependsOn().stream().anyMatch(unfinished::contains)
        || others.stream()
            .anyMatch(other -> help.mayCome(doubt.transaction(), doubt.objection(), other));
  }

  /** What was pending before may have ended between the two questions. */
  private CompletionStage<Void> checkAgain(
      ContractAddress contract, List<PrivateTransaction> transactions) {
    if (transactions.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return objections(contract, transactions)
        .thenAccept(
            found ->
                found.stream()
                    .flatMap(Optional::stream)
                    .findFirst()
                    .ifPresent(DomainCheck::refuse));
  }

  private CompletionStage<List<Optional<Objection>>> objections(
      ContractAddress contract, List<PrivateTransaction> transactions) {
    return objections
        .to(contract, transactions)
        .toCompletableFuture()
        .copy()
        .completeOnTimeout(
            Collections.nCopies(transactions.size(), Optional.empty()),
            patience.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private static CompletionStage<List<Optional<Objection>>> objections(
      NodeServices services, ContractAddress contract, List<PrivateTransaction> transactions) {
    CompletionStage<StateStoreActor.Validated> all =
        AskedAgain.ask(
            services.entities().stateStore(contract),
            replyTo -> new StateStoreActor.Validate(transactions, replyTo));
    return all.thenApply(StateStoreActor.Validated::objections);
  }
}
