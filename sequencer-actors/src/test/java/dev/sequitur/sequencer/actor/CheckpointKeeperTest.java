package dev.sequitur.sequencer.actor;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.Behavior;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.CheckpointWitness;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a node says what the ledger's blocks have left, and what its operator hears of it. */
class CheckpointKeeperTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static ActorFixture actors;

  private final NodeSetup setup = new ScriptedPorts().setup(0);
  private final NodeStanding standing = new NodeStanding(setup, BlockHeight.ZERO, 0);
  private final Queue<BlockHeight> asked = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void startSystem() {
    actors = new ActorFixture(directory);
  }

  @AfterAll
  static void stopSystem() {
    actors.close();
  }

  @Test
  void itGoesOnAtOnceWhileThereAreMoreBlocksAndNoFurtherThanItsNodeHasCome() {
    var keeper =
        actors.testKit().spawn(create(upTo -> step(asked.size() < 4, Optional.of("It differs."))));

    await().atMost(PATIENCE).until(() -> asked.size() >= 4);
    await().atMost(PATIENCE).until(() -> standing.witnessing().isPresent());
    assertThat(asked).containsOnly(new BlockHeight(7));
    assertThat(standing.witnessing()).contains("It differs.");

    actors.testKit().stop(keeper);
    assertThat(standing.witnessing()).isEmpty();
  }

  /** The next look comes after ten seconds. */
  @Test
  void aLedgerThatDoesNotAnswerIsAskedAgain() {
    var keeper =
        actors
            .testKit()
            .spawn(
                create(
                    upTo ->
                        asked.size() < 2
                            ? failedFuture(new LedgerUnreachableException("Not now."))
                            : step(false, Optional.empty())));

    await().atMost(PATIENCE).until(() -> asked.size() == 2);
    actors.testKit().stop(keeper);
  }

  private static CompletionStage<CheckpointWitness.Step> step(
      boolean goesOn, Optional<String> remark) {
    return completedFuture(new CheckpointWitness.Step(goesOn, remark));
  }

  private Behavior<CheckpointKeeper.Command> create(CheckpointWitness witness) {
    CheckpointWitness counting =
        upTo -> {
          asked.add(upTo);
          return witness.goOn(upTo);
        };
    return CheckpointKeeper.create(atSeven(), counting, standing);
  }

  private static NodeStore atSeven() {
    return (NodeStore)
        Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(),
            new Class<?>[] {NodeStore.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "indexedTo" ->
                      completedFuture(
                          Optional.of(new IndexedTo(new BlockHeight(7), new Hash(1, 2, 3, 4))));
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
