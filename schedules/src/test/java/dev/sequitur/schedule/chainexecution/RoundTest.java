package dev.sequitur.schedule.chainexecution;

import static dev.sequitur.schedule.chainexecution.Executions.BACKOFF;
import static dev.sequitur.schedule.chainexecution.Executions.BUMP_AFTER;
import static dev.sequitur.schedule.chainexecution.Executions.CHAIN;
import static dev.sequitur.schedule.chainexecution.Executions.NEWEST;
import static dev.sequitur.schedule.chainexecution.Executions.NOW;
import static dev.sequitur.schedule.chainexecution.Executions.SERVED;
import static dev.sequitur.schedule.chainexecution.Executions.SETTINGS;
import static dev.sequitur.schedule.chainexecution.Executions.TRIES;
import static dev.sequitur.schedule.chainexecution.Executions.WINDOW;
import static dev.sequitur.schedule.chainexecution.Executions.dispatch;
import static dev.sequitur.schedule.chainexecution.Executions.gas;
import static dev.sequitur.schedule.chainexecution.Executions.id;
import static dev.sequitur.schedule.chainexecution.Executions.known;
import static dev.sequitur.schedule.chainexecution.Executions.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landing;
import dev.sequitur.schedule.chainexecution.ChainLook.Account;
import dev.sequitur.schedule.chainexecution.ChainLook.Receipt;
import dev.sequitur.schedule.chainexecution.PlanChain.Pooling;
import dev.sequitur.schedule.chainexecution.PlanChain.Sent;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
import dev.sequitur.schedule.chainexecution.Round.Decided;
import dev.sequitur.schedule.chainexecution.ToDo.Known;
import dev.sequitur.schedule.chainexecution.ToDo.Waiting;
import dev.sequitur.schedule.plan.PlanExecutionState;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What one look at the chain comes to (PRV-3, 5, 7, 8, 9, 10). */
class RoundTest {
  private static final Fees CHEAP = new Fees(2, 2);
  private static final Hash HASH = new Hash(0, 0, 0, 1);

  private final List<Waiting> waiting = new ArrayList<>();
  private final List<ProviderDispatch> dispatches = new ArrayList<>();
  private final Map<Long, Sent> refused = new HashMap<>();
  private final Map<ScheduleId, PlanExecutionState> states = new HashMap<>();
  private final Map<Long, Receipt> receipts = new HashMap<>();
  private Account account = new Account(0, BigInteger.TEN.pow(18));
  private long usedBefore;
  private long baseFee;
  private long blockGas = 30_000_000;
  private Optional<Reading> reading = Optional.empty();
  private Optional<Point> read = Optional.of(NEWEST);

  private Decided decide() {
    var view =
        new ChainLook(NEWEST, 1, baseFee, blockGas, false, account, reading, states, receipts);
    return new Round(
            SETTINGS, CHAIN, inQueue(), view, new BlockTiming(NOW, 0, 1), refused, usedBefore)
        .decide();
  }

  private Known inQueue() {
    var all = known(waiting, dispatches);
    return new Known(
        all.service(), all.contract(), read, all.settled(), false, "", waiting, dispatches);
  }

  /** Due, and scheduled at the contract. */
  private void due(int number) {
    waits(waiting(number, NOW));
  }

  private void waits(Waiting execution) {
    waiting.add(execution);
    states.put(execution.id(), PlanExecutionState.SCHEDULED);
  }

  private void said(long nonce, Pooling pooling) {
    refused.put(nonce, new Sent(nonce, pooling, "the node's words"));
  }

  // What a receipt means (PRV-9)

  @Test
  void whatNoBlockHasUsedTheNonceOfWaits() {
    dispatches.add(dispatch(0, 1));

    var decided = decide();

    assertThat(decided.waiting()).containsExactly(dispatch(0, 1));
    assertThat(decided.advance().landings()).isEmpty();
    assertThat(decided.changes(inQueue())).isFalse();
  }

  /** All but one word of the node: that it never takes it. */
  @ParameterizedTest
  @EnumSource(value = Pooling.class, mode = Mode.EXCLUDE, names = "INVALID")
  void whatTheNodeDidNotTakeForAReasonThatMayPassWaits(Pooling pooling) {
    due(1);
    dispatches.add(dispatch(0, 1));
    said(0, pooling);

    var advance = decide().advance();

    assertThat(advance.landings()).isEmpty();
    assertThat(advance.failures()).isEmpty();
  }

  @Test
  void whatTheNodeNeverTakesHasFailedAndItsNonceIsFree() {
    due(1);
    dispatches.add(dispatch(0, 1));
    said(0, Pooling.INVALID);

    var advance = decide().advance();

    assertThat(advance.landings()).containsExactly(new Landing(0, Optional.empty()));
    assertThat(advance.failures().get(id(1)).why())
        .isEqualTo("The chain's node does not take it: the node's words.");
  }

  @Test
  void whatTheNodeSaysOfAnotherNonceIsNotItsConcern() {
    due(1);
    dispatches.add(dispatch(0, 1));
    said(1, Pooling.INVALID);

    assertThat(decide().advance().landings()).isEmpty();
  }

  /** A node that makes a block counts what is in it, and shows nothing else of it. */
  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void withoutAReceiptItsNonceIsLostOnlyIfAnOlderBlockHadItUsed(long before, boolean waits) {
    dispatches.add(dispatch(0, 1));
    account = new Account(1, account.balance());
    usedBefore = before;

    var decided = decide();

    assertThat(decided.waiting()).hasSize(waits ? 1 : 0);
    assertThat(decided.advance().landings())
        .isEqualTo(waits ? List.of() : List.of(new Landing(0, Optional.empty())));
    assertThat(decided.advance().failures()).isEmpty();
  }

  /** Anybody may execute: a transaction that was refused is in vain only if it still waits. */
  @ParameterizedTest
  @EnumSource(PlanExecutionState.class)
  void whatTheContractRefusedIsInVainOnlyWhileTheExecutionIsScheduled(PlanExecutionState state) {
    due(1);
    states.put(id(1), state);
    dispatches.add(dispatch(0, 1));
    landed(Optional.of("Pausable: paused"));

    var advance = decide().advance();

    assertThat(advance.landings()).containsExactly(new Landing(0, Optional.of(48L)));
    assertThat(advance.failures().keySet())
        .isEqualTo(
            state == PlanExecutionState.SCHEDULED ? Map.of(id(1), "").keySet() : Map.of().keySet());
  }

  @Test
  void whatTheContractTookIsNotInVain() {
    due(1);
    dispatches.add(dispatch(0, 1));
    landed(Optional.empty());

    assertThat(decide().advance().failures()).isEmpty();
  }

  private void landed(Optional<String> failure) {
    account = new Account(1, account.balance());
    usedBefore = 1;
    receipts.put(0L, new Receipt(HASH, 48, failure));
  }

  @Test
  void whatIsInABlockAlreadyLandsOnce() {
    dispatches.add(dispatch(0, 1).landedIn(48));
    landed(Optional.empty());

    var decided = decide();

    assertThat(decided.advance().landings()).isEmpty();
    assertThat(decided.waiting()).isEmpty();
  }

  /** A reorganisation. */
  @Test
  void whatLandedInABlockThatIsGoneWaitsAgain() {
    dispatches.add(dispatch(0, 1).landedIn(48));

    assertThat(decide().waiting()).hasSize(1);
  }

  // Again (PRV-10)

  @ParameterizedTest
  @CsvSource({"0, 8", "1, 16"})
  void itIsTriedAgainAfterABackOffThatGrowsWithItsOwnFailures(int before, long wait) {
    waits(waiting(2, NOW, new Failure(TRIES, "Another's.", ChainPlan.MOST)));
    waits(waiting(1, NOW, new Failure(before, "Before.", NOW)));
    dispatches.add(dispatch(0, 1));
    said(0, Pooling.INVALID);

    var failure = decide().advance().failures().get(id(1));

    assertThat(BACKOFF.wait(before + 1, 0)).hasSeconds(wait);
    assertThat(failure.count()).isEqualTo(before + 1);
    assertThat(failure.notBefore()).isEqualTo(NOW + wait);
    assertThat(failure.isLast()).isFalse();
  }

  @Test
  void afterTheLastTryItIsNotTriedAgain() {
    waits(waiting(1, NOW, new Failure(TRIES - 1, "Before.", NOW)));
    dispatches.add(dispatch(0, 1));
    said(0, Pooling.INVALID);

    var failure = decide().advance().failures().get(id(1));

    assertThat(failure.count()).isEqualTo(TRIES);
    assertThat(failure.isLast()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void whatFailedIsSentFromTheBlockOnForWhichItWasPutOff(long later, boolean sent) {
    waits(waiting(1, NOW, new Failure(1, "Before.", NOW + later)));

    assertThat(decide().advance().dispatches()).hasSize(sent ? 1 : 0);
  }

  // What is sent (PRV-5)

  @Test
  void whatIsDueGoesOutUnderTheFirstFreeNonceWithAllThatItSays() {
    account = new Account(7, account.balance());
    due(1);

    var decided = decide();

    assertThat(decided.advance().dispatches()).containsExactly(dispatch(7, 1));
    assertThat(decided.waiting()).containsExactly(dispatch(7, 1));
  }

  @Test
  void whoseWindowEndsFirstGoesFirst() {
    waits(waiting(1, NOW));
    waits(waiting(2, NOW - 50));
    waits(waiting(3, NOW - 20));

    assertThat(decide().advance().dispatches())
        .extracting(ProviderDispatch::execution)
        .containsExactly(id(2), id(3));
  }

  @Test
  void whatIsOutIsNotSentAgain() {
    due(1);
    dispatches.add(dispatch(0, 1));

    assertThat(decide().advance().dispatches()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = PlanExecutionState.class, mode = Mode.EXCLUDE, names = "SCHEDULED")
  void whatIsNotScheduledAtTheContractIsNotSent(PlanExecutionState state) {
    due(1);
    states.put(id(1), state);

    assertThat(decide().advance().dispatches()).isEmpty();
  }

  @Test
  void theMoneyMustPayForAllThatIsOutAndForTheNext() {
    due(1);
    due(2);
    dispatches.add(dispatch(0, 1));
    var both = BigInteger.valueOf(2 * gas() * CHEAP.max());

    account = new Account(0, both);
    assertThat(decide().advance().dispatches())
        .extracting(ProviderDispatch::nonce)
        .containsExactly(1L);
    account = new Account(0, both.subtract(BigInteger.ONE));
    var advance = decide().advance();

    assertThat(advance.dispatches()).isEmpty();
    assertThat(advance.trouble()).contains("too little money for gas");
  }

  @ParameterizedTest
  @CsvSource({"0, true", "1, false"})
  void whatUsesUpABlockIsSentAndWhatNeedsMoreIsNot(long more, boolean sent) {
    due(1);
    blockGas = gas() - more;

    var advance = decide().advance();

    assertThat(advance.dispatches()).hasSize(sent ? 1 : 0);
    if (!sent) {
      assertThat(advance.failures().get(id(1)).isLast()).isTrue();
      assertThat(advance.failures().get(id(1)).count()).isZero();
    }
  }

  @Test
  void whatNeedsMoreThanABlockIsSaidOnce() {
    waits(waiting(1, NOW, new Failure(0, "Said.", ChainPlan.MOST)));
    blockGas = 1;

    assertThat(decide().changes(inQueue())).isFalse();
  }

  /** What has a higher nonce would wait for ever. */
  @Test
  void aNonceThatIsMissingGoesToTheLastOfThoseThatWait() {
    dispatches.add(dispatch(0, 1));
    dispatches.add(dispatch(2, 2));

    var decided = decide();

    assertThat(decided.advance().dispatches()).containsExactly(dispatch(1, 2));
    assertThat(decided.waiting()).extracting(ProviderDispatch::nonce).containsExactly(0L, 1L, 2L);
  }

  // Price (PRV-7)

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "1, true"})
  void whatSomeBlocksHavePassedWithoutIsOfferedMoreFor(int more, boolean bumped) {
    var old = dispatch(0, 1, CHEAP, NEWEST.number() - BUMP_AFTER - more);
    dispatches.add(old);

    var changed = decide().advance().dispatches();

    if (bumped) {
      var fees = new Fees(3, 3);
      assertThat(changed)
          .containsExactly(
              old.offering(
                  new ProviderDispatch.Offer(fees, CHAIN.hash(0, id(1), gas(), fees)),
                  NEWEST.number()));
    } else {
      assertThat(changed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Pooling.class)
  void whatTheNodeCallsUnderpricedIsOfferedMoreForAtOnceAndNothingElse(Pooling pooling) {
    dispatches.add(dispatch(0, 1));
    said(0, pooling);

    boolean bumped =
        decide().advance().dispatches().stream().anyMatch(each -> each.offers().size() == 2);
    assertThat(bumped).isEqualTo(pooling == Pooling.UNDERPRICED);
  }

  /** So that a price that rises and rises has an end. */
  @ParameterizedTest
  @CsvSource({"9, true", "10, false"})
  void thereIsAnEndOfOffers(int offers, boolean another) {
    var dear = dispatch(0, 1);
    for (int i = 1; i < offers; i++) {
      dear = dear.offering(dear.newest(), NEWEST.number());
    }
    dispatches.add(dear);
    said(0, Pooling.UNDERPRICED);

    assertThat(decide().advance().dispatches()).hasSize(another ? 1 : 0);
  }

  // Reading (PRV-8)

  private static Reading reading(Point to, Reading.Logged... logs) {
    return new Reading(Optional.empty(), List.of(logs), to, Optional.empty(), Map.of());
  }

  @Test
  void theContractsStateMakesGoodWhatItsLogsDoNotSay() {
    due(1);
    due(2);
    states.put(id(1), PlanExecutionState.EXECUTION_SUCCESSFUL);
    states.put(id(2), PlanExecutionState.CANCELLED);
    var logged = new Seen(49, id(2), new End.Cancelled());
    reading = Optional.of(reading(NEWEST, logged));

    assertThat(decide().advance().reading().orElseThrow().logs())
        .containsExactly(
            logged, new Seen(NEWEST.number(), id(1), new End.Executed(Optional.empty())));
  }

  @Test
  void theStateSaysNothingBeforeTheLogsAreReadToTheNewestBlock() {
    due(1);
    states.put(id(1), PlanExecutionState.CANCELLED);
    var behind = reading(new Point(49, HASH, NOW - 1));
    reading = Optional.of(behind);

    assertThat(decide().advance().reading()).contains(behind);
  }

  @Test
  void whichStatesAreEnds() {
    var ends = new HashMap<PlanExecutionState, Optional<End>>();
    for (var state : PlanExecutionState.values()) {
      waiting.clear();
      due(1);
      states.put(id(1), state);
      reading = Optional.of(reading(NEWEST));
      var logs = decide().advance().reading().orElseThrow().logs();
      ends.put(state, logs.stream().map(log -> ((Seen) log).end()).findAny());
    }

    assertThat(ends)
        .containsOnly(
            Map.entry(PlanExecutionState.NONEXISTENT, Optional.empty()),
            Map.entry(PlanExecutionState.SCHEDULED, Optional.empty()),
            Map.entry(PlanExecutionState.OVERDUE, Optional.empty()),
            Map.entry(
                PlanExecutionState.EXECUTION_SUCCESSFUL,
                Optional.of(new End.Executed(Optional.empty()))),
            Map.entry(
                PlanExecutionState.EXECUTION_FAILED,
                Optional.of(
                    new End.Executed(Optional.of("Its call failed, and the log says no more.")))),
            Map.entry(PlanExecutionState.CANCELLED, Optional.of(new End.Cancelled())),
            Map.entry(PlanExecutionState.REFUNDED, Optional.of(new End.Refunded())));
  }

  /** Of what is not read yet, a node that lags behind says nothing. */
  @ParameterizedTest
  @CsvSource({"50, true", "51, false"})
  void whatTheContractDoesNotKnowIsGoneUnlessTheNodeLagsBehind(long upTo, boolean gone) {
    due(1);
    due(2);
    states.put(id(1), PlanExecutionState.NONEXISTENT);
    read = Optional.of(new Point(upTo, HASH, NOW));

    assertThat(decide().advance().gone()).isEqualTo(gone ? List.of(id(1)) : List.of());
  }

  // What is worth storing

  @Test
  void aRoundIsStoredForEachSingleThingThatItHasFoundOut() {
    var nothing = advance(List.of(), List.of(), Map.of(), List.of(), false, "");
    var failure = new Failure(1, "In vain.", NOW);
    var changes =
        List.of(
            new Advance(
                SERVED,
                Optional.of(reading(NEWEST)),
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                false,
                ""),
            advance(List.of(id(1)), List.of(), Map.of(), List.of(), false, ""),
            advance(
                List.of(),
                List.of(new Landing(0, Optional.empty())),
                Map.of(),
                List.of(),
                false,
                ""),
            advance(List.of(), List.of(), Map.of(id(1), failure), List.of(), false, ""),
            advance(List.of(), List.of(), Map.of(), List.of(dispatch(0, 1)), false, ""),
            advance(List.of(), List.of(), Map.of(), List.of(), true, ""),
            advance(List.of(), List.of(), Map.of(), List.of(), false, "The chain is away."));

    assertThat(new Decided(nothing, List.of()).changes(inQueue())).isFalse();
    assertThat(IntStream.range(0, changes.size()).boxed())
        .allSatisfy(
            i ->
                assertThat(new Decided(changes.get(i), List.of()).changes(inQueue()))
                    .as("%s", changes.get(i))
                    .isTrue());
    var unserved =
        new Known(
            inQueue().service(),
            Optional.empty(),
            read,
            Optional.empty(),
            false,
            "",
            List.of(),
            List.of());
    assertThat(new Decided(nothing, List.of()).changes(unserved)).as("the contract").isTrue();
  }

  private static Advance advance(
      List<ScheduleId> gone,
      List<Landing> landings,
      Map<ScheduleId, Failure> failures,
      List<ProviderDispatch> dispatches,
      boolean paused,
      String trouble) {
    return new Advance(
        SERVED, Optional.empty(), gone, landings, failures, dispatches, paused, trouble);
  }

  @Test
  void whatWaitsUntilTheWindowIsOverIsNotSent() {
    waits(waiting(1, NOW - WINDOW));
    waits(waiting(2, NOW - WINDOW + 1));

    assertThat(decide().advance().dispatches())
        .extracting(ProviderDispatch::execution, ProviderDispatch::nonce)
        .containsExactly(tuple(id(2), 0L));
  }
}
