package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.founding.Founding;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.sequencer.actor.Founder;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The actor that makes groups, with the node store and the ledger of a test. */
class FounderTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final NodeName OTHER = new NodeName("node2");

  @TempDir private Path directory;

  private final Arbitrary any = new Arbitrary(41);
  private final ScriptedPorts ports = new ScriptedPorts();
  private ActorFixture actors;
  private TestProbe<Envelope> elsewhere;
  private ActorRef<Founder.Command> founder;

  @BeforeEach
  void start() {
    actors = new ActorFixture(directory);
    NodeServices services = actors.services(ports.setup(0));
    elsewhere = actors.testKit().createTestProbe();
    founder = actors.testKit().spawn(Founder.create(services, elsewhere.ref()::tell));
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  /** A peer's answer arrives at any JVM of the node. */
  @Test
  void anAnswerToNoQuestionOfThisJvmIsPassedOnOnce() {
    var first = answer();
    var second = answer();

    founder.tell(new Founder.Answer(first, true));
    founder.tell(new Founder.Answer(second, false));

    elsewhere.expectMessage(second);
    elsewhere.expectNoMessage(Duration.ofMillis(50));
  }

  private Envelope answer() {
    return new Envelope(
        ProtocolVersion.CURRENT,
        any.next(MessageId.class),
        Optional.empty(),
        OTHER,
        SELF,
        List.of(),
        any.next(GroupGenesisAcknowledgement.class));
  }

  @Test
  void aGroupOfThisNodeAloneIsMadeAndItsTransactionIsKnownToNobody() {
    ports.answerSubmissions(
        CompletableFuture.completedFuture(
            List.of(new SubmitOutcome.Pooled(any.next(TransactionHash.class)))));
    TestProbe<Outcome> caller = actors.testKit().createTestProbe();
    TestProbe<Founder.WaitsFor> waits = actors.testKit().createTestProbe();
    var request =
        new GroupRequest(
            "record",
            "traders",
            List.of(new Identity("alice", SELF)),
            Bytes.utf8("{}"),
            Bytes.utf8("{}"));

    founder.tell(new Founder.Make(request, caller.ref()));

    assertThat(caller.receiveMessage()).isInstanceOf(Outcome.Begun.class);
    assertThat(ports.submitted()).hasSize(1);
    founder.tell(new Founder.GetWaitsFor(any.next(TransactionId.class), waits.ref()));
    assertThat(waits.receiveMessage().sentence()).isEmpty();
  }

  /** Else the groups that a call has asked for stand still until the JVM starts again. */
  @Test
  void eachLifeTakesUpWhatIsStoredAlsoIfTheStoreFailsAtFirst() {
    var probe = actors.testKit().createTestProbe();
    probe.awaitAssert(
        () -> {
          assertThat(ports.groupLooks()).isEqualTo(1);
          return null;
        });
    ports.answerGroups(CompletableFuture.completedFuture(List.of()));
    ports.answerGroups(
        CompletableFuture.failedFuture(new IllegalStateException("It stands still.")));
    actors.testKit().spawn(Founder.create(actors.services(ports.setup(0)), elsewhere.ref()::tell));
    probe.awaitAssert(
        () -> {
          assertThat(ports.groupLooks()).isEqualTo(2);
          return null;
        });

    probe.awaitAssert(
        () -> {
          actors.pass(Founding.PAUSE);
          assertThat(ports.groupLooks()).isEqualTo(3);
          return null;
        });
  }

  /** It is deployed again until it stands, as time passes. */
  @Test
  void itTriesAgainAsTimePasses() {
    ports.answerSubmissions(
        CompletableFuture.completedFuture(
            List.of(new SubmitOutcome.PoolFull(any.next(TransactionHash.class)))));
    TestProbe<Outcome> caller = actors.testKit().createTestProbe();
    var request =
        new GroupRequest(
            "record",
            "traders",
            List.of(new Identity("alice", SELF)),
            Bytes.utf8("{}"),
            Bytes.utf8("{}"));
    founder.tell(new Founder.Make(request, caller.ref()));
    assertThat(caller.receiveMessage()).isInstanceOf(Outcome.Refused.class);

    ports.advance(Duration.ofSeconds(10));
    actors.pass(Duration.ofSeconds(1));

    actors
        .testKit()
        .createTestProbe()
        .awaitAssert(
            () -> {
              assertThat(ports.submitted()).hasSize(2);
              return null;
            });
  }
}
