package dev.sequitur.cluster.placement;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RegionCoordinatorsTest {
  private static final CompletionStage<Boolean> YES = completedFuture(true);
  private static final CompletionStage<Boolean> NO = completedFuture(false);

  private final AtomicLong nanos = new AtomicLong();
  private final Map<String, CompletionStage<Boolean>> dealt =
      new HashMap<>(Map.of("coordinator", YES, "sender", YES));
  private final RegionCoordinators coordinators = new RegionCoordinators(() -> dealt, nanos::get);

  private Optional<String> trouble() {
    return coordinators.trouble().toCompletableFuture().join();
  }

  private void waitLong() {
    nanos.addAndGet(RegionCoordinators.PATIENCE.toNanos());
  }

  @Test
  void whileAllAreDealtOutNothingIsWrong() {
    assertThat(trouble()).isEmpty();
    waitLong();
    assertThat(trouble()).isEmpty();
  }

  @Test
  void aKindThatNobodyDealsOutForLongIsTold() {
    dealt.put("sender", NO);
    assertThat(trouble()).isEmpty();
    waitLong();
    assertThat(trouble().orElseThrow()).contains("shards of sender:", "logs");
  }

  @Test
  void whoDoesNotAnswerDealsOutNothing() {
    dealt.replaceAll((kind, any) -> failedFuture(new TimeoutException()));
    trouble();
    waitLong();
    assertThat(trouble().orElseThrow()).contains("coordinator, sender");
  }

  @Test
  void aShortTimeWithoutIsNotTold() {
    dealt.put("sender", NO);
    trouble();
    dealt.put("sender", YES);
    waitLong();
    assertThat(trouble()).isEmpty();
    dealt.put("sender", NO);
    assertThat(trouble()).isEmpty();
  }
}
