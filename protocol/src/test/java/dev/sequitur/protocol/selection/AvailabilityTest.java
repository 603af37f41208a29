package dev.sequitur.protocol.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node knows of the availability of others (AVL-1, AVL-2, AVL-4). */
final class AvailabilityTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final Duration THRESHOLD = Duration.ofSeconds(2);
  private static final NodeName A = new NodeName("a");
  private static final NodeName B = new NodeName("b");
  private static final Ranking A_BEFORE_B =
      new Ranking(
          new BlockRange(0),
          List.of(
              new Ranking.Ranked(new Identity("m", A), 1),
              new Ranking.Ranked(new Identity("m", B), 2)));

  @Test
  void withoutAnyEvidenceEverybodyMayBeAskedAndNobodyIsKnownToLive() {
    assertThat(Availability.UNKNOWN.presumedAvailable(A)).isTrue();
    assertThat(Availability.UNKNOWN.lives(A, NOW, THRESHOLD)).isFalse();
    assertThat(Availability.UNKNOWN.betterAlive(A_BEFORE_B, B, List.of(), NOW, THRESHOLD))
        .isEmpty();
  }

  @Test
  void aSignOfLifeIsEvidenceForAsLongAsTheThreshold() {
    var heard = Availability.UNKNOWN.heard(A, NOW, Optional.empty());

    assertThat(heard.betterAlive(A_BEFORE_B, B, List.of(), NOW.plus(THRESHOLD), THRESHOLD))
        .contains(A);
    assertThat(
            heard.betterAlive(
                A_BEFORE_B, B, List.of(), NOW.plus(THRESHOLD).plusMillis(1), THRESHOLD))
        .isEmpty();
    assertThat(heard.betterAlive(A_BEFORE_B, A, List.of(), NOW, THRESHOLD)).isEmpty();
  }

  @Test
  void aHandshakeThatTimesOutMakesANodeUnavailableForAWhileOrUntilItIsHeard() {
    var lost = Availability.UNKNOWN.heard(A, NOW, Optional.empty()).lost(A, NOW, THRESHOLD);

    assertThat(lost.presumedAvailable(A)).isFalse();
    assertThat(lost.lives(A, NOW, THRESHOLD)).isFalse();
    assertThat(lost.isDueAgain(A, NOW.plusMillis(1_999))).isFalse();
    assertThat(lost.isDueAgain(A, NOW.plus(THRESHOLD))).isTrue();
    assertThat(lost.presumedAvailable(A)).as("until it takes a delegation").isFalse();
    assertThat(lost.isKnownUnable(A)).as("another's word may be better").isFalse();
    assertThat(lost.heard(A, NOW, Optional.empty()).presumedAvailable(A)).isTrue();
    assertThat(lost.acts(A).presumedAvailable(A)).isTrue();
    assertThat(Availability.UNKNOWN.isDueAgain(A, NOW)).isFalse();
  }

  @Test
  void whoAnswersAndDoesNotActIsAskedLessAndLessOftenWhateverItSaysOfItself() {
    var again = new Backoff(THRESHOLD, THRESHOLD.multipliedBy(2));
    var once = Availability.UNKNOWN.unable(A, NOW, again);
    var twice = once.unable(A, NOW, again);

    assertThat(once.heard(A, NOW, Optional.empty()).presumedAvailable(A)).isFalse();
    assertThat(once.heard(A, NOW, Optional.empty()).lives(A, NOW, THRESHOLD)).isTrue();
    assertThat(once.isKnownUnable(A)).isTrue();
    assertThat(once.isDueAgain(A, NOW.plus(again.wait(1, A.hashCode())))).isTrue();
    assertThat(twice.isDueAgain(A, NOW.plus(again.wait(1, A.hashCode())))).isFalse();
    assertThat(twice.isDueAgain(A, NOW.plus(again.wait(2, A.hashCode())))).isTrue();
    assertThat(twice.acts(A)).isEqualTo(Availability.UNKNOWN);
  }

  @Test
  void whoIsAskedAgainIsNotAskedByAnotherCommandMeanwhile() {
    var lost = Availability.UNKNOWN.lost(A, NOW, THRESHOLD);
    var later = NOW.plus(THRESHOLD);

    var asked = lost.askedAgain(A, later.plus(THRESHOLD));

    assertThat(asked.isDueAgain(A, later)).isFalse();
    assertThat(asked.presumedAvailable(A)).isFalse();
  }

  @Test
  void whomSendersPassOverIsNoBetterOneThatLives() {
    var heard = Availability.UNKNOWN.heard(A, NOW, Optional.empty());

    assertThat(heard.betterAlive(A_BEFORE_B, B, List.of(A), NOW, THRESHOLD)).isEmpty();
  }

  /** That is no evidence that it lives. */
  @Test
  void aNodeThatAnotherVouchesForIsWorthAnotherTry() {
    var lost = Availability.UNKNOWN.lost(A, NOW, THRESHOLD);

    var vouched = lost.vouched(A);

    assertThat(vouched.presumedAvailable(A)).isTrue();
    assertThat(vouched.lives(A, NOW, THRESHOLD)).isFalse();
    assertThat(vouched.vouchedFor()).containsExactly(A);
    assertThat(vouched.heard(A, NOW, Optional.empty()).vouchedFor()).isEmpty();
  }

  @Test
  void aNodeIsPreferredToAnotherIfItHasAMemberBeforeAllOfIts() {
    var stranger = new NodeName("stranger");

    assertThat(A_BEFORE_B.prefers(A, B)).isTrue();
    assertThat(A_BEFORE_B.prefers(B, A)).isFalse();
    assertThat(A_BEFORE_B.prefers(A, stranger)).isTrue();
    assertThat(A_BEFORE_B.prefers(stranger, A)).isFalse();
    assertThat(A_BEFORE_B.prefers(stranger, new NodeName("another"))).isFalse();
  }
}
