package dev.sequitur.protocol.selection;

import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(Availability.UNKNOWN.presumedAvailable(A, NOW)).isTrue();
    assertThat(Availability.UNKNOWN.lives(A, NOW, THRESHOLD)).isFalse();
    assertThat(Availability.UNKNOWN.betterAlive(A_BEFORE_B, B, NOW, THRESHOLD)).isEmpty();
  }

  @Test
  void aSignOfLifeIsEvidenceForAsLongAsTheThreshold() {
    var heard = Availability.UNKNOWN.heard(A, NOW, Optional.empty());

    assertThat(heard.betterAlive(A_BEFORE_B, B, NOW.plus(THRESHOLD), THRESHOLD)).contains(A);
    assertThat(heard.betterAlive(A_BEFORE_B, B, NOW.plus(THRESHOLD).plusMillis(1), THRESHOLD))
        .isEmpty();
    assertThat(heard.betterAlive(A_BEFORE_B, A, NOW, THRESHOLD)).isEmpty();
  }

  @Test
  void aHandshakeThatTimesOutMakesANodeUnavailableForAWhileOrUntilItIsHeard() {
    var lost = Availability.UNKNOWN.heard(A, NOW, Optional.empty()).lost(A, NOW, THRESHOLD);

    assertThat(lost.presumedAvailable(A, NOW.plusMillis(1_999))).isFalse();
    assertThat(lost.lives(A, NOW, THRESHOLD)).isFalse();
    assertThat(lost.presumedAvailable(A, NOW.plus(THRESHOLD))).isTrue();
    assertThat(lost.heard(A, NOW, Optional.empty()).presumedAvailable(A, NOW)).isTrue();
    assertThat(lost.forgetUnavailable().presumedAvailable(A, NOW)).isTrue();
  }

  /** That is no evidence that it lives. */
  @Test
  void aNodeThatAnotherVouchesForIsWorthAnotherTry() {
    var lost = Availability.UNKNOWN.lost(A, NOW, THRESHOLD);

    var vouched = lost.vouched(A);

    assertThat(vouched.presumedAvailable(A, NOW)).isTrue();
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
