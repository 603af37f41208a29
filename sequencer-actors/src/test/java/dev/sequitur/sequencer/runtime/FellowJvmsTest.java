package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Join;
import akka.cluster.typed.Leave;
import dev.sequitur.persistence.store.JvmName;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeWriters;
import dev.sequitur.protocol.port.NodeWriters.ClusterView;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.sequencer.actor.IntentHandover;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Actor systems of one cluster in this process, each with a stand-in for the store. */
@Execution(ExecutionMode.CONCURRENT)
class FellowJvmsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final JvmsOfOneNode jvms = new JvmsOfOneNode();
  private final ContractAddress contract = new ScriptedPorts().newGroup().contract();

  /** A JVM of the node; what its store is asked, and what it answers. */
  private static final class Jvm {
    private final ActorTestKit kit;
    private final List<ClusterView> views = new CopyOnWriteArrayList<>();
    private final List<String> tookOver = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Done> entered = new CompletableFuture<>();
    private final ActorRef<FellowJvms.Command> fellows;
    private volatile Function<ClusterView, CompletionStage<Boolean>> entrance =
        view -> CompletableFuture.completedFuture(true);
    private volatile CompletionStage<Set<ContractAddress>> pending =
        CompletableFuture.completedFuture(Set.of());

    private Jvm(ActorTestKit kit) {
      this.kit = kit;
      this.fellows = kit.spawn(FellowJvms.create(store(), writers(), entered));
      TestProbe<Done> listening = kit.createTestProbe();
      fellows.tell(new FellowJvms.AwaitListening(listening.ref()));
      listening.receiveMessage(PATIENCE);
    }

    private NodeStore store() {
      return (NodeStore)
          Proxy.newProxyInstance(
              NodeStore.class.getClassLoader(),
              new Class<?>[] {NodeStore.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "contractsWithPending" -> pending;
                    case "sendersWithPublicPending" -> CompletableFuture.completedFuture(Set.of());
                    default -> throw new UnsupportedOperationException(method.getName());
                  });
    }

    private NodeWriters writers() {
      return new NodeWriters() {
        @Override
        public CompletionStage<Set<String>> others() {
          throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Boolean> enter(ClusterView view) {
          views.add(view);
          return entrance.apply(view);
        }

        @Override
        public CompletionStage<Void> end(String jvm) {
          tookOver.add(jvm);
          return CompletableFuture.completedFuture(null);
        }
      };
    }

    private String name() {
      return JvmName.self(kit.system()).toString();
    }

    private Cluster cluster() {
      return Cluster.get(kit.system());
    }

    private void join(Jvm other) {
      cluster().manager().tell(Join.create(other.cluster().selfMember().address()));
    }

    private boolean isUp() {
      return cluster().selfMember().status() == MemberStatus.up();
    }

    private void awaitEntered() throws Exception {
      entered.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private Jvm jvm() {
    return new Jvm(jvms.start(""));
  }

  @AfterEach
  void stop() {
    jvms.stop();
  }

  private static void awaitThat(Callable<Boolean> condition) {
    await().atMost(PATIENCE).until(condition);
  }

  @Test
  void whoIsThereFirstHasBegunTheClusterAndWhoJoinsHasMetIt() throws Exception {
    var first = jvm();
    first.join(first);
    first.awaitEntered();
    var second = jvm();
    second.join(first);
    second.awaitEntered();

    assertThat(first.views).first().isEqualTo(alone(first));
    var both = Set.of(first.name(), second.name());
    assertThat(second.views).first().isEqualTo(new ClusterView(false, both, both));
  }

  private static ClusterView alone(Jvm jvm) {
    var name = Set.of(jvm.name());
    return new ClusterView(true, name, name);
  }

  @Test
  void itAsksAgainUntilThoseThatItHasMetMayWriteThemselves() throws Exception {
    var jvm = jvm();
    jvm.entrance = view -> CompletableFuture.completedFuture(jvm.views.size() == 3);
    jvm.join(jvm);

    jvm.awaitEntered();

    assertThat(jvm.views).hasSize(3);
  }

  @Test
  void aDatabaseThatIsAwayIsAskedAgain() throws Exception {
    var jvm = jvm();
    jvm.entrance =
        view ->
            jvm.views.size() < 3
                ? CompletableFuture.failedFuture(new IllegalStateException("no database"))
                : CompletableFuture.completedFuture(true);
    jvm.join(jvm);

    jvm.awaitEntered();
  }

  /** It is fenced by nobody else: there is no other JVM. */
  @Test
  void fromAJvmThatIsRemovedWhileThisOneStartsItTakesOverOnceItMayWrite() throws Exception {
    var lost = jvm();
    lost.join(lost);
    lost.awaitEntered();
    var starting = jvm();
    var entrance = new CompletableFuture<Boolean>();
    starting.entrance = view -> entrance;
    starting.join(lost);
    awaitThat(() -> !starting.views.isEmpty());

    starting.cluster().manager().tell(new Down(lost.cluster().selfMember().address()));
    awaitThat(() -> starting.cluster().state().members().size() == 1);
    assertThat(starting.tookOver).isEmpty();
    entrance.complete(true);

    awaitThat(() -> starting.tookOver.equals(List.of(lost.name())));
    starting.awaitEntered();
  }

  /** Its place is taken by the entry itself. */
  @Test
  void aJvmThatIsRemovedBeforeThisOneEntersIsAmongThoseMetAndNotAmongThosePresent()
      throws Exception {
    var lost = jvm();
    lost.join(lost);
    lost.awaitEntered();
    var starting = jvm();
    starting.entrance = view -> CompletableFuture.completedFuture(view.present().size() == 1);
    starting.join(lost);
    awaitThat(() -> !starting.views.isEmpty());

    starting.cluster().manager().tell(new Down(lost.cluster().selfMember().address()));
    starting.awaitEntered();

    assertThat(starting.views)
        .last()
        .isEqualTo(
            new ClusterView(false, Set.of(lost.name(), starting.name()), Set.of(starting.name())));
  }

  @Test
  void whatIsFoundInThePlaceOfALostJvmIsHandedOver() throws Exception {
    var lost = jvm();
    lost.join(lost);
    var other = jvm();
    other.pending = CompletableFuture.completedFuture(Set.of(contract));
    other.join(lost);
    other.awaitEntered();
    TestProbe<IntentHandover.Command> handover = other.kit.createTestProbe();
    TestProbe<String> groups = other.kit.createTestProbe();
    other.fellows.tell(
        new FellowJvms.Inform(
            handover.ref(),
            () -> {
              groups.ref().tell("take up");
              return CompletableFuture.completedFuture(null);
            }));

    other.cluster().manager().tell(new Down(lost.cluster().selfMember().address()));

    assertThat(handover.receiveMessage(PATIENCE))
        .isEqualTo(new IntentHandover.Told(new Handover.Input.InDoubt(Set.of(contract))));
    assertThat(groups.receiveMessage(PATIENCE)).isEqualTo("take up");
  }

  @Test
  void whileTheDatabaseIsAwayItTriesToTakeOverAgainAndAgain() throws Exception {
    var lost = jvm();
    lost.join(lost);
    var other = jvm();
    other.pending = CompletableFuture.failedFuture(new IllegalStateException("no database"));
    other.join(lost);
    other.awaitEntered();

    other.cluster().manager().tell(new Down(lost.cluster().selfMember().address()));

    awaitThat(() -> other.tookOver.size() >= 3);
    assertThat(other.tookOver).containsOnly(lost.name());
  }

  /** It sees all others removed, and they live. */
  @Test
  void whoLeavesTakesOverFromNobody() throws Exception {
    var first = jvm();
    first.join(first);
    first.awaitEntered();
    var leaving = jvm();
    leaving.join(first);
    leaving.awaitEntered();
    awaitThat(() -> first.isUp() && leaving.isUp());

    leaving.cluster().manager().tell(Leave.create(leaving.cluster().selfMember().address()));

    awaitThat(() -> first.tookOver.equals(List.of(leaving.name())));
    leaving.kit.system().terminate();
    leaving
        .kit
        .system()
        .getWhenTerminated()
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(leaving.tookOver).isEmpty();
  }

  @Test
  void whoEndsBeforeItWasLetInFailsToStart() {
    var jvm = jvm();
    jvm.kit.stop(jvm.fellows);

    assertThatThrownBy(() -> jvm.awaitEntered()).hasMessageContaining("before it was let in");
  }
}
