package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import dev.sequitur.cluster.placement.ShardWork;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.placement.EvenShares;
import dev.sequitur.protocol.port.PrivateTransactions;
import dev.sequitur.sequencer.Jvms;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.view.JvmView;
import dev.sequitur.sequencer.view.Whereabouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Asks the JVMs of a node what they have, each by {@link JvmGathering}. */
final class RunningJvms implements Jvms {
  private static final Duration ASK = Duration.ofSeconds(10);

  private final ActorSystem<?> system;
  private final NodeServices services;
  private final JvmSelf self;
  private final ActorRef<JvmGathering.Command> gathering;

  RunningJvms(ActorSystem<?> system, NodeServices services) {
    this.system = system;
    this.services = services;
    this.self =
        new JvmSelf(
            system.classicSystem(),
            services.setup().registry(),
            services.now(),
            SequencerStart.SINGLETONS);
    this.gathering =
        system.systemActorOf(JvmGathering.create(self), "jvm-gathering", Props.empty());
    system.systemActorOf(
        ShardWeigher.create(gathering, ShardWeigher.BETWEEN_LOOKS), "shard-weigher", Props.empty());
  }

  @Override
  public CompletionStage<List<JvmView>> all() {
    var work = ShardWork.get(system.classicSystem());
    return gathered(Optional.empty())
        .thenApply(
            gathered ->
                JvmViews.of(
                    gathered,
                    self.name(),
                    jvms -> EvenShares.of(work.shards(), jvms, work.weights())));
  }

  @Override
  public CompletionStage<Whereabouts> where(ContractAddress contract) {
    return services.ofGroup(contract, () -> where(EntityKinds.OF_A_CONTRACT, contract.value()));
  }

  @Override
  public CompletionStage<Whereabouts> where(String kind, String entity) {
    return where(Set.of(kind), entity);
  }

  private CompletionStage<Whereabouts> where(Set<String> kinds, String entity) {
    return gathered(Optional.of(entity)).thenApply(gathered -> JvmViews.where(gathered, kinds));
  }

  private CompletionStage<JvmGathering.Gathered> gathered(Optional<String> sought) {
    return AskPattern.<JvmGathering.Command, JvmGathering.Gathered>ask(
            gathering, replyTo -> new JvmGathering.Gather(sought, replyTo), ASK, system.scheduler())
        .thenApply(
            gathered -> {
              if (gathered.tooMany()) {
                throw new PrivateTransactions.RefusedIntent(
                    "SQ020026",
                    "Too many ask about the node's JVMs at once: ask again in some seconds.");
              }
              return gathered;
            });
  }
}
