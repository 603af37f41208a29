package dev.sequitur.schedule.call;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.IntentRules;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.room.Room.Forgotten;
import dev.sequitur.protocol.transaction.FreshIntent;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.protocol.transaction.Transaction;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.port.ScheduledCalls;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** How the node's schedules reach its sequencer. Thread-safe. */
public final class ScheduledTransactions implements ScheduledCalls {
  private final Node node;
  private final IntentStore store;
  private final PrivateTransactions submission;

  /**
   * Whose schedules they are.
   *
   * @param members the names of a group's members of this node, if it knows the group
   * @param runsContracts whether its base ledger takes public transactions
   * @param fresh for a new private transaction of that contract and sender, whose place there
   *     nobody else has
   * @param ids of new public transactions
   */
  public record Node(
      NodeName name,
      boolean runsContracts,
      Function<ContractAddress, Optional<List<String>>> members,
      InstantSource clock,
      BiFunction<ContractAddress, Identity, FreshIntent> fresh,
      Supplier<TransactionId> ids) {}

  /**
   * @param submission takes the keys of schedules
   */
  public ScheduledTransactions(Node node, IntentStore store, PrivateTransactions submission) {
    this.node = node;
    this.store = store;
    this.submission = submission;
  }

  /** A group that is not known may still come; whose key it is does not change (ACC-6). */
  @Override
  public Optional<Refusal> refuses(Target.Call call) {
    if (!call.from().node().equals(node.name())) {
      return refused(
          "The key of %s is on another node: schedule it there, or from an identity of %s."
              .formatted(call.from(), node.name()));
    }
    return switch (call) {
      case Target.PrivateCall it -> refusesPrivate(it);
      case Target.PublicCall ignored ->
          node.runsContracts() ? Optional.empty() : refused(IntentRules.noContracts().getMessage());
    };
  }

  private Optional<Refusal> refusesPrivate(Target.PrivateCall call) {
    var members = node.members().apply(call.contract());
    if (members.isPresent() && !members.get().contains(call.from().name())) {
      return refused(
          "%s is no member of the privacy group of %s: schedule it from one of its members."
              .formatted(call.from(), call.contract()));
    }
    return Optional.empty();
  }

  private static Optional<Refusal> refused(String sentence) {
    return Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, sentence));
  }

  /** Looks for the key first: what was accepted once is not refused afterwards. */
  @Override
  public CompletionStage<TransactionId> submit(String key, Target.Call call) {
    return store
        .intentByIdempotencyKey(owned(key))
        .thenCompose(
            known ->
                known
                    .<CompletionStage<TransactionId>>map(CompletableFuture::completedFuture)
                    .orElseGet(
                        () ->
                            submission
                                .submit(List.of(intent(key, call)))
                                .thenApply(ids -> ids.get(0))));
  }

  private Intent intent(String key, Target.Call call) {
    return switch (call) {
      case Target.PrivateCall it -> {
        var fresh = node.fresh().apply(it.contract(), it.from());
        yield intent(
            key,
            bodyHash(it),
            new PrivateTransaction(
                fresh.id(),
                it.contract(),
                it.domain(),
                it.function(),
                it.from(),
                it.inputs(),
                SubmitMode.AUTO,
                List.of(),
                fresh.salt()));
      }
      case Target.PublicCall it -> {
        var transaction =
            new PublicTransaction(
                node.ids().get(), it.from(), it.to(), it.data(), it.value(), it.gas(), it.source());
        yield intent(key, bodyHash(transaction), transaction);
      }
    };
  }

  private Intent intent(String key, Hash bodyHash, Transaction transaction) {
    return new Intent(0, node.clock().instant(), Optional.of(owned(key)), bodyHash, transaction);
  }

  private static IdempotencyKey owned(String key) {
    return new IdempotencyKey(IdempotencyKey.Owner.SCHEDULES, key);
  }

  private static Hash bodyHash(PublicTransaction transaction) {
    return new CanonicalDigest()
        .add("schedule")
        .add(transaction.from().toString())
        .add(PublicCall.of(transaction).hash())
        .add(transaction.gas())
        .finish();
  }

  private static Hash bodyHash(Target.PrivateCall call) {
    return new CanonicalDigest()
        .add("schedule")
        .add(call.domain())
        .add(call.function())
        .add(call.from().toString())
        .add(call.contract().value())
        .add(call.inputs())
        .finish();
  }

  /** Once its receipt is forgotten, what is left of it says how it ended (ROM-2). */
  @Override
  public CompletionStage<Optional<Ended>> ended(TransactionId transaction) {
    return store
        .receipt(transaction)
        .thenCompose(
            found ->
                found.isPresent()
                    ? CompletableFuture.completedFuture(
                        found.map(numbered -> ended(numbered.receipt())))
                    : store
                        .forgotten(transaction)
                        .thenApply(left -> left.map(ScheduledTransactions::ended)));
  }

  private static Ended ended(Receipt receipt) {
    return new Ended(receipt.success(), receipt.failureMessage().orElse(""));
  }

  private static Ended ended(Forgotten left) {
    return new Ended(left.success(), left.success() ? "" : "It failed, and why is forgotten.");
  }
}
