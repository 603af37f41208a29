package dev.sequitur.sequencer.runtime;

import akka.actor.typed.ActorSystem;
import dev.sequitur.cluster.placement.RegionCoordinators;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.sequencer.NodeHealth;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.NodeStanding;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Tells how a node whose actors run is, from what this JVM knows of it. */
record RunningHealth(ActorSystem<?> system, NodeServices services, RegionCoordinators coordinators)
    implements NodeHealth {
  private NodeStanding standing() {
    return services.standing();
  }

  @Override
  public boolean isMember() {
    return Membership.isMember(system);
  }

  @Override
  public List<String> remarks() {
    return Stream.of(
            standing().reindexing().stream(),
            standing().witnessing().stream(),
            standing().lacking().sentences().stream(),
            services.stuck().stream())
        .flatMap(remarks -> remarks)
        .toList();
  }

  @Override
  public Optional<String> ledgerParted() {
    return standing().reading().parted();
  }

  @Override
  public Optional<String> ledgerUnread() {
    return standing().reading().unread();
  }

  @Override
  public Optional<String> notRecovered() {
    return services.recoveries().trouble();
  }

  @Override
  public CompletionStage<Optional<String>> undealt() {
    return coordinators.trouble();
  }

  @Override
  public GasReport gas() {
    return standing().gas();
  }
}
