package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.pattern.StatusReply;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state store whose domain has a fault. */
class StateStoreActorTest {
  private static final String PRIVATE = "a private amount";

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private PrivacyGroup group;
  private ActorFixture actors;
  private ActorRef<StateStoreActor.Command> store;

  @BeforeEach
  void start() {
    group = ports.newGroup();
    actors = new ActorFixture(directory, "");
    NodeServices services = actors.services(faulty(ports.setup(0)));
    services.groups().add(group);
    TestProbe<BlockFeedCommand> feed = actors.testKit().createTestProbe();
    TestProbe<ClusterSharding.ShardCommand> shard = actors.testKit().createTestProbe();
    actors.initEntities(services, feed.ref());
    store = actors.testKit().spawn(StateStoreActor.create(services, group.contract(), shard.ref()));
  }

  private NodeSetup faulty(NodeSetup setup) {
    var domain =
        (Domain)
            Proxy.newProxyInstance(
                Domain.class.getClassLoader(),
                new Class<?>[] {Domain.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("name")) {
                    return group.domain();
                  }
                  throw new IllegalStateException(PRIVATE);
                });
    return new NodeSetup(
        setup.self(),
        setup.ports(),
        Map.of(group.domain(), domain),
        setup.rules(),
        setup.trace(),
        setup.clock());
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  @Test
  void anIntentThatTheDomainCannotValidateIsRefusedAndTheNextIsAnswered() {
    TestProbe<StateStoreActor.Validated> answers = actors.testKit().createTestProbe();
    var transaction = new Arbitrary(1).next(PrivateTransaction.class);

    for (int i = 0; i < 2; i++) {
      store.tell(new StateStoreActor.Validate(List.of(transaction), answers.ref()));

      assertThat(answers.receiveMessage().objections())
          .singleElement()
          .satisfies(problem -> assertThat(problem.orElseThrow().reason()).contains("fault"))
          .satisfies(problem -> assertThat(problem.orElseThrow().reason()).doesNotContain(PRIVATE));
    }
  }

  @Test
  void aCallThatTheDomainCannotAnswerFailsAndTheNextIsAnswered() {
    TestProbe<StatusReply<Bytes>> answers = actors.testKit().createTestProbe();
    var from = Identity.parse("party@node1");

    for (int i = 0; i < 2; i++) {
      store.tell(new StateStoreActor.Call(from, "balance", Bytes.EMPTY, answers.ref()));

      assertThat(answers.receiveMessage().getError())
          .hasMessageContaining("fault")
          .hasMessageNotContaining(PRIVATE);
    }
  }
}
