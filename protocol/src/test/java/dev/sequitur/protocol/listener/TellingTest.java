package dev.sequitur.protocol.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.TellingTable.TellingPhase;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.HeldBack.Row;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one subscription does next (CLR-2, CLR-3); rows are their numbers. */
final class TellingTest {
  private static final Duration PATIENCE = Duration.ofMillis(75);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration RETRY = Duration.ofMillis(200);
  private static final int BATCH = 3;
  private static final Throwable AWAY = new IllegalStateException("away");

  private final List<TellingEffect<Long>> effects = new ArrayList<>();
  private Host<TellingInput<Long>, TellingState<Long>, Void, TellingEffect<Long>> host =
      host(PATIENCE);
  private Instant now = Instant.EPOCH;

  private static Host<TellingInput<Long>, TellingState<Long>, Void, TellingEffect<Long>> host(
      Duration patience) {
    var machine =
        new Telling(BATCH, patience, POLL, new Backoff(RETRY, Duration.ofMinutes(1)))
            .<Long>machine();
    return new Host<>(machine, machine.initial());
  }

  @Test
  void nothingIsReadBeforeItHasStartedAndHasTheTurn() {
    tell(new TellingInput.Turn<>());
    assertThat(effects).isEmpty();
    tell(new TellingInput.Start<>());
    assertThat(effects).containsExactly(new TellingEffect.Look<>(Optional.empty(), BATCH));

    host = host(PATIENCE);
    effects.clear();
    tell(new TellingInput.Start<>());
    assertThat(effects).isEmpty();
    tell(new TellingInput.Turn<>());
    assertThat(effects).hasSize(1);
    tell(new TellingInput.Turn<>());
    tell(new TellingInput.Start<>());
    assertThat(effects).as("it has both").hasSize(1);
  }

  @Test
  void aBatchThatIsNotFullWaitsForMoreUntilItIsDue() {
    begin();
    came(10, 15, 12, 14);
    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.of(upTo(15)), 1));
    came(15, 15);
    assertThat(host.state().wake()).as("it looks again before").contains(now.plus(POLL));
    pass(POLL);
    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.of(upTo(15)), 1));
    came(15, 15);

    pass(PATIENCE.minus(POLL));

    assertThat(last()).isEqualTo(new TellingEffect.Deliver<>(1, List.of(12L, 14L)));
  }

  @Test
  void aFullBatchGoesAtOnceAndOneThatIsDueWithWhatIsBeingRead() {
    begin();
    came(10, 15, 12, 13, 14);
    assertThat(last()).isEqualTo(new TellingEffect.Deliver<>(1, List.of(12L, 13L, 14L)));
    tell(new TellingInput.Acknowledged<>());
    tell(new TellingInput.Stored<>());
    tell(new TellingInput.Offered<>(true));
    came(15, 16, 16);
    pass(PATIENCE);

    came(16, 17, 17);

    assertThat(last()).isEqualTo(new TellingEffect.Deliver<>(2, List.of(16L, 17L)));
  }

  @Test
  void whatIsDueGoesThoughNothingMoreCanBeRead() {
    begin();
    came(10, 15, 12);
    pass(PATIENCE);

    tell(new TellingInput.Failed<>(AWAY));

    assertThat(last()).isEqualTo(new TellingEffect.Deliver<>(1, List.of(12L)));
  }

  @Test
  void withoutPatienceABatchGoesAsItIs() {
    host = host(Duration.ZERO);
    begin();

    came(10, 15, 12);

    assertThat(last()).isEqualTo(new TellingEffect.Deliver<>(1, List.of(12L)));
  }

  @Test
  void itGoesOnOnlyOnceTheAcknowledgementIsStored() {
    begin();
    came(10, 20, 12, 13, 14);
    tell(new TellingInput.Acknowledged<>());
    assertThat(last()).isEqualTo(new TellingEffect.Store<>(upTo(20)));
    tell(new TellingInput.Acknowledged<>());
    tell(new TellingInput.Refused<>());
    assertThat(effects)
        .as("one too many says nothing")
        .endsWith(new TellingEffect.Store<>(upTo(20)));

    tell(new TellingInput.Stored<>());
    assertThat(last()).isEqualTo(new TellingEffect.Offer<>(false));
    tell(new TellingInput.Offered<>(true));

    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.of(upTo(20)), BATCH));
  }

  @Test
  void whatIsNotWantedIsStoredAsTakenAndNobodyLosesATurnByIt() {
    begin();

    came(10, 99);

    assertThat(last()).isEqualTo(new TellingEffect.Store<>(upTo(99)));
    tell(new TellingInput.Stored<>());
    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.of(upTo(99)), BATCH));
    came(99, 99);
    assertThat(last()).as("nothing is new").isInstanceOf(TellingEffect.Look.class);
    assertThat(host.state().phase()).isEqualTo(TellingPhase.WAITING);
  }

  @Test
  void whatIsHeldBackIsStoredWithWhatWasReadAndWhatIsSoNoMoreAlone() {
    begin();
    var held = new Taken(15, List.of(new Row(13, true)), List.of());
    tell(new TellingInput.Came<>(10, List.of(), held));
    assertThat(last()).isEqualTo(new TellingEffect.Store<>(held));
    tell(new TellingInput.Stored<>());

    tell(new TellingInput.Came<>(15, List.of(), new Taken(15, List.of(), List.of(13L))));

    assertThat(last()).isEqualTo(new TellingEffect.Store<>(new Taken(15, List.of(), List.of(13L))));
    tell(new TellingInput.Stored<>());
    tell(new TellingInput.Came<>(15, List.of(17L), new Taken(17, List.of(), List.of(11L))));
    assertThat(last())
        .as("what is gathered is held back no more")
        .isEqualTo(
            new TellingEffect.Look<>(Optional.of(new Taken(17, List.of(), List.of(11L))), 2));
  }

  @Test
  void whatIsRefusedComesAgainLessAndLessOftenUntilItIsTaken() {
    begin();
    came(10, 14, 12, 13, 14);
    for (long millis : new long[] {200, 400, 800, 1_600}) {
      tell(new TellingInput.Refused<>());
      pass(Duration.ofMillis(millis - 1));
      assertThat(host.state().phase()).isEqualTo(TellingPhase.REFUSED);
      pass(Duration.ofMillis(1));
      assertThat(last()).isEqualTo(new TellingEffect.Offer<>(false));
      tell(new TellingInput.Offered<>(true));
      assertThat(last()).isInstanceOf(TellingEffect.Deliver.class);
    }

    tell(new TellingInput.Acknowledged<>());
    tell(new TellingInput.Stored<>());
    tell(new TellingInput.Offered<>(true));
    came(14, 17, 15, 16, 17);
    tell(new TellingInput.Refused<>());

    assertThat(host.state().wake()).contains(now.plus(RETRY));
  }

  @Test
  void whereItsTurnIsOverItForgetsWhatItHasAndBeginsWhereTheListenerStandsThen() {
    begin();
    came(10, 14, 12, 13, 14);
    tell(new TellingInput.Acknowledged<>());
    tell(new TellingInput.Stored<>());
    tell(new TellingInput.Offered<>(false));
    assertThat(host.state().phase()).isEqualTo(TellingPhase.RESTING);

    tell(new TellingInput.Turn<>());

    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.empty(), BATCH));
    came(40, 43, 41, 42, 43);
    tell(new TellingInput.Refused<>());
    pass(RETRY);
    tell(new TellingInput.Offered<>(false));
    assertThat(host.state().gathered()).isEmpty();
    assertThat(host.state().wake()).isEmpty();
  }

  @Test
  void whatIsNotAnsweredForLongIsLeftToAnotherAndTheLateAnswerCountsForNothing() {
    begin();
    came(10, 14, 12, 13, 14);
    pass(Telling.LONGEST_TURN);
    assertThat(last()).isEqualTo(new TellingEffect.Offer<>(true));
    tell(new TellingInput.Offered<>(true));
    assertThat(host.state().phase()).as("there is nobody else").isEqualTo(TellingPhase.DELIVERING);
    pass(Telling.LONGEST_TURN);
    tell(new TellingInput.Offered<>(false));

    tell(new TellingInput.Acknowledged<>());
    assertThat(last()).isEqualTo(new TellingEffect.AnsweredLate<>());
    tell(new TellingInput.Refused<>());

    assertThat(effects).filteredOn(TellingEffect.Store.class::isInstance).isEmpty();
    assertThat(host.state().phase()).isEqualTo(TellingPhase.RESTING);
  }

  @Test
  void whatFailsIsTriedAgainLaterAndTheOperatorIsTold() {
    begin();
    tell(new TellingInput.Failed<>(AWAY));
    assertThat(last()).isEqualTo(new TellingEffect.Warn<>(AWAY, RETRY));
    pass(RETRY);
    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.empty(), BATCH));
    came(10, 14, 12, 13, 14);
    tell(new TellingInput.Acknowledged<>());
    tell(new TellingInput.Failed<>(AWAY));
    assertThat(host.state().wake()).contains(now.plus(RETRY));
    pass(RETRY);
    assertThat(last()).isEqualTo(new TellingEffect.Store<>(upTo(14)));
    tell(new TellingInput.Failed<>(AWAY));

    assertThat(last()).isEqualTo(new TellingEffect.Warn<>(AWAY, RETRY.multipliedBy(2)));
  }

  @Test
  void whatWasGatheredIsReadAgainAfterAStop() {
    begin();
    came(10, 15, 12);
    tell(new TellingInput.Stopped<>(15));
    pass(POLL);

    assertThat(last()).isEqualTo(new TellingEffect.Look<>(Optional.of(upTo(10)), BATCH));
    assertThat(host.state().wake()).as("no batch is due").isEmpty();
  }

  @Test
  void whatIsImpossibleIsADefect() {
    assertThatThrownBy(() -> tell(new TellingInput.Offered<>(true)))
        .hasMessageContaining("nobody was asked");
  }

  private static Set<TellingPhase> living() {
    return EnumSet.complementOf(EnumSet.of(TellingPhase.ENDED));
  }

  @ParameterizedTest
  @MethodSource("living")
  void whereverItIsNothingFollowsOnceTheListenerIsGone(TellingPhase phase) {
    comeTo(phase);

    tell(new TellingInput.Gone<>());

    assertThat(last()).isEqualTo(new TellingEffect.TellGone<>());
    assertThat(effects).hasSize(1);
    assertNothingFollows();
  }

  @ParameterizedTest
  @MethodSource("living")
  void whereverItIsNothingFollowsOnceItsCallerIsGone(TellingPhase phase) {
    comeTo(phase);

    tell(new TellingInput.End<>());

    assertThat(effects).isEmpty();
    assertNothingFollows();
  }

  private void assertNothingFollows() {
    assertThat(host.state().hasEnded()).isTrue();
    assertThat(host.state().wake()).isEmpty();
    effects.clear();
    came(10, 14, 12);
    tell(new TellingInput.Stopped<>(10));
    tell(new TellingInput.Stored<>());
    tell(new TellingInput.Failed<>(AWAY));
    tell(new TellingInput.Acknowledged<>());
    tell(new TellingInput.Turn<>());
    tell(new TellingInput.Gone<>());
    tell(new TellingInput.End<>());
    pass(Telling.LONGEST_TURN);
    assertThat(effects).isEmpty();
  }

  private void comeTo(TellingPhase phase) {
    switch (phase) {
      case UNSTARTED, ENDED -> {}
      case UNSTARTED_WITH_TURN -> tell(new TellingInput.Turn<>());
      case RESTING -> tell(new TellingInput.Start<>());
      case LOOKING -> begin();
      case WAITING -> {
        begin();
        came(10, 10);
      }
      case DELIVERING -> {
        begin();
        came(10, 14, 12, 13, 14);
      }
      case OVERDUE -> {
        comeTo(TellingPhase.DELIVERING);
        pass(Telling.LONGEST_TURN);
      }
      case REFUSED -> {
        comeTo(TellingPhase.DELIVERING);
        tell(new TellingInput.Refused<>());
      }
      case RETRYING -> {
        comeTo(TellingPhase.REFUSED);
        pass(RETRY);
      }
      case STORING -> {
        comeTo(TellingPhase.DELIVERING);
        tell(new TellingInput.Acknowledged<>());
      }
      case UNSTORED -> {
        comeTo(TellingPhase.STORING);
        tell(new TellingInput.Failed<>(AWAY));
      }
      case STORED -> {
        comeTo(TellingPhase.STORING);
        tell(new TellingInput.Stored<>());
      }
    }
    assertThat(host.state().phase()).isEqualTo(phase);
    effects.clear();
  }

  private void begin() {
    tell(new TellingInput.Start<>());
    tell(new TellingInput.Turn<>());
  }

  private void came(long from, long upTo, long... rows) {
    tell(new TellingInput.Came<>(from, LongStream.of(rows).boxed().toList(), upTo(upTo)));
  }

  private void pass(Duration time) {
    now = now.plus(time);
    tell(new TellingInput.Tick<>());
  }

  private void tell(TellingInput<Long> input) {
    effects.addAll(host.fold(List.of(input), now).effects());
  }

  private TellingEffect<Long> last() {
    return effects.getLast();
  }

  private static Taken upTo(long sequence) {
    return Taken.upTo(sequence);
  }
}
