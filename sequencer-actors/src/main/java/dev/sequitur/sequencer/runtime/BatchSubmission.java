package dev.sequitur.sequencer.runtime;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import akka.actor.typed.ActorRef;
import akka.pattern.StatusReply;
import dev.sequitur.protocol.errand.IntentAcceptance;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.sequencer.actor.IntentHandover;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.SequencerMetrics.Transaction;
import dev.sequitur.trace.TransactionLog;
import io.opentelemetry.context.Context;
import java.lang.ref.Reference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * From a caller's batch to durable intents: checked, stored in one write, then given to the
 * senders. Nothing is stored of a batch in which one intent is wrong.
 */
final class BatchSubmission {
  private final NodeServices services;
  private final IntentAcceptance acceptance;
  private final DomainCheck domainCheck;
  private final PublicChecks publicChecks;
  private final GroupMaking making;

  /**
   * @param handover where accepted intents go
   * @param making where those go that make groups
   */
  BatchSubmission(
      NodeServices services, ActorRef<IntentHandover.Command> handover, GroupMaking making) {
    this.services = services;
    this.making = making;
    this.acceptance =
        new IntentAcceptance(
            services.intents(), told -> handover.tell(new IntentHandover.Told(told)));
    this.domainCheck = new DomainCheck(services);
    this.publicChecks = new PublicChecks(services);
  }

  /** What a domain says to a wrong call is for the caller; everything else is the node's fault. */
  static Throwable refusedCall(Throwable failure) {
    var cause = Answers.cause(failure);
    return cause instanceof StatusReply.ErrorMessage
        ? new RefusedIntent("SQ020008", cause.getMessage())
        : cause;
  }

  /** From outside: what begins like the keys of schedules is theirs (SCH-13). */
  CompletionStage<List<TransactionId>> submit(List<Intent> batch) {
    for (var intent : batch) {
      if (intent
          .idempotencyKey()
          .filter(key -> key.name().startsWith(OccurrenceKey.PREFIX))
          .isPresent()) {
        return CompletableFuture.failedFuture(
            new RefusedIntent(
                "SQ020014",
                "Idempotency keys that begin with '"
                    + OccurrenceKey.PREFIX
                    + "' are kept for the node's schedules: choose another key."));
      }
    }
    return submitScheduled(batch)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    Answers.root(failure) instanceof LedgerUnreachableException unreachable
                        ? IntentRules.noEstimate(unreachable.getMessage())
                        : failure));
  }

  /** From the node's own schedules. */
  CompletionStage<List<TransactionId>> submitScheduled(List<Intent> batch) {
    var caller = Context.current();
    var all = IntentKinds.of(batch);
    return groupsOf(all)
        .thenCompose(
            known ->
                submitTo(known, batch, all, caller)
                    // Until then they are found in memory.
                    .whenComplete((done, failure) -> Reference.reachabilityFence(known)));
  }

  /** By their contracts, of those that this node knows. */
  private CompletionStage<Map<ContractAddress, PrivacyGroup>> groupsOf(IntentKinds all) {
    var contracts = all.privates().stream().map(PrivateTransaction::contract).collect(toSet());
    return Answers.all(contracts.stream().map(services::load).toList())
        .thenApply(
            found ->
                found.stream()
                    .flatMap(Optional::stream)
                    .collect(toMap(PrivacyGroup::contract, group -> group)));
  }

  private CompletionStage<List<TransactionId>> submitTo(
      Map<ContractAddress, PrivacyGroup> known,
      List<Intent> batch,
      IntentKinds all,
      Context caller) {
    try {
      for (var intent : batch) {
        switch (intent.transaction()) {
          case PrivateTransaction it -> check(known, it);
          case PublicTransaction it -> publicChecks.check(it);
          case NewGroup it -> check(it);
        }
      }
    } catch (RefusedIntent e) {
      return CompletableFuture.failedFuture(e);
    }
    return repeated(batch)
        .thenCompose(
            repeats ->
                repeats.size() == batch.size()
                    ? accept(batch, all, caller)
                    : complete(batch, all, repeats)
                        .thenCompose(complete -> accept(complete, all, caller)));
  }

  /** What is no repeat has to be right, and is given the gas that it needs. */
  private CompletionStage<List<Intent>> complete(
      List<Intent> batch, IntentKinds all, Set<IdempotencyKey> repeats) {
    var fresh =
        IntentKinds.of(batch.stream().filter(intent -> !isRepeat(intent, repeats)).toList());
    return making
        .room(fresh.newGroups().size())
        .thenCompose(room -> validate(fresh.privates()))
        .thenCompose(valid -> checkDependencies(batch, all.privates()))
        .thenCompose(
            valid ->
                fresh.publics().isEmpty()
                    ? CompletableFuture.completedFuture(batch)
                    : withGas(batch, repeats));
  }

  private CompletionStage<List<Intent>> withGas(List<Intent> batch, Set<IdempotencyKey> repeats) {
    return Answers.all(
        batch.stream()
            .map(
                intent ->
                    isRepeat(intent, repeats)
                        ? CompletableFuture.completedFuture(intent)
                        : publicChecks.withGas(intent))
            .toList());
  }

  private static boolean isRepeat(Intent intent, Set<IdempotencyKey> repeats) {
    return intent.idempotencyKey().filter(repeats::contains).isPresent();
  }

  private void check(Map<ContractAddress, PrivacyGroup> known, PrivateTransaction transaction) {
    var group = known.get(transaction.contract());
    if (group == null) {
      throw IntentRules.unknownGroup(transaction.contract());
    }
    IntentRules.check(group, transaction.domain(), transaction.from(), services.self());
  }

  private void check(NewGroup transaction) {
    IntentRules.checkNode(transaction.from(), services.self());
    var refusal = making.refusal(transaction.request());
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  /** A repeat is answered with the original id even if it could not be accepted now (SND-3). */
  private CompletionStage<Set<IdempotencyKey>> repeated(List<Intent> batch) {
    return Answers.all(
            batch.stream()
                .flatMap(intent -> intent.idempotencyKey().stream())
                .map(
                    key ->
                        services
                            .intents()
                            .intentByIdempotencyKey(key)
                            .thenApply(it -> it.map(id -> key)))
                .toList())
        .thenApply(keys -> keys.stream().flatMap(Optional::stream).collect(toSet()));
  }

  private CompletionStage<Void> validate(List<PrivateTransaction> fresh) {
    var byContract =
        fresh.stream()
            .collect(groupingBy(PrivateTransaction::contract, LinkedHashMap::new, toList()));
    return Answers.all(
            byContract.entrySet().stream()
                .map(entry -> domainCheck.check(entry.getKey(), entry.getValue()))
                .toList())
        .thenAccept(checked -> {});
  }

  /** What is depended on is an intent of this node, or of the same batch (SND-6). */
  private CompletionStage<Void> checkDependencies(
      List<Intent> batch, List<PrivateTransaction> privates) {
    var inBatch = batch.stream().map(intent -> intent.transaction().id()).collect(toSet());
    return Answers.all(
            privates.stream()
                .flatMap(it -> it.dependsOn().stream())
                .filter(dependency -> !inBatch.contains(dependency))
                .map(this::checkKnown)
                .toList())
        .thenAccept(checked -> {});
  }

  /** How it ended is known as long as its id is. */
  private CompletionStage<Boolean> checkKnown(TransactionId dependency) {
    var intents = services.intents();
    return intents
        .intent(dependency)
        .thenCompose(
            known ->
                known.isPresent()
                    ? CompletableFuture.completedFuture(true)
                    : intents
                        .forgotten(dependency)
                        .thenApply(left -> left.filter(Forgotten::own).isPresent()))
        .thenApply(
            known -> {
              if (!known) {
                throw IntentRules.unknownDependency(dependency);
              }
              return known;
            });
  }

  private CompletionStage<List<TransactionId>> accept(
      List<Intent> batch, IntentKinds kinds, Context caller) {
    var spans = services.setup().spans();
    spans.accepting(batch, caller);
    return acceptance
        .accept(batch)
        .whenComplete(
            (acceptance, failure) -> {
              spans.accepted(batch, Optional.ofNullable(acceptance));
              // A write that fails may be stored all the same.
              if (!kinds.newGroups().isEmpty()) {
                making.accepted();
              }
            })
        .thenApply(
            accepted ->
                switch (accepted) {
                  case Acceptance.IdempotencyConflict conflict ->
                      throw IntentRules.conflict(batch, conflict);
                  case Acceptance.Accepted(var ids, var fresh) -> {
                    services.metrics().transactions(Transaction.ACCEPTED, fresh.size());
                    TransactionLog.accepted(fresh, services.setup().spans());
                    yield ids;
                  }
                });
  }
}
