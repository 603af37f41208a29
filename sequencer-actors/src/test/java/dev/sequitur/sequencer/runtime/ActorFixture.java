package dev.sequitur.sequencer.runtime;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.cluster.ClusterConfiguration;
import dev.sequitur.cluster.SingleJvmSettings;
import dev.sequitur.fixture.HurriedScheduler;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.sequencer.actor.BlockFeedCommand;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.Entities;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.NodeStanding;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An actor system as a node has it, for tests of single actors. */
public final class ActorFixture implements AutoCloseable {
  private final ActorTestKit testKit;

  public ActorFixture(Path directory) {
    this(directory, "");
  }

  /**
   * @param changes of the configuration
   */
  public ActorFixture(Path directory, String changes) {
    var config =
        ClusterConfiguration.singleJvm(
            new SingleJvmSettings("node1", directory),
            ConfigFactory.parseString(
                    """
                    akka.loglevel = WARNING
                    akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                    # The machine may be busy with other tests.
                    akka.actor.testkit.typed.single-expect-default = 60s
                    akka.actor.testkit.typed.system-shutdown-default = 60s
                    akka.actor.testkit.typed.default-timeout = 60s
                    sequitur.persistence.level-db.min-free-disk = 0
                    """)
                .withFallback(ConfigFactory.parseString(HurriedScheduler.CONFIG))
                .withFallback(ConfigFactory.parseString(changes)));
    testKit = ActorTestKit.create("node1", config);
    var cluster = Cluster.get(testKit.system());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
  }

  public ActorTestKit testKit() {
    return testKit;
  }

  /** Lets Akka's timers pass; the clock of the rules is the test's anyway. */
  public void pass(Duration time) {
    HurriedScheduler.of(testKit.system()).pass(time);
  }

  /** What an actor needs that reaches no entity, nor hears of blocks. */
  public static NodeServices withoutEntities(NodeSetup setup) {
    return withoutEntities(setup, null);
  }

  /** As before, with who tells of blocks. */
  static NodeServices withoutEntities(NodeSetup setup, ActorRef<BlockFeedCommand> feed) {
    return services(setup, new Entities(null), feed);
  }

  private static NodeServices services(
      NodeSetup setup, Entities entities, ActorRef<BlockFeedCommand> feed) {
    return new NodeServices(
        setup,
        new NodeStanding(setup, BlockHeight.ZERO, 0),
        new NodeServices.Actors(feed, Optional.empty()),
        entities,
        Runnable::run);
  }

  /** What the actors of a node share, without any actor yet. */
  public NodeServices services(NodeSetup setup) {
    return services(setup, testKit.system().ignoreRef());
  }

  /**
   * As before.
   *
   * @param feed where they are to hear of blocks
   */
  public NodeServices services(NodeSetup setup, ActorRef<BlockFeedCommand> feed) {
    return services(setup, new Entities(ClusterSharding.get(testKit.system())), feed);
  }

  /** Registers the kinds of entities as a node does. */
  public void initEntities(NodeServices services) {
    EntityKinds.init(testKit.system(), services);
  }

  /** Lets a probe stand for all entities but the endorsers. */
  public TestProbe<Object> initProbes() {
    TestProbe<Object> probe = testKit.createTestProbe();
    for (EntityTypeKey<?> key :
        List.of(SenderActor.KEY, StateStoreActor.KEY, SubmitterActor.KEY, CoordinatorActor.KEY)) {
      initProbe(key, probe.ref());
    }
    return probe;
  }

  /** Lets a probe stand for all entities of a kind. */
  TestProbe<Object> initProbe(EntityTypeKey<?> key) {
    TestProbe<Object> probe = testKit.createTestProbe();
    initProbe(key, probe.ref());
    return probe;
  }

  private <C> void initProbe(EntityTypeKey<C> key, ActorRef<Object> probe) {
    ClusterSharding.get(testKit.system())
        .init(
            Entity.of(
                key,
                context ->
                    Behaviors.receiveMessage(
                        message -> {
                          probe.tell(message);
                          return Behaviors.same();
                        })));
  }

  @Override
  public void close() {
    testKit.shutdownTestKit();
  }
}
