package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.port.MessageStore;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.setup.NodeSetup;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A message book whose disk is slow or full. */
class MessageBookActorTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final NodeName OTHER = new NodeName("node2");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration MOMENT = Duration.ofMillis(100);

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final InMemoryNodeStore store = new InMemoryNodeStore();

  /** What messages that are to be kept wait for. */
  private volatile CompletionStage<Void> keeping = CompletableFuture.completedFuture(null);

  private PrivacyGroup group;
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<MessageBookActor.Written> caller;

  @BeforeEach
  void start() {
    group = ports.newGroup("alice@node1", "bob@node2");
    actors = new ActorFixture(directory, "");
    services = actors.services(onSlowDisk(ports.setup(0)));
    services.groups().add(group);
    actors.initProbes();
    caller = actors.testKit().createTestProbe();
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  private NodeSetup onSlowDisk(NodeSetup setup) {
    var slow =
        (NodeStore)
            Proxy.newProxyInstance(
                NodeStore.class.getClassLoader(),
                new Class<?>[] {NodeStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("putMessages")) {
                    @SuppressWarnings("unchecked") // As the port has it.
                    var messages = (List<MessageStore.Following>) arguments[1];
                    return keeping.thenCompose(
                        nothing -> store.putMessages((Instant) arguments[0], messages));
                  }
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return setup.withPorts(setup.ports().withStore(slow)).withRegistry(new PrometheusRegistry());
  }

  @Test
  void nobodyIsToldOfAMessageBeforeItIsKept() {
    var kept = new CompletableFuture<Void>();
    keeping = kept;
    var book = spawn();

    book.tell(write("one"));
    book.tell(told(1, "theirs"));
    caller.expectNoMessage(MOMENT);
    assertThat(ports.sent()).isEmpty();

    kept.complete(null);
    var own = caller.receiveMessage().id().flatMap(this::stored).orElseThrow();
    assertThat(own.content().data()).isEqualTo(Bytes.utf8("one"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(ports.sent())
                  .contains(new GroupMessagesAcknowledgement(group.contract(), 1, false));
              assertThat(ports.sent())
                  .anySatisfy(
                      message ->
                          assertThat(message)
                              .isInstanceOfSatisfying(
                                  GroupMessages.class,
                                  batch -> assertThat(batch.first()).isEqualTo(own.number())));
            });
  }

  @Test
  void aBookWhoseDiskIsFullEndsAndTheNextOneGoesOnFromWhatIsKept() {
    keeping = CompletableFuture.failedFuture(new IllegalStateException("the disk is full"));
    var failing = spawn();

    failing.tell(write("one"));
    caller.expectTerminated(failing);
    keeping = CompletableFuture.completedFuture(null);
    spawn().tell(write("two"));

    assertThat(caller.receiveMessage().id().flatMap(this::stored)).isPresent();
    assertThat(store.messages(0, 10).toCompletableFuture().join())
        .singleElement()
        .satisfies(
            each -> assertThat(each.message().content().data()).isEqualTo(Bytes.utf8("two")));
  }

  private ActorRef<MessageBookActor.Command> spawn() {
    var shard = actors.testKit().<ClusterSharding.ShardCommand>createTestProbe().ref();
    return actors.testKit().spawn(MessageBookActor.create(services, group.contract(), shard));
  }

  private MessageBookActor.Write write(String data) {
    return new MessageBookActor.Write(Optional.empty(), "topic", Bytes.utf8(data), caller.ref());
  }

  private MessageBookActor.Deliver told(long first, String data) {
    var content =
        new GroupMessage.Content(Instant.EPOCH, Optional.empty(), "topic", Bytes.utf8(data));
    var batch = new GroupMessages(group.contract(), first - 1, first, List.of(content));
    return new MessageBookActor.Deliver(
        List.of(new Received<>(OTHER, new MessageId(new UUID(0, 1)), batch)));
  }

  private Optional<GroupMessage> stored(GroupMessageId id) {
    return store.message(id).toCompletableFuture().join().map(NodeStore.NumberedMessage::message);
  }
}
