package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An endorser that has just come into memory. */
@Execution(ExecutionMode.CONCURRENT)
class EndorserActorTest {
  private static final Identity PARTY = Identity.parse("alice@node1");
  private static final NodeName OTHER = new NodeName("node2");

  private static final EndorsementError.Reason CANNOT = new EndorsementError.CannotEndorseNow();

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final Arbitrary arbitrary = new Arbitrary(9);
  private PrivacyGroup group;
  private ActorFixture actors;
  private NodeServices services;

  @BeforeEach
  void start() {
    actors = new ActorFixture(directory, "");
    services = actors.services(ports.setup(0));
    var any = ports.newGroup();
    group =
        new PrivacyGroup(
            any.id(),
            any.chainId(),
            any.contract(),
            any.domain(),
            any.name(),
            new Committee(List.of(new Member(PARTY, services.keys().verifier(PARTY.name())))),
            1,
            any.configuration());
    services.groups().add(group);
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  /** It is woken by what it is asked, and its store answers later (DST-10). */
  @Test
  void theFirstRequestIsNotEndorsedEitherWhileItsStoreDiffersFromTheLedger() {
    actors.initEntities(services);
    TestProbe<StateStoreActor.Corrected> stopped = actors.testKit().createTestProbe();
    services
        .entities()
        .stateStore(group.contract())
        .tell(new StateStoreActor.Differs(new BlockHeight(3), stopped.ref()));
    stopped.receiveMessage();

    assertThat(answer(actors.testKit().spawn(endorser()))).isEqualTo(CANNOT);
  }

  /** Only then it is silent: a journal that cannot be read is tried again and again. */
  @Test
  void nothingIsEndorsedWhileItsStoreCannotBeLoaded() {
    actors.initProbes();
    services.recoveries().failed(StateStoreActor.KEY.name(), group.contract().value());

    var endorser = actors.testKit().spawn(endorser());

    assertThat(answer(endorser)).isEqualTo(CANNOT);
  }

  /** Nor upon what is silent now, and was said to differ. */
  @Test
  void nothingIsEndorsedWhileASilentStoreIsKnownToDiffer() {
    actors.initProbes();
    services.standing().lacking().tellParted(group.contract(), Optional.of(new BlockHeight(3)));

    assertThat(answer(actors.testKit().spawn(endorser()))).isEqualTo(CANNOT);
  }

  /** It says nothing of what it holds, and the base ledger refuses what is there already. */
  @Test
  void aStoreThatIsMerelySlowKeepsNobodyFromEndorsing() {
    actors.initProbes();

    assertThat(answer(actors.testKit().spawn(endorser()))).isNotEqualTo(CANNOT);
  }

  private Behavior<EndorserActor.Command> endorser() {
    TestProbe<ClusterSharding.ShardCommand> shard = actors.testKit().createTestProbe();
    return EndorserActor.create(services, group.contract(), shard.ref());
  }

  private Object answer(ActorRef<EndorserActor.Command> endorser) {
    endorser.tell(new EndorserActor.Deliver(List.of(new Received<>(OTHER, asked(), request()))));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              actors.pass(Duration.ofSeconds(2));
              return !ports.sent().isEmpty();
            });
    assertThat(ports.sent()).hasSize(1);
    return ports.sent().getFirst() instanceof EndorsementError error
        ? error.reason()
        : ports.sent().getFirst();
  }

  private MessageId asked() {
    return arbitrary.next(MessageId.class);
  }

  private EndorsementRequest request() {
    return new EndorsementRequest(
        arbitrary.next(AttestationRequest.class),
        arbitrary.next(RequestId.class),
        group.contract(),
        PARTY,
        List.of(),
        OTHER,
        BlockHeight.ZERO);
  }
}
