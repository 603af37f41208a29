package dev.sequitur.cluster.downing;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.Address;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * For how long a JVM reckons with another one that was removed; the test answers for the shards.
 */
class ReckonedTest {
  private static final Address SELF = new Address("akka", "node1", "jvm1", 25520);
  private static final Address OTHER = new Address("akka", "node1", "jvm2", 25520);
  private static final Address THIRD = new Address("akka", "node1", "jvm3", 25520);

  private final Deque<CompletableFuture<Optional<Set<Address>>>> asked = new ArrayDeque<>();
  private final Reckoned reckoned =
      new Reckoned(
          () -> {
            var answer = new CompletableFuture<Optional<Set<Address>>>();
            asked.add(answer);
            return answer;
          });

  @Test
  void membersAreReckonedWithAndNobodyIsAsked() {
    assertThat(reckoned.with(Set.of(OTHER, THIRD))).containsExactlyInAnyOrder(OTHER, THIRD);
    assertThat(reckoned.hasRemoved(Set.of(OTHER, THIRD))).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  void whoWasRemovedIsReckonedWithUntilNoCoordinatorHasARegionThere() {
    reckoned.with(Set.of(OTHER, THIRD));

    assertThat(reckoned.with(Set.of(THIRD))).containsExactlyInAnyOrder(OTHER, THIRD);
    assertThat(reckoned.hasRemoved(Set.of(THIRD))).isTrue();
    asked.remove().complete(Optional.of(Set.of(SELF, OTHER, THIRD)));
    assertThat(reckoned.with(Set.of(THIRD))).contains(OTHER);

    asked.remove().complete(Optional.of(Set.of(SELF, THIRD)));
    assertThat(reckoned.with(Set.of(THIRD))).containsExactly(THIRD);
    assertThat(reckoned.hasRemoved(Set.of(THIRD))).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  void aCoordinatorThatIsNotThereYetIsAskedAgain() {
    reckoned.with(Set.of(OTHER));
    reckoned.with(Set.of());
    asked.remove().complete(Optional.empty());

    assertThat(reckoned.with(Set.of())).containsExactly(OTHER);

    asked.remove().completeExceptionally(new IllegalStateException("No answer in time."));
    assertThat(reckoned.with(Set.of())).containsExactly(OTHER);
    assertThat(asked).hasSize(1);
  }

  @Test
  void oneQuestionIsOnItsWayAtATime() {
    reckoned.with(Set.of(OTHER));
    reckoned.with(Set.of());
    reckoned.with(Set.of());

    assertThat(asked).hasSize(1);
  }

  /** The question was about those that had been removed when it was asked. */
  @Test
  void whoIsRemovedWhileTheQuestionIsOnItsWayIsAskedForAnew() {
    reckoned.with(Set.of(OTHER, THIRD));
    reckoned.with(Set.of(THIRD));
    asked.remove().complete(Optional.of(Set.of(SELF)));

    assertThat(reckoned.with(Set.of())).containsExactly(THIRD);
    assertThat(asked).hasSize(1);
  }

  @Test
  void whoIsBackAsAMemberIsReckonedWithWhateverWasAnswered() {
    reckoned.with(Set.of(OTHER));
    reckoned.with(Set.of());
    asked.remove().complete(Optional.of(Set.of(SELF)));

    assertThat(reckoned.with(Set.of(OTHER))).containsExactly(OTHER);
  }

  @Test
  void theAnswersOfAllKindsOfEntitiesCountTogether() {
    var first = Reckoned.joined(Optional.of(Set.of()), Set.of(SELF, OTHER), SELF);
    var second = Reckoned.joined(first, Set.of(SELF, THIRD), SELF);

    assertThat(first).contains(Set.of(SELF, OTHER));
    assertThat(second).contains(Set.of(SELF, OTHER, THIRD));
  }

  /**
   * A region without a coordinator says that nobody has any: of who was removed that says nothing.
   */
  @Test
  void anAnswerThatLeavesItsOwnJvmOutIsNoneWhateverTheOthersSay() {
    var known = Optional.of(Set.of(SELF, OTHER));

    assertThat(Reckoned.joined(known, Set.of(), SELF)).isEmpty();
    assertThat(Reckoned.joined(known, Set.of(OTHER, THIRD), SELF)).isEmpty();
    assertThat(Reckoned.joined(Optional.empty(), Set.of(SELF, OTHER), SELF)).isEmpty();
  }
}
