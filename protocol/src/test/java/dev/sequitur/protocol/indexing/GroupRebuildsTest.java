package dev.sequitur.protocol.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.id.ContractAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** CNF-11. */
class GroupRebuildsTest {
  private static final ContractAddress A = new ContractAddress("0x" + "0a".repeat(20));
  private static final ContractAddress B = new ContractAddress("0x" + "0b".repeat(20));

  private GroupRebuilds groups = GroupRebuilds.of(List.of(A, B));

  @Test
  void oneIsRebuiltAfterTheOther() {
    assertThat(groups.pause()).isZero();
    is(Status.RUNNING);
    assertThat(groups.asked()).isTrue();
    assertThat(groups.pause()).isEqualTo(GroupRebuilds.LOOK);
    is(Status.REBUILT);
    assertThat(groups.first()).isEqualTo(B);
    assertThat(groups.asked()).isFalse();
    assertThat(groups.pause()).isZero();
    is(Status.SAME);
    assertThat(groups.isDone()).isTrue();
  }

  @Test
  void oneThatCannotBeHoldsUpNoOtherAndIsTriedAgainAfterAPause() {
    is(Status.DIFFERENT);
    assertThat(groups.first()).isEqualTo(B);
    assertThat(groups.pause()).isZero();
    assertThat(groups.sentence()).contains("2 are left").contains("could not be");
    is(Status.REBUILT);
    assertThat(groups.pause()).as("it was tried before the other one").isZero();
    is(Status.FAILED);
    assertThat(groups.first()).isEqualTo(A);
    assertThat(groups.pause()).isEqualTo(GroupRebuilds.AGAIN).isGreaterThan(Duration.ofMinutes(1));
    is(Status.REBUILT);
    assertThat(groups.isDone()).isTrue();
  }

  /** Its contract may be gone for good. */
  @Test
  void thoseThatCanNeverBeAreGivenUpAtLast() {
    is(Status.REBUILT);
    for (int i = 0; i < GroupRebuilds.ROUNDS; i++) {
      assertThat(groups.isDone()).isFalse();
      is(Status.RUNNING);
      is(Status.FAILED);
    }
    assertThat(groups.isDone()).isTrue();
    assertThat(groups.left()).containsExactly(B);
  }

  @Test
  void oneOfWhichNobodyKnowsAnyMoreIsBegunAnew() {
    is(Status.RUNNING);
    groups = groups.after(Optional.empty());
    assertThat(groups.first()).isEqualTo(A);
    assertThat(groups.asked()).isFalse();
  }

  private void is(Status status) {
    groups = groups.after(Optional.of(status));
  }
}
