package dev.sequitur.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PatientMovesTest {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final List<String> MISPLACED = List.of("1", "2", "3");
  private static final Set<String> ALL = Set.copyOf(MISPLACED);
  private static final int MANY = 8;

  private final PatientMoves moves = new PatientMoves(LONGEST);

  private Set<String> look(List<String> misplaced, long range, Duration at, Set<String> occupied) {
    return moves.look(misplaced, range, at.toNanos()).moves(occupied, MANY);
  }

  @Test
  void whatHasNoEntitiesInMemoryMovesAtOnce() {
    assertThat(look(MISPLACED, 7, Duration.ZERO, Set.of("1", "3"))).containsExactly("2");
  }

  @Test
  void whatIsInMemoryStays() {
    assertThat(look(MISPLACED, 7, Duration.ZERO, ALL)).isEmpty();
    assertThat(look(MISPLACED, 7, LONGEST.minusNanos(1), ALL)).isEmpty();
  }

  @Test
  void whereARangeEndsAllMove() {
    assertThat(look(MISPLACED, 7, Duration.ZERO, ALL)).isEmpty();

    assertThat(look(MISPLACED, 8, Duration.ZERO, ALL)).containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void aRangeThatEndedBeforeAnythingWasMisplacedIsNoReason() {
    look(List.of(), 7, Duration.ZERO, Set.of());
    look(List.of(), 8, Duration.ZERO, Set.of());

    assertThat(look(MISPLACED, 8, Duration.ZERO, ALL)).isEmpty();
  }

  @Test
  void theFirstLookOfALifeIsNoBorder() {
    assertThat(look(MISPLACED, 8, Duration.ZERO, ALL)).isEmpty();
  }

  @Test
  void whoHasWaitedTheLongestTimeMovesInTheMiddleOfARange() {
    look(List.of("1"), 7, Duration.ZERO, ALL);
    look(MISPLACED, 7, Duration.ofSeconds(30), ALL);

    assertThat(look(MISPLACED, 7, LONGEST, ALL)).containsExactly("1");
  }

  @Test
  void aShardThatWasInItsPlaceMeanwhileWaitsAnew() {
    look(List.of("1"), 7, Duration.ZERO, ALL);
    look(List.of(), 7, Duration.ofSeconds(30), ALL);
    look(List.of("1"), 7, Duration.ofSeconds(50), ALL);

    assertThat(look(List.of("1"), 7, LONGEST, ALL)).isEmpty();
  }

  @Test
  void inTheMiddleOfARangeNoMoreMoveThanMay() {
    assertThat(moves.look(MISPLACED, 7, 0).moves(Set.of(), 2)).containsExactlyInAnyOrder("1", "2");
    assertThat(moves.look(MISPLACED, 7, 0).moves(Set.of(), -1)).isEmpty();
  }
}
