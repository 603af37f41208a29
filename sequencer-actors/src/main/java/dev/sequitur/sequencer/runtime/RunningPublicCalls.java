package dev.sequitur.sequencer.runtime;

import dev.sequitur.cluster.AskedAgain;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.PublicCalls;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.SubmitterActor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the submitter of each identity. */
record RunningPublicCalls(NodeServices services) implements PublicCalls {
  private static final Duration ASK = Duration.ofSeconds(10);

  @Override
  public CompletionStage<List<SubmitterState.Underway>> underway(Identity from) {
    return AskedAgain.<SubmitterActor.Command, SubmitterActor.Publics>ask(
            services.entities().publicSubmitter(from), SubmitterActor.GetPublics::new)
        .thenApply(SubmitterActor.Publics::underway);
  }

  /** The submitter first: what it has is what is carried out. */
  @Override
  public CompletionStage<Optional<Submitter.ChangeRefusal>> replace(
      PublicTransaction by, Optional<Fees> fees) {
    return services
        .entities()
        .publicSubmitter(by.from())
        .<SubmitterActor.PublicChange>ask(
            replyTo -> new SubmitterActor.ReplacePublic(by.bare(), fees, replyTo), ASK)
        .thenCompose(
            change ->
                change.refusal().isPresent()
                    ? CompletableFuture.completedFuture(change.refusal())
                    : services.store().change(by).thenApply(stored -> change.refusal()));
  }

  @Override
  public CompletionStage<Optional<Submitter.ChangeRefusal>> cancel(
      Identity from, TransactionId id) {
    return services
        .entities()
        .publicSubmitter(from)
        .<SubmitterActor.PublicChange>ask(
            replyTo -> new SubmitterActor.CancelPublic(id, replyTo), ASK)
        .thenApply(SubmitterActor.PublicChange::refusal);
  }
}
