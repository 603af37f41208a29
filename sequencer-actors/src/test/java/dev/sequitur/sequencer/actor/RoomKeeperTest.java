package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.sequencer.runtime.ActorFixture;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What whoever forgets what has ended tells the operator. */
class RoomKeeperTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static ActorFixture actors;

  private final NodeSetup setup = keepingAnHour(new ScriptedPorts().setup(0));
  private final NodeStanding standing = new NodeStanding(setup, BlockHeight.ZERO, 0);

  @BeforeAll
  static void startSystem() {
    actors = new ActorFixture(directory);
  }

  @AfterAll
  static void stopSystem() {
    actors.close();
  }

  private static NodeSetup keepingAnHour(NodeSetup setup) {
    return setup
        .withPorts(setup.ports().withStore(unread(setup)))
        .withRules(setup.rules().withRoom(RoomPolicy.of(Duration.ofHours(1), Duration.ofDays(1))));
  }

  /** Of what ended three hours ago a listener has taken nothing. */
  private static NodeStore unread(NodeSetup setup) {
    var row = new Room.Row(1, setup.clock().instant().minus(Duration.ofHours(3)), false);
    return (NodeStore)
        Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(),
            new Class<?>[] {NodeStore.class},
            (proxy, method, arguments) ->
                CompletableFuture.completedFuture(
                    switch (method.getName()) {
                      case "takenByListeners" -> 0L;
                      case "readSoFar" -> Optional.empty();
                      case "ended" -> new RoomStore.Page(1, List.of(row));
                      case "forget" -> RoomStore.Freed.NOTHING;
                      default -> throw new UnsupportedOperationException(method.getName());
                    }));
  }

  private double overdueSeconds() {
    return Shown.in(setup.registry()).get("sequitur_room_overdue_seconds");
  }

  @Test
  void oneThatStopsTellsNothingMore() {
    var keeper = actors.testKit().spawn(RoomKeeper.create(setup, standing));
    await().atMost(PATIENCE).until(() -> overdueSeconds() == 7_200);

    actors.testKit().stop(keeper);

    assertThat(overdueSeconds()).isZero();
  }
}
