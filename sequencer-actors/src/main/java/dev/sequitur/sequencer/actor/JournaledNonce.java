package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.RecoveryFailed;
import akka.persistence.typed.SnapshotAdapter;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads from the journal below which nonce a contract's submitter has given all that it ever gave,
 * before the submitter itself is started. It writes nothing, and stops when it knows.
 */
public final class JournaledNonce
    extends EventSourcedBehavior<JournaledNonce.Known, SubmitterEvent, SubmitterState> {
  /** Told to itself: nothing more is to be done. */
  record Known() {}

  private final ActorContext<Known> context;
  private final Submitter rules;
  private final CompletableFuture<Long> answer;

  private JournaledNonce(
      ActorContext<Known> context,
      ContractAddress contract,
      Submitter rules,
      CompletableFuture<Long> answer) {
    super(PersistenceId.of(SubmitterActor.KEY.name(), contract.value()));
    this.context = context;
    this.rules = rules;
    this.answer = answer;
  }

  /** 0 if the journal has nothing of it. Fails if it can't be read. */
  public static CompletionStage<Long> read(
      ActorSystem<?> system, NodeSetup setup, ContractAddress contract) {
    var rules =
        new Submitter(
            new SubmitterSetup(
                setup.self(),
                any -> Optional.empty(),
                setup.rules().sequencer(),
                setup.rules().gas()));
    var answer = new CompletableFuture<Long>();
    Behavior<Known> behavior =
        Behaviors.setup(context -> new JournaledNonce(context, contract, rules, answer));
    system.systemActorOf(behavior, "journaled-nonce-" + UUID.randomUUID(), Props.empty());
    return answer;
  }

  @Override
  public SubmitterState emptyState() {
    return SubmitterState.initial();
  }

  @Override
  public EventHandler<SubmitterState, SubmitterEvent> eventHandler() {
    return rules::evolve;
  }

  @Override
  public SnapshotAdapter<SubmitterState> snapshotAdapter() {
    return SequencerSnapshots.submitter();
  }

  @Override
  public CommandHandler<Known, SubmitterEvent, SubmitterState> commandHandler() {
    return (state, known) -> Effect().stop();
  }

  @Override
  public SignalHandler<SubmitterState> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(
            RecoveryCompleted.instance(),
            recovered -> {
              answer.complete(recovered.given());
              context.getSelf().tell(new Known());
            })
        .onSignal(
            RecoveryFailed.class,
            (state, failed) -> answer.completeExceptionally(failed.getFailure()))
        .build();
  }
}
