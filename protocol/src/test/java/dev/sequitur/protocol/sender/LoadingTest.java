package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A sender that begins reads what is open by pages, and nothing overtakes what is older. */
class LoadingTest {
  /** Two submitter intervals. */
  private static final Duration GRACE =
      SenderOfA.SETTINGS.heartbeats().submitterInterval().multipliedBy(2);

  private static final PrivateTransaction FIRST = Contract.transaction(A, 1);
  private static final PrivateTransaction SECOND = Contract.transaction(A, 2);
  private static final PrivateTransaction THIRD = Contract.transaction(A, 3);
  private static final PrivateTransaction NEW = Contract.transaction(A, 4);

  private final SenderOfA sender = SenderOfA.beginning();

  @Test
  void nothingIsDelegatedBeforeThatIsRead() {
    sender.accept(NEW);
    sender.tickAfter(Duration.ofMinutes(1));
    assertThat(sender.delegatedTo()).as("before the first page").isEmpty();

    page(2L, FIRST, SECOND);
    assertThat(sender.last().effects()).containsExactly(new SenderEffect.LoadPending(2));
    sender.tickAfter(Duration.ofMinutes(1));
    assertThat(sender.delegatedTo()).as("between two pages").isEmpty();

    lastPage(THIRD);
    sender.tickAfter(Duration.ofMinutes(1));
    assertThat(sender.command().transactions()).contains(FIRST.id(), SECOND.id(), THIRD.id());
  }

  @Test
  void whatIsHandedOverMeanwhileComesAfterAllThatIsOlder() {
    // It is on a page that is not read yet, and is handed over once more.
    sender.accept(SECOND);
    page(1L, FIRST);
    sender.accept(NEW);
    assertThat(sender.state().isIdle()).isFalse();

    lastPage(SECOND, THIRD);

    assertThat(inOrder()).containsExactly(FIRST, SECOND, THIRD, NEW);
    assertThat(sender.delegatedTo()).as("submitters may hold the first").isEmpty();
    sender.tickAfter(GRACE.minusNanos(1));
    assertThat(sender.delegatedTo()).as("a moment before the end").isEmpty();
    sender.tickAfter(Duration.ofNanos(1));
    assertThat(sender.command().transactions())
        .containsExactly(FIRST.id(), SECOND.id(), THIRD.id(), NEW.id());
  }

  @Test
  void whatComesRightAfterThatDoesNotOvertakeWhatIsOlderEither() {
    lastPage(FIRST);
    sender.accept(NEW);
    assertThat(sender.delegatedTo()).isEmpty();

    sender.tickAfter(GRACE);

    assertThat(sender.command().transactions()).containsExactly(FIRST.id(), NEW.id());
  }

  /** It was stored just before its page was read. */
  @Test
  void whatIsNewItselfHoldsNothingBack() {
    sender.accept(SECOND);
    lastPage(FIRST, SECOND);
    assertThat(sender.delegatedTo()).isEmpty();

    sender.accept(FIRST);

    assertThat(sender.command().transactions()).containsExactly(FIRST.id(), SECOND.id());
  }

  @Test
  void itIsReadOnIfMoreIsHandedOverThanItKeeps() {
    page(1L, FIRST);
    var many = transactions(Loading.MOST_HANDED + 2);
    sender.accept(Arrays.copyOf(many, Loading.MOST_HANDED - 1));
    // One of these has room; what comes later has none either, since it would overtake the rest.
    sender.accept(Arrays.copyOfRange(many, Loading.MOST_HANDED - 1, Loading.MOST_HANDED + 1));
    sender.accept(many[Loading.MOST_HANDED + 1]);

    lastPage(SECOND);
    assertThat(sender.last().effects()).contains(new SenderEffect.LoadPending(1));
    assertThat(sender.delegatedTo()).isEmpty();
    lastPage(Arrays.copyOfRange(many, Loading.MOST_HANDED, Loading.MOST_HANDED + 2));

    assertThat(sender.effects(SenderEffect.LoadPending.class)).isEmpty();
    assertThat(inOrder()).startsWith(FIRST, SECOND).endsWith(many);
  }

  @Test
  void whatIsInDoubtIsReadBeforeMoreIsTaken() {
    lastPage();
    sender.tell(new SenderInput.Reload());
    assertThat(sender.last().effects()).containsExactly(new SenderEffect.LoadPending(0));
    sender.accept(NEW);

    lastPage(FIRST);

    assertThat(inOrder()).containsExactly(FIRST, NEW);
  }

  /** The life before had it from its page, and has ended it (HND-1). */
  @Test
  void whatIsHandedOverAgainAndIsNotKnownIsReadAndNotTaken() {
    lastPage(FIRST);

    sender.tell(again(FIRST, SECOND));
    assertThat(sender.last().effects()).containsExactly(new SenderEffect.LoadPending(0));
    lastPage(FIRST, THIRD);

    assertThat(inOrder()).containsExactly(FIRST, THIRD);
  }

  @Test
  void whatIsHandedOverAgainWhileItIsReadIsReadAfterThat() {
    sender.tell(again(FIRST));
    assertThat(sender.last().effects()).isEmpty();

    lastPage();
    assertThat(sender.last().effects()).containsExactly(new SenderEffect.LoadPending(0));
    lastPage(FIRST);

    assertThat(inOrder()).containsExactly(FIRST);
  }

  @Test
  void whatIsHandedOverAgainAndIsKnownIsNotReadAnew() {
    lastPage(FIRST);
    sender.accept(NEW);

    sender.tell(again(FIRST, NEW));

    assertThat(sender.effects(SenderEffect.LoadPending.class)).isEmpty();
    assertThat(inOrder()).containsExactly(FIRST, NEW);
  }

  private static SenderInput.IntentsAccepted again(PrivateTransaction... transactions) {
    return new SenderInput.IntentsAccepted(List.of(transactions), true);
  }

  /** It may have been stored behind the page that is on its way. */
  @Test
  void whatComesIntoDoubtWhileItIsReadIsReadAfterThat() {
    page(7L, FIRST);
    sender.tell(new SenderInput.Reload());
    assertThat(sender.last().effects()).isEmpty();

    lastPage();
    assertThat(sender.last().effects()).containsExactly(new SenderEffect.LoadPending(7));
    lastPage(SECOND);

    assertThat(sender.last().effects()).isEmpty();
    assertThat(inOrder()).containsExactly(FIRST, SECOND);
  }

  /** One in a JVM that was left out has ended it, and its receipt is stored. */
  @Test
  void whatAnotherLifeHasEndedIsRememberedNoMoreOnceAllIsRead() {
    var again =
        SenderOfA.beginningAfter(
            new SenderEvent.Parked(FIRST.id(), sender.now().plusSeconds(9), "It waits."));
    assertThat(again.state().remembered()).containsOnlyKeys(FIRST.id());

    again.tell(new SenderInput.PendingLoaded(List.of(SECOND), Map.of(), Map.of(), Optional.of(2L)));
    assertThat(again.state().remembered()).as("it may be on the next page").isNotEmpty();
    again.tell(new SenderInput.PendingLoaded(List.of(), Map.of(), Map.of(), Optional.empty()));

    assertThat(again.last().events()).containsExactly(new SenderEvent.Ended(FIRST.id()));
    assertThat(again.state().remembered()).isEmpty();
  }

  /** Its time lies a year ahead in the store, and would have no age until then. */
  @Test
  void whatAClockThatWasAheadHasDatedAgesFromNowOn() {
    var accepted = Map.of(FIRST.id(), sender.now().plus(Duration.ofDays(365)));
    sender.tell(
        new SenderInput.PendingLoaded(List.of(FIRST), accepted, Map.of(), Optional.empty()));
    sender.tickAfter(Duration.ofMinutes(20));

    assertThat(sender.state().transactions().get(FIRST.id()).age(sender.now()))
        .isEqualTo(Duration.ofMinutes(20));
  }

  private void page(long next, PrivateTransaction... transactions) {
    sender.tell(
        new SenderInput.PendingLoaded(
            List.of(transactions), Map.of(), Map.of(), Optional.of(next)));
  }

  private void lastPage(PrivateTransaction... transactions) {
    sender.tell(
        new SenderInput.PendingLoaded(List.of(transactions), Map.of(), Map.of(), Optional.empty()));
  }

  private List<PrivateTransaction> inOrder() {
    return sender.state().transactions().values().stream()
        .sorted(Comparator.comparing(SenderTransaction::order))
        .map(SenderTransaction::transaction)
        .toList();
  }

  private static PrivateTransaction[] transactions(int count) {
    return LongStream.range(100, 100 + count)
        .mapToObj(number -> Contract.transaction(A, number))
        .toArray(PrivateTransaction[]::new);
  }
}
