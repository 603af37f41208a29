package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.port.NodeStore.Hindrance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SupervisedProcessTest {
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private final List<String> said = new CopyOnWriteArrayList<>();

  private SupervisedProcess manager(Optional<Duration> patience) {
    return new SupervisedProcess(
        Optional.of(
            (unset, state) -> {
              assertThat(unset).isZero();
              said.add(state);
              return 1;
            }),
        patience);
  }

  @Test
  void saysThatItServesThenGivesSignsOfLifeThenSaysThatItEnds() {
    try (var manager = manager(Optional.of(PATIENCE))) {
      assertThat(said).isEmpty();
      manager.ready(() -> CompletableFuture.completedFuture(Optional.empty()));
      await().until(() -> said.size() > 3);
      assertThat(said.getFirst()).isEqualTo("READY=1");
      assertThat(said.subList(1, 4)).containsOnly("WATCHDOG=1");
    }
    assertThat(said.getLast()).isEqualTo("STOPPING=1");
  }

  @Test
  void givesNoSignWhereANewStartIsWhatTheProcessNeeds() {
    var asked = new AtomicInteger();
    try (var manager = manager(Optional.of(PATIENCE))) {
      manager.ready(
          () -> {
            asked.incrementAndGet();
            return CompletableFuture.completedFuture(
                Optional.of(new Hindrance("Start it again.", true)));
          });
      await().until(() -> asked.get() > 3);
    }
    assertThat(said).containsExactly("READY=1", "STOPPING=1");
  }

  @Test
  void givesSignsWhereAStartWouldNotHelpAndWhereNobodyAnswers() {
    var full = CompletableFuture.completedFuture(Optional.of(new Hindrance("Disk full.", false)));
    var failed = CompletableFuture.<Optional<Hindrance>>failedFuture(new IllegalStateException());
    var silent = new CompletableFuture<Optional<Hindrance>>();
    for (var answer : List.of(full, failed, silent)) {
      said.clear();
      try (var manager = manager(Optional.of(PATIENCE))) {
        manager.ready(() -> answer);
        await().until(() -> said.contains("WATCHDOG=1"));
      }
    }
    assertThat(silent).isNotDone();
  }

  @Test
  void givesNoSignsWhereNobodyWaitsForThem() {
    var asked = new AtomicInteger();
    try (var manager = manager(Optional.empty())) {
      manager.ready(
          () -> {
            asked.incrementAndGet();
            return CompletableFuture.completedFuture(Optional.empty());
          });
    }
    assertThat(said).containsExactly("READY=1", "STOPPING=1");
    assertThat(asked).hasValue(0);
  }

  @Test
  void readsHowLongTheSupervisedProcessWaits() {
    assertThat(SupervisedProcess.patience(Map.of("WATCHDOG_USEC", "60000000"), 7))
        .contains(Duration.ofMinutes(1));
    assertThat(
            SupervisedProcess.patience(Map.of("WATCHDOG_USEC", "60000000", "WATCHDOG_PID", "7"), 7))
        .contains(Duration.ofMinutes(1));
    assertThat(
            SupervisedProcess.patience(Map.of("WATCHDOG_USEC", "60000000", "WATCHDOG_PID", "8"), 7))
        .isEmpty();
    assertThat(SupervisedProcess.patience(Map.of(), 7)).isEmpty();
    assertThat(SupervisedProcess.patience(Map.of("WATCHDOG_USEC", "0"), 7)).isEmpty();
    assertThat(SupervisedProcess.patience(Map.of("WATCHDOG_USEC", "soon"), 7)).isEmpty();
  }
}
