package dev.sequitur.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class AskedAgainTest {
  private static final List<Duration> AGAIN = List.of(Duration.ofSeconds(2), Duration.ofSeconds(5));

  private final List<CompletableFuture<String>> asked = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private final List<Runnable> due = new ArrayList<>();

  private CompletableFuture<String> ask() {
    return AskedAgain.<String>first(
            () -> {
              asked.add(new CompletableFuture<>());
              return asked.getLast();
            },
            AGAIN,
            (done, delay, then) -> {
              delays.add(delay);
              due.add(
                  () -> {
                    if (!done.isDone()) {
                      then.run();
                    }
                  });
            })
        .toCompletableFuture();
  }

  private void waitForAllTimes() {
    due.forEach(Runnable::run);
  }

  @Test
  void whoAnswersIsNotAskedAgain() {
    var answer = ask();
    asked.getFirst().complete("here");
    waitForAllTimes();

    assertThat(answer).isCompletedWithValue("here");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aQuestionThatWasLostIsAskedAgainAndItsAnswerCounts() {
    var answer = ask();
    due.getFirst().run();
    assertThat(asked).hasSize(2);
    asked.get(1).complete("there");

    assertThat(answer).isCompletedWithValue("there");
    assertThat(delays).isEqualTo(AGAIN);
  }

  @Test
  void anAnswerThatComesLateCountsThoughItWasAskedAgain() {
    var answer = ask();
    waitForAllTimes();
    asked.getFirst().complete("late");

    assertThat(answer).isCompletedWithValue("late");
    assertThat(asked).hasSize(3);
  }

  @Test
  void aRefusalIsAnAnswer() {
    var answer = ask();
    asked.getFirst().completeExceptionally(new IllegalArgumentException());
    waitForAllTimes();

    assertThat(answer).isCompletedExceptionally();
    assertThat(asked).hasSize(1);
  }

  /** The first question ends last: its time is over before that of a repetition. */
  @Test
  void aRepetitionThatFailsLeavesTheFirstQuestionOpen() {
    var answer = ask();
    waitForAllTimes();
    asked.get(1).completeExceptionally(new TimeoutException());
    assertThat(answer).isNotDone();
    asked.getFirst().completeExceptionally(new TimeoutException());
    assertThat(answer).isCompletedExceptionally();
  }
}
