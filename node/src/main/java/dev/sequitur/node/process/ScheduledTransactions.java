package dev.sequitur.node.process;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.protocol.port.ScheduledCalls;
import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.crypto.IntentSalt;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** How the node's schedules reach its sequencer. */
final class ScheduledTransactions implements ScheduledCalls {
  private final SequencerNode sequencer;
  private final PrivateTransactions submission;
  private final InstantSource clock;

  /**
   * @param submission takes the keys of schedules
   */
  ScheduledTransactions(
      SequencerNode sequencer, PrivateTransactions submission, InstantSource clock) {
    this.sequencer = sequencer;
    this.submission = submission;
    this.clock = clock;
  }

  /** A group that is not known may still come; whose key it is does not change (ACC-6). */
  @Override
  public Optional<Refusal> refuses(Target.PrivateCall call) {
    if (!call.from().node().equals(sequencer.name())) {
      return refused(
          "The key of %s is on another node: schedule it there, or from an identity of %s."
              .formatted(call.from(), sequencer.name()));
    }
    var group = sequencer.group(call.contract());
    if (group.isPresent() && group.get().committee().member(call.from()).isEmpty()) {
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
  public CompletionStage<TransactionId> submit(String key, Target.PrivateCall call) {
    return sequencer
        .store()
        .intentByIdempotencyKey(key)
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

  private Intent intent(String key, Target.PrivateCall call) {
    var transaction =
        new PrivateTransaction(
            new TransactionId(UUID.randomUUID()),
            call.contract(),
            call.domain(),
            call.function(),
            call.from(),
            call.inputs(),
            SubmitMode.AUTO,
            List.of(),
            IntentSalt.random());
    return new Intent(0, clock.instant(), Optional.of(key), bodyHash(call), transaction);
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

  @Override
  public CompletionStage<Optional<Ended>> ended(TransactionId transaction) {
    return sequencer
        .store()
        .receipt(transaction)
        .thenApply(
            found ->
                found.map(
                    numbered ->
                        new Ended(
                            numbered.receipt().success(),
                            numbered.receipt().failureMessage().orElse(""))));
  }
}
