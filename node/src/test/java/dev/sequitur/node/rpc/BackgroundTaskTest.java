package dev.sequitur.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.BackgroundTask.State;
import dev.sequitur.node.rpc.BackgroundTask.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BackgroundTaskTest {
  private static final Instant START = Instant.parse("2026-11-30T07:00:00Z");

  private final List<Consumer<Integer>> begun = new ArrayList<>();
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final List<Throwable> failures = new ArrayList<>();
  private Instant now = START;
  private final BackgroundTask<Integer> task = new BackgroundTask<>(0, () -> now, failures::add);

  private final Work<Integer> work =
      progress -> {
        begun.add(progress);
        return end;
      };

  @Test
  void oneRunsAtATimeAndTellsHowFarItIs() {
    assertThat(task.last().state()).isEqualTo(State.NONE);

    assertThat(task.begin(work).state()).isEqualTo(State.RUNNING);
    begun.getFirst().accept(7);
    now = START.plusSeconds(5);
    var again = task.begin(work);

    assertThat(begun).hasSize(1);
    assertThat(again.progress()).isEqualTo(7);
    assertThat(again.begun()).contains(START);

    end.complete("all");
    assertThat(task.last().state()).isEqualTo(State.DONE);
    assertThat(task.last().ended()).contains(now);
    assertThat(task.last().progress()).isEqualTo(7);
    assertThat(failures).isEmpty();
  }

  @Test
  void theNextOneBeginsAtNothing() {
    task.begin(work);
    begun.getFirst().accept(7);
    end.completeExceptionally(new IllegalStateException("The disk is gone."));
    assertThat(task.last().trouble()).contains("The disk is gone.");

    var next = task.begin(progress -> new CompletableFuture<>());

    assertThat(next.state()).isEqualTo(State.RUNNING);
    assertThat(next.progress()).isZero();
    assertThat(next.ended()).isEmpty();
    assertThat(next.trouble()).isEmpty();
  }

  @Test
  void oneThatFailsBeforeItHasBegunHasFailed() {
    var why = new InternalError("unable to create native thread");

    var course =
        task.begin(
            progress -> {
              throw why;
            });

    assertThat(course.state()).isEqualTo(State.FAILED);
    assertThat(course.trouble()).contains("unable to create native thread");
    assertThat(failures).containsExactly(why);
    assertThat(task.begin(work).state()).isEqualTo(State.RUNNING);
  }

  @Test
  void whyOneHasFailedIsToldWithoutWhatWrapsIt() {
    var why = new IllegalStateException();
    task.begin(work);

    end.completeExceptionally(new CompletionException(why));

    assertThat(failures).containsExactly(why);
    assertThat(task.last().trouble()).contains("java.lang.IllegalStateException");
  }
}
