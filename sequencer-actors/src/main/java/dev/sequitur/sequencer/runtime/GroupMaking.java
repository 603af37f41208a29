package dev.sequitur.sequencer.runtime;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.GroupRules;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.actor.Founder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The making of privacy groups, as callers reach it. Thread-safe. */
final class GroupMaking {
  /** Members' nodes are given ten seconds for their keys and ten to take part. */
  private static final Duration ASK = Duration.ofMinutes(1);

  private final ActorSystem<?> system;
  private final ActorRef<Founder.Command> founder;
  private final GroupRules rules;

  GroupMaking(ActorSystem<?> system, ActorRef<Founder.Command> founder, GroupRules rules) {
    this.system = system;
    this.founder = founder;
    this.rules = rules;
  }

  /** Why no such group can be made, as far as this node can tell. */
  Optional<RefusedIntent> refusal(GroupRequest request) {
    return rules.refusal(request);
  }

  /** Fails with a sentence for the caller, also while too many are being made. */
  CompletionStage<StoredGroup> create(GroupRequest request) {
    return ask(
        replyTo -> new Founder.Make(request, replyTo),
        outcome ->
            outcome instanceof Outcome.Begun(var group) ? Optional.of(group) : Optional.empty());
  }

  /** Fails with a sentence for the caller if the node of the identity tells no key. */
  CompletionStage<Verifier> resolve(Identity identity) {
    return ask(
        replyTo -> new Founder.Resolve(identity, replyTo),
        outcome ->
            outcome instanceof Outcome.Resolved(var verifier)
                ? Optional.of(verifier)
                : Optional.empty());
  }

  /**
   * To be asked before so many more transactions that make groups are accepted: fails with a
   * sentence while too many are being made.
   */
  CompletionStage<Void> room(long more) {
    return more == 0
        ? CompletableFuture.completedFuture(null)
        : this.<Boolean>ask(
                replyTo -> new Founder.Reserve(more, replyTo),
                outcome -> outcome instanceof Outcome.Room() ? Optional.of(true) : Optional.empty())
            .thenAccept(room -> {});
  }

  /** Transactions that make groups may have been accepted. */
  void accepted() {
    founder.tell(new Founder.Accepted());
  }

  /** Why a transaction that makes a group has no receipt yet, if this JVM sees to it. */
  CompletionStage<Optional<String>> waitsFor(TransactionId transaction) {
    return AskPattern.<Founder.Command, Founder.WaitsFor>ask(
            founder,
            replyTo -> new Founder.GetWaitsFor(transaction, replyTo),
            ASK,
            system.scheduler())
        .thenApply(Founder.WaitsFor::sentence);
  }

  /** What is stored and not made, and what is accepted and not begun. */
  CompletionStage<Void> takeUp() {
    return AskPattern.<Founder.Command, Done>askWithStatus(
            founder, Founder.TakeUp::new, ASK, system.scheduler())
        .thenAccept(done -> accepted());
  }

  private <T> CompletionStage<T> ask(
      Function<ActorRef<Outcome>, Founder.Command> question,
      Function<Outcome, Optional<T>> wanted) {
    return AskPattern.<Founder.Command, Outcome>ask(
            founder, question::apply, ASK, system.scheduler())
        .thenCompose(
            outcome ->
                wanted
                    .apply(outcome)
                    .<CompletionStage<T>>map(CompletableFuture::completedFuture)
                    .orElseGet(() -> CompletableFuture.failedFuture(failure(outcome))));
  }

  private static Throwable failure(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused(var code, var sentence) -> new RefusedIntent(code, sentence);
      case Outcome.Failed(var why) -> why;
      case Outcome.Begun ignored -> other(outcome);
      case Outcome.Resolved ignored -> other(outcome);
      case Outcome.Room ignored -> other(outcome);
    };
  }

  private static IllegalStateException other(Outcome outcome) {
    return new IllegalStateException("Nobody has asked for that: " + outcome);
  }
}
