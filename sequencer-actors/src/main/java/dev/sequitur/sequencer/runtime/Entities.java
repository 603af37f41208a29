package dev.sequitur.sequencer.runtime;

import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.EndorserActor;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;

/** Finds the sharded entities of this node. Thread-safe. */
public final class Entities {
  private final ClusterSharding sharding;

  Entities(ClusterSharding sharding) {
    this.sharding = sharding;
  }

  public EntityRef<SenderActor.Command> sender(ContractAddress contract) {
    return find(SenderActor.KEY, contract);
  }

  public EntityRef<CoordinatorActor.Command> coordinator(ContractAddress contract) {
    return find(CoordinatorActor.KEY, contract);
  }

  public EntityRef<EndorserActor.Command> endorser(ContractAddress contract) {
    return find(EndorserActor.KEY, contract);
  }

  public EntityRef<StateStoreActor.Command> stateStore(ContractAddress contract) {
    return find(StateStoreActor.KEY, contract);
  }

  /** The submitter of the contract's signing key. */
  public EntityRef<SubmitterActor.Command> submitter(ContractAddress contract) {
    return find(SubmitterActor.KEY, contract);
  }

  private <C> EntityRef<C> find(EntityTypeKey<C> key, ContractAddress contract) {
    return sharding.entityRefFor(key, contract.value());
  }
}
