package dev.sequitur.sequencer.actor;

import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;

/** Finds the sharded entities of this node. Thread-safe. */
public final class Entities {
  private final ClusterSharding sharding;

  /** Of the node whose sharding this is; reaches only kinds that are registered with it. */
  public Entities(ClusterSharding sharding) {
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

  public EntityRef<MessageBookActor.Command> messageBook(ContractAddress contract) {
    return find(MessageBookActor.KEY, contract);
  }

  /** The submitter of the contract's signing key. */
  public EntityRef<SubmitterActor.Command> submitter(ContractAddress contract) {
    return find(SubmitterActor.KEY, contract);
  }

  /** The submitter of public transactions that are signed with the identity's key. */
  public EntityRef<SubmitterActor.Command> publicSubmitter(Identity from) {
    return find(SubmitterActor.PUBLIC_KEY, from.name());
  }

  /** One of any kind that has one for each contract. */
  public <C> EntityRef<C> find(EntityTypeKey<C> key, ContractAddress contract) {
    return find(key, contract.value());
  }

  <C> EntityRef<C> find(EntityTypeKey<C> key, String id) {
    return sharding.entityRefFor(key, id);
  }
}
