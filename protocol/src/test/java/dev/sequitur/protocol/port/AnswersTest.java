package dev.sequitur.protocol.port;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private final CompletableFuture<String> first = new CompletableFuture<>();
  private final CompletableFuture<String> second = new CompletableFuture<>();

  @Test
  void allAreThereOnceEachIs() {
    var all = Answers.all(List.of(first, second));
    second.complete("b");
    assertThat(all).isNotDone();
    first.complete("a");
    assertThat(all.join()).containsExactly("a", "b");
  }

  @Test
  void ofNoneAllAreThere() {
    assertThat(Answers.all(List.<CompletionStage<String>>of()).join()).isEmpty();
  }

  @Test
  void theFirstOfThoseThatFailIsTold() {
    var all = Answers.all(List.of(first, second));
    second.completeExceptionally(new IllegalStateException("second"));
    assertThat(all).isNotDone();
    first.completeExceptionally(new IllegalStateException("first"));
    assertThat(all)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("first");
  }

  @Test
  void inTurnTheNextIsAskedOnceTheOneBeforeIsAnswered() {
    var asked = new ArrayList<CompletableFuture<String>>();
    var all =
        Answers.inTurn(
                List.of(first, second),
                question -> {
                  asked.add(question);
                  return question;
                })
            .toCompletableFuture();
    assertThat(asked).containsExactly(first);
    first.complete("a");
    assertThat(asked).containsExactly(first, second);
    second.complete("b");
    assertThat(all.join()).containsExactly("a", "b");
  }

  @Test
  void afterOneThatFailsNoneIsAsked() {
    var asked = new ArrayList<Integer>();
    var all =
        Answers.inTurn(
                List.of(1, 2),
                question -> {
                  asked.add(question);
                  return failedFuture(new IllegalStateException("No."));
                })
            .toCompletableFuture();
    assertThat(all).isCompletedExceptionally();
    assertThat(asked).containsExactly(1);
  }

  @Test
  void partsAreAskedOneAfterAnother() {
    var parts = new ArrayList<List<Integer>>();
    var all =
        Answers.inParts(
                List.of(1, 2, 3, 4, 5),
                2,
                part -> {
                  parts.add(part);
                  return completedFuture(part.stream().map(each -> each * 10).toList());
                })
            .toCompletableFuture();
    assertThat(all.join()).containsExactly(10, 20, 30, 40, 50);
    assertThat(parts).containsExactly(List.of(1, 2), List.of(3, 4), List.of(5));
  }

  @Test
  void aboutNothingNothingIsAsked() {
    var answer =
        Answers.ifThere(
                Optional.empty(),
                question -> {
                  throw new AssertionError("It was asked about " + question);
                })
            .toCompletableFuture();
    assertThat(answer.join()).isEmpty();
  }

  @Test
  void aboutWhatIsThereTheAnswerIsThere() {
    var answer = Answers.ifThere(Optional.of(1), number -> completedFuture(number + 1));
    assertThat(answer.toCompletableFuture().join()).contains(2);
  }

  @Test
  void theCauseIsToldWithoutWhatWrapsIt() {
    var cause = new IllegalStateException("No.");
    assertThat(Answers.cause(new CompletionException(cause))).isSameAs(cause);
    assertThat(Answers.cause(cause)).isSameAs(cause);
    var bare = new CompletionException("No cause.", null);
    assertThat(Answers.cause(bare)).isSameAs(bare);
  }
}
