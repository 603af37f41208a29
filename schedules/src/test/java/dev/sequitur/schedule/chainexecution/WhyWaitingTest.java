package dev.sequitur.schedule.chainexecution;

import static dev.sequitur.schedule.chainexecution.Executions.GAS;
import static dev.sequitur.schedule.chainexecution.Executions.NEWEST;
import static dev.sequitur.schedule.chainexecution.Executions.NOW;
import static dev.sequitur.schedule.chainexecution.Executions.PLAN;
import static dev.sequitur.schedule.chainexecution.Executions.WINDOW;
import static dev.sequitur.schedule.chainexecution.Executions.dispatch;
import static dev.sequitur.schedule.chainexecution.Executions.gas;
import static dev.sequitur.schedule.chainexecution.Executions.id;
import static dev.sequitur.schedule.chainexecution.Executions.plan;
import static dev.sequitur.schedule.chainexecution.Executions.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Conditions;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Dispatched;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failed;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landed;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landing;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Read;
import dev.sequitur.schedule.chainexecution.Reading.End;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.Reading.Seen;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why an execution has no outcome yet, and what of the chain is forgotten when (PRV-11, 12). */
class WhyWaitingTest {
  private static final String AWAY = "The chain is away.";
  private static final String DUE =
      "from 1970-01-12T13:46:40Z on, at the latest at 1970-01-12T13:48:20Z";

  private ChainExecutionState state = ChainExecutionState.INITIAL;

  @BeforeEach
  void thePlanIsRead() {
    read(NEWEST, Map.of(PLAN, plan(WINDOW)), List.of());
  }

  private void tell(ChainExecutionEvent event) {
    state = state.on(event);
  }

  private void read(Point to, Map<Long, ChainPlan> plans, List<Seen> ends) {
    tell(new Read(false, to, Optional.empty(), plans, Map.of(), ends));
  }

  private void conditions(boolean paused, String trouble) {
    tell(new Conditions(paused, trouble));
  }

  private void failed(int count, long notBefore) {
    tell(new Failed(Map.of(id(1), new Failure(count, "Too soon.", notBefore))));
  }

  private String why(long requested) {
    var proposal = Proposal.of(new AccountId("r"), terms(requested), new Target.ByFamily());
    var due = DueKey.of(requested, 0, id(1).value());
    return new WhyWaiting(state, GAS).of(new Schedule(id(1), 1, proposal, 0, due));
  }

  private static Point block(long number, long time) {
    return new Point(number, new Hash(0, 0, 0, number), time);
  }

  @Test
  void thatItsPlanIsNotReadComesFirst() {
    state = ChainExecutionState.INITIAL;

    assertThat(why(NOW)).isEqualTo("Its plan 3 could not be read yet.");
  }

  @Test
  void whatCanNeverRunSaysWhy() {
    assertThat(why(ChainPlan.MOST)).startsWith("It can never run: it is requested for a time");
    assertThat(why(WINDOW - 1)).startsWith("It can never run: its plan's window is longer");
    tell(new Read(false, NEWEST, Optional.empty(), Map.of(PLAN, plan(0)), Map.of(), List.of()));
    assertThat(why(NOW)).startsWith("It can never run: its plan's window is 0");
  }

  @Test
  void howDeepItsEndIsSays() {
    record Case(End end, String what) {}
    var cases =
        List.of(
            new Case(new End.Executed(Optional.empty()), "was executed"),
            new Case(
                new End.Executed(Optional.of("It failed.")), "was executed, and its call failed,"),
            new Case(new End.Cancelled(), "was cancelled by its requestor"),
            new Case(new End.Refunded(), "was overdue, and its requestor took the refund"));
    for (var each : cases) {
      read(NEWEST, Map.of(), List.of(new Seen(48, id(1), each.end())));

      assertThat(why(NOW))
          .isEqualTo(
              "It %s in block 48. That counts once it is final: 2 blocks stand upon it so far."
                  .formatted(each.what()));
    }
  }

  /** As it is once the log of a block was seen that is not read whole. */
  @Test
  void anEndInABlockThatIsNotReadHasNothingUponIt() {
    read(NEWEST, Map.of(), List.of(new Seen(60, id(1), new End.Cancelled())));

    assertThat(why(NOW)).endsWith(": 0 blocks stand upon it so far.");
  }

  @Test
  void whatIsOverdueSaysWhatIsLeftAndWhatWentWrong() {
    read(block(51, NOW + WINDOW), Map.of(), List.of());
    assertThat(why(NOW)).doesNotContain("overdue");
    read(block(52, NOW + WINDOW + 1), Map.of(), List.of());

    var overdue =
        "It is overdue: its window ended at 1970-01-12T13:48:20Z, and no block of it has executed"
            + " it. Its requestor can ask the contract for the refund; nothing else is left.";
    assertThat(why(NOW)).isEqualTo(overdue);
    failed(1, NOW);
    assertThat(why(NOW)).isEqualTo(overdue + " It could not be executed: Too soon.");
    conditions(false, AWAY);
    assertThat(why(NOW)).isEqualTo(overdue + " It could not be executed: Too soon. " + AWAY);
  }

  @Test
  void whatIsOutSaysAsWhatAndSinceWhen() {
    var out = dispatch(4, 1);
    tell(new Dispatched(List.of(dispatch(9, 2), out)));

    var sent =
        "It was sent when block 50 was the newest, as transaction %s with nonce 4, and no block"
                .formatted(out.newest().hash())
            + " has it yet.";
    assertThat(why(NOW)).isEqualTo(sent);
    conditions(true, AWAY);
    assertThat(why(NOW)).isEqualTo(sent + " " + AWAY);
  }

  /** A gap may be filled with what executes it, too. */
  @Test
  void ofSeveralThatExecuteItTheOneThatWaitsIsToldOf() {
    tell(new Dispatched(List.of(dispatch(4, 1), dispatch(5, 1), dispatch(6, 1))));
    assertThat(why(NOW)).contains("nonce 6");
    tell(new Landed(List.of(new Landing(6, Optional.of(50L)))));
    assertThat(why(NOW)).contains("nonce 5");
    tell(new Landed(List.of(new Landing(5, Optional.of(50L)))));
    assertThat(why(NOW)).contains("nonce 4");
    tell(new Landed(List.of(new Landing(4, Optional.of(50L)))));

    assertThat(why(NOW)).startsWith("Its time has come");
    assertThat(state.dispatch(id(1)).orElseThrow().nonce()).as("the newest").isEqualTo(6);
    assertThat(state.dispatch(id(2))).isEmpty();
  }

  @Test
  void whatKeepsTheWholeContractWaitingIsSaidBeforeWhatConcernsItAlone() {
    failed(1, NOW);
    conditions(true, AWAY);
    assertThat(why(NOW)).startsWith("The contract is paused").endsWith("executed " + DUE + ".");
    conditions(false, AWAY);
    assertThat(why(NOW)).isEqualTo(AWAY + " It is to be executed " + DUE + ".");
  }

  @Test
  void whatWasInVainSaysHowOftenAndWhatComesNext() {
    failed(0, ChainPlan.MOST);
    assertThat(why(NOW)).isEqualTo("It cannot be sent: Too soon.");
    failed(3, ChainPlan.MOST);
    assertThat(why(NOW)).isEqualTo("It was sent 3 times in vain, and is not sent again: Too soon.");
    failed(1, NOW + 8);
    assertThat(why(NOW))
        .isEqualTo(
            "It was sent 1 time in vain: Too soon. It is tried again in a block after"
                + " 1970-01-12T13:46:48Z, until 1970-01-12T13:48:20Z.");
  }

  @Test
  void beforeItsTimeItIsNotDueAndAfterwardsThereIsNoRoom() {
    assertThat(why(NOW + 1)).startsWith("It is not due yet: it is executed from ");
    assertThat(why(NOW)).contains("when there is room").endsWith(gas() + " gas.");
  }

  // What is final is forgotten (PRV-11)

  @Test
  void whatIsFinalIsKeptNoLongerAndWhatIsNotIs() {
    tell(new Dispatched(List.of(dispatch(4, 1), dispatch(5, 2), dispatch(6, 3))));
    tell(new Landed(List.of(new Landing(4, Optional.of(49L)), new Landing(5, Optional.of(50L)))));
    tell(
        new Read(
            false,
            NEWEST,
            Optional.of(block(49, NOW - 1)),
            Map.of(),
            Map.of(id(1), 49L, id(2), 50L),
            List.of()));

    assertThat(state.dispatches().keySet()).containsExactly(5L, 6L);
    assertThat(state.fresh()).containsOnlyKeys(id(2));
  }

  @Test
  void aNonceThatNoBlockOfOursHasIsForgottenAtOnce() {
    tell(new Dispatched(List.of(dispatch(4, 1))));
    tell(new Landed(List.of(new Landing(4, Optional.empty()), new Landing(9, Optional.of(1L)))));

    assertThat(state.dispatches()).isEmpty();
  }
}
