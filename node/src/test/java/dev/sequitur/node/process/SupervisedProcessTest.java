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
  private static final Duration LONG = Duration.ofSeconds(60);

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
      await().atMost(LONG).until(() -> said.size() > 3);
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
      await().atMost(LONG).until(() -> asked.get() > 3);
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
        await().atMost(LONG).until(() -> said.contains("WATCHDOG=1"));
      }
    }
    assertThat(silent).isNotDone();
  }

  @Test
  void saysNothingMoreOnceItHasSaidThatItEnds() {
    var asked = new AtomicInteger();
    var answer = new CompletableFuture<Optional<Hindrance>>();
    // Between the question and the time after which no answer is one, it ends.
    try (var manager = manager(Optional.of(Duration.ofMillis(800)))) {
      manager.ready(
          () -> {
            asked.incrementAndGet();
            return answer;
          });
      await().atMost(LONG).pollInterval(Duration.ofMillis(5)).until(() -> asked.get() > 0);
    }

    answer.complete(Optional.empty());

    assertThat(said.getLast()).isEqualTo("STOPPING=1");
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
