package dev.sequitur.protocol.distribution;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.distribution.LedgerComparison.Page;
import dev.sequitur.protocol.distribution.MissingContents.Missing;
import dev.sequitur.protocol.distribution.StateStore.Correction;
import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Work;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ledger shows, read once more, beside what a store has applied (DST-9, DST-11). */
class LedgerComparisonTest {
  private final StateStore store =
      new StateStore(
          A,
          ADDRESS,
          state -> true,
          new StateStore.Members(List.of(B), true),
          SequencerSettings.DEFAULT);
  private StateStoreState state = StateStoreState.initial();

  /** On the ledger; the store is told of those that it is to be told of. */
  private final List<Input.BlockIndexed> ledger = new ArrayList<>();

  /** Makes, moves and spends, also within one block, and across any pages. */
  private void history() {
    block(1, ids(), ids("one", "two", "three"));
    block(2, ids("one"), ids("four"));
    block(3, ids("two", "five"), ids("five", "six"));
    block(5, ids("four"), ids("seven"));
    block(8, ids("six"), ids("eight"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void whatWasAppliedIsWhatTheLedgerShowsHoweverItIsRead(int blocks) {
    history();

    var compared = compared(8, blocks);

    assertThat(compared.differsSince(height(8))).isEmpty();
    assertThat(compared.awaited()).isEmpty();
    assertThat(surplus(compared, 8)).contains(0L);
  }

  /** What the ledger has and the store was never told of, and since when that shows. */
  @ParameterizedTest
  @ValueSource(longs = {2, 3, 5, 8})
  void aTransitionThatWasDroppedIsFoundWithItsBlock(long dropped) {
    historyBut(dropped);

    for (int blocks : List.of(1, 3, 8)) {
      assertThat(compared(8, blocks).differsSince(height(8))).contains(height(dropped));
    }
  }

  @Test
  void aDroppedBlockThatOnlyMakesIsFound() {
    historyBut(1);

    assertThat(compared(8, 8).differsSince(height(8))).contains(height(1));
  }

  @Test
  void aStoreThatHasReadOnIsNotTakenForDifferent() {
    history();
    var page = page(1, 5);
    var compared = LedgerComparison.beginning(true).with(page, holdings(page), Map.of());

    // Made by the second page's predecessor and spent by a block that is not compared yet.
    assertThat(compared.awaited()).containsOnlyKeys(ids("six").get(0));
    assertThat(compared.differsSince(height(5))).isEmpty();
    assertThat(compared.surplus(height(5), store.holding(state, List.of()))).isEmpty();

    var next = page(6, 8);
    var whole = compared.with(next, holdings(next), Map.of());
    assertThat(whole.differsSince(height(8))).isEmpty();
    assertThat(whole.awaited()).isEmpty();
  }

  @Test
  void theNewestBlocksAloneShowWhatIsSpentAndStillHeld() {
    historyBut(8);
    var page = page(6, 8);

    var compared = LedgerComparison.beginning(false).with(page, holdings(page), Map.of());

    assertThat(compared.held()).containsOnlyKeys(ids("six").get(0));
    assertThat(compared.differsSince(height(8))).contains(height(8));
    assertThat(compared.surplus(height(8), store.holding(state, List.of()))).isEmpty();
  }

  @Test
  void whatIsHeldAndNoBlockHasMadeIsCounted() {
    history();
    apply(new Input.BlockIndexed(height(9), ids(), ids("invented")));

    assertThat(surplus(compared(9, 8), 9)).contains(1L);
  }

  /** DST-11: the ledger was reorganised, and the block that made it is gone. */
  @Test
  void whatIsHeldAndNoBlockHasMadeWaitsForABlockAgain() {
    history();
    tell(
        new Input.Given(
            Contract.from(
                B,
                new StateDistribution(
                    new RequestId("given"),
                    ADDRESS,
                    List.of(
                        new StateDistribution.Item(
                            new TransactionId(new UUID(1, 1)), content("invented")))))));
    apply(new Input.BlockIndexed(height(9), ids(), ids("invented", "lacking")));
    var begun = LedgerComparison.beginning(true).holding(held());
    var page = page(1, 9);

    var compared = begun.with(page, holdings(page), Map.of());

    assertThat(compared.unmade()).containsExactlyInAnyOrderElementsOf(ids("invented", "lacking"));
    tell(
        new Input.Correct(
            new Correction(
                height(9), ids(), List.of(), List.of(), true, List.copyOf(compared.unmade()))));
    assertThat(held()).containsExactlyInAnyOrderElementsOf(ids("three", "seven", "eight"));
    assertThat(state.unconfirmed()).containsOnlyKeys(ids("invented").get(0));
    apply(new Input.BlockIndexed(height(10), ids(), ids("invented")));
    assertThat(state.confirmed()).containsKey(ids("invented").get(0));
    assertThat(state.contents()).containsKey(ids("invented").get(0));
    assertThat(store.stopped(state)).isEmpty();
  }

  /** DST-11. */
  @Test
  void whatOlderBlocksMayHaveMadeIsNotPutAside() {
    history();
    var page = page(2, 8);
    var now = store.holding(state, List.of());

    var late =
        LedgerComparison.beginning(false).holding(held()).with(page, holdings(page), Map.of());

    assertThat(late.unmade()).containsExactlyElementsOf(ids("three"));
    assertThat(late.unknown(height(8), now)).isZero();
    assertThat(late.isAll(height(8), now)).isFalse();
    assertThat(late.made().isAll(height(8), now))
        .as("what was spent and is older shows that the reading began too late")
        .isFalse();
    assertThat(late.made().unknown(height(8), now)).isGreaterThan(1);
    var whole = page(1, 8);
    var all =
        LedgerComparison.beginning(false)
            .holding(held())
            .made()
            .with(whole, holdings(whole), Map.of());
    assertThat(all.isAll(height(8), now)).isTrue();
    assertThat(all.unknown(height(8), now)).isZero();
  }

  private List<StateId> held() {
    return IntStream.range(0, StateStore.PARTS)
        .mapToObj(part -> store.holding(state, part))
        .flatMap(holding -> holding.unspent().stream())
        .toList();
  }

  @Test
  void anOutcomeThatIsLackingIsADifferenceOfItsBlock() {
    history();
    var page = page(1, 8);
    var lost = Map.of(new TransactionId(new UUID(1, 1)), height(5));

    var compared = LedgerComparison.beginning(true).with(page, holdings(page), lost);

    assertThat(compared.differsSince(height(8))).contains(height(5));
  }

  @Test
  void theFirstDifferenceIsRememberedAndStopsWhatIsDoneUponTheStates() {
    history();
    tell(new Input.Differs(height(5)));
    tell(new Input.Differs(height(3)));
    tell(new Input.Differs(height(7)));

    assertThat(state.differs()).contains(height(3));
    assertThat(store.stopped(state).orElseThrow())
        .contains("since block 3")
        .contains("sequitur compare-ledger " + ADDRESS + " --rebuild");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8})
  void whatADroppedTransitionHasLeftIsMadeWhatTheLedgerShows(long dropped) {
    historyBut(dropped);
    var compared = compared(8, 3);
    tell(new Input.Differs(height(dropped)));
    var correction =
        new Correction(
            height(8),
            List.copyOf(compared.held().keySet()),
            compared.lacking(height(8)),
            List.of(content("seven")),
            true,
            List.of());

    tell(new Input.Correct(correction));

    var again = compared(8, 8);
    assertThat(again.differsSince(height(8))).isEmpty();
    assertThat(surplus(again, 8)).contains(0L);
    assertThat(store.stopped(state)).isEmpty();
    // With its content, where that was kept; the rest is asked for as of the block that made it.
    assertThat(state.confirmed().containsKey(ids("seven").get(0))).isEqualTo(dropped == 5);
    correction.made().stream()
        .filter(made -> !made.state().equals(ids("seven").get(0)))
        .forEach(
            made -> assertThat(state.contentMissing()).containsEntry(made.state(), made.since()));
  }

  @Test
  void aStoreThatHasReadOnIsNotCorrectedAndAPartDoesNotLetItGoOn() {
    historyBut(5);
    tell(new Input.Differs(height(5)));
    var made = List.of(new Missing(height(5), ids("seven").get(0)));

    tell(new Input.Correct(new Correction(height(7), ids(), made, List.of(), true, ids())));
    assertThat(state.contentMissing()).doesNotContainKey(ids("seven").get(0));
    assertThat(state.differs()).isPresent();

    tell(new Input.Correct(new Correction(height(8), ids(), made, List.of(), false, ids())));
    assertThat(state.contentMissing()).containsKey(ids("seven").get(0));
    assertThat(state.differs()).isPresent();
  }

  @Test
  void whereListsAreShorterWhatIsPutBackIsAskedForThoughAllOfItsTimeWasSought() {
    history();
    state = store.evolve(state, new StateStoreEvent.ContentsSought(height(8)));

    tell(
        new Input.Correct(
            new Correction(
                height(8),
                ids(),
                List.of(new Missing(height(4), ids("back").get(0))),
                List.of(),
                true,
                ids())));

    assertThat(state.sought()).isEqualTo(height(3));
  }

  @Test
  void moreThanCanBeAwaitedIsNotLookedAtAndThatIsSaid() {
    var many = new ArrayList<StateId>();
    for (int i = 0; i <= LedgerComparison.MOST_AWAITED; i++) {
      many.add(new StateId(new Hash(i, 1, 2, 3)));
    }
    var page = Page.of(List.of(new Input.BlockIndexed(height(1), ids(), many)), height(1));

    var compared = LedgerComparison.beginning(true).with(page, List.of(), Map.of());

    assertThat(compared.awaited()).hasSize(LedgerComparison.MOST_AWAITED);
    assertThat(compared.skipped()).isTrue();
    assertThat(page.questions()).hasSize(201).allMatch(part -> part.size() <= 1_000);
  }

  /** Asked of each group with each page. */
  @Test
  void thatNothingIsLackingIsKnownWithoutLookingAtAllThatIsAwaited() {
    look(awaiting(50));

    long few = look(awaiting(50));
    assertThat(look(awaiting(50_000))).isLessThan(2 * few + 10_000);
  }

  private static long look(LedgerComparison compared) {
    return Work.of(
        () -> {
          assertThat(compared.differsSince(height(1)).isPresent()).isFalse();
          assertThat(compared.lacking(height(1)).size()).isZero();
        });
  }

  /** The store is further than what was read. */
  private static LedgerComparison awaiting(int number) {
    var many = new ArrayList<StateId>();
    for (int i = 0; i < number; i++) {
      many.add(new StateId(new Hash(i, 1, 2, 3)));
    }
    var page = Page.of(List.of(new Input.BlockIndexed(height(1), ids(), many)), height(1));
    var ahead = new LedgerComparison.Holding(height(9), Set.of(), 0);
    return LedgerComparison.beginning(true).with(page, List.of(ahead), Map.of());
  }

  /** Those of several pages, of which some are spent by the next. */
  @Test
  void howManyAreLackingFollowsWhatIsAwaited() {
    var first = Page.of(List.of(made(1, "one", "two", "three")), height(1));
    var second =
        Page.of(List.of(new Input.BlockIndexed(height(2), ids("one"), ids("four"))), height(2));
    var none = new LedgerComparison.Holding(height(3), Set.of(), 0);

    var compared =
        LedgerComparison.beginning(true)
            .with(first, List.of(none), Map.of())
            .with(second, List.of(), Map.of());

    assertThat(compared.lackingCount(height(1))).isZero();
    assertThat(compared.lackingCount(height(2))).isEqualTo(1);
    assertThat(compared.differsSince(height(2))).contains(height(2));
    assertThat(compared.lackingCount(height(3))).isEqualTo(3);
    assertThat(compared.differsSince(height(3))).contains(height(1));
    assertThat(compared.lacking(height(3))).hasSize(3);
  }

  private static Input.BlockIndexed made(long height, String... names) {
    return new Input.BlockIndexed(height(height), ids(), ids(names));
  }

  private LedgerComparison compared(long upTo, int blocks) {
    var compared = LedgerComparison.beginning(true);
    for (long from = 1; from <= upTo; from += blocks) {
      var page = page(from, Math.min(upTo, from + blocks - 1));
      compared = compared.with(page, holdings(page), Map.of());
    }
    return compared;
  }

  private Page page(long from, long to) {
    return Page.of(
        ledger.stream()
            .filter(block -> block.height().value() >= from && block.height().value() <= to)
            .toList(),
        height(to));
  }

  private List<LedgerComparison.Holding> holdings(Page page) {
    return page.questions().stream().map(ids -> store.holding(state, ids)).toList();
  }

  private Optional<Long> surplus(LedgerComparison compared, long upTo) {
    return compared.surplus(height(upTo), store.holding(state, List.of()));
  }

  private static BlockHeight height(long value) {
    return new BlockHeight(value);
  }

  private static PrivateState content(String name) {
    return Contract.state(name, A, B);
  }

  private static List<StateId> ids(String... names) {
    return Stream.of(names).map(name -> content(name).id()).toList();
  }

  private long dropped;

  private void historyBut(long drop) {
    dropped = drop;
    history();
  }

  private void block(long height, List<StateId> spent, List<StateId> created) {
    var block = new Input.BlockIndexed(height(height), spent, created);
    ledger.add(block);
    if (height != dropped) {
      apply(block);
    }
  }

  private void apply(Input.BlockIndexed block) {
    tell(block);
  }

  private void tell(Input input) {
    state = store.decide(state, input, Instant.EPOCH).state();
  }
}
