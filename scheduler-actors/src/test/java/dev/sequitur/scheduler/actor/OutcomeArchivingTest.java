package dev.sequitur.scheduler.actor;

import static dev.sequitur.scheduler.actor.OutcomeArchiving.BATCH;
import static dev.sequitur.scheduler.actor.OutcomeArchiving.WORTH_WHILE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.OutcomeStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.StatementLine;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.storage.QueueFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When outcomes go to their store, and that none is missed by who asks for them meanwhile. */
class OutcomeArchivingTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");
  private static final AccountId BOB = new AccountId("bob");
  private static final Amount MONEY = new Amount(1_000);
  private static final long NOW_MS = 1_000_000;
  private static final int KEPT = 100_000;

  private final ScheduleQueue rules =
      new ScheduleQueue(QueueSetup.of(OPERATOR, new GasPriority(GasPrioritySettings.DEFAULT)));

  private final OutcomesInMemory store = new OutcomesInMemory();
  private final PastOutcomes past = new PastOutcomes(store, new QueueFormat());
  private OutcomeArchiving archiving = archiving(KEPT);

  /** What is booked in has a number, too: they have money from the beginning. */
  private QueueState state =
      QueueState.initial()
          .withBook(
              Book.EMPTY.post(AccountId.OUTSIDE, ALICE, MONEY).post(AccountId.OUTSIDE, BOB, MONEY));

  private int scheduled;

  private OutcomeArchiving archiving(int kept) {
    return new OutcomeArchiving(past, Runnable::run, "queue", kept);
  }

  private void tell(QueueInput input) {
    state = rules.decide(state, input, WallTime.of(Instant.ofEpochMilli(NOW_MS))).state();
  }

  /** So many outcomes more, of alice's and bob's schedules in turns. */
  private void end(int number) {
    for (int i = 0; i < number; i++) {
      var owner = scheduled++ % 2 == 0 ? ALICE : BOB;
      var terms = new GasPriorityTerms(NOW_MS + 60_000, 100, 1, Optional.of("number " + scheduled));
      var say = new Target.Notify(Bytes.utf8("number " + scheduled));
      tell(new Command("c", owner, new Operation.Propose(Proposal.of(owner, terms, say))));
      var id = state.entries().schedules().keySet().iterator().next();
      tell(new Command("c", owner, new Operation.Cancel(id)));
    }
  }

  private void store(boolean pressed) {
    var told = archiving.write(state, pressed).orElseThrow().toCompletableFuture().join();
    archiving.written(told);
    tell(told);
  }

  private List<Long> numbers(OutcomeQuery query) {
    var memory = rules.outcomes(state, query.from(), query.limit(), query::matches);
    return past.with(memory, "queue", query).toCompletableFuture().join().outcomes().stream()
        .map(each -> each.number())
        .toList();
  }

  @Test
  void aFewStayInMemory() {
    end(WORTH_WHILE - 1);

    assertThat(archiving.write(state, false)).isEmpty();
    end(1);
    assertThat(archiving.write(state, true)).as("while the queue has other work").isEmpty();
    store(false);
    assertThat(state.history().records()).isEmpty();
    assertThat(store.kept).hasSize(WORTH_WHILE);
  }

  @Test
  void oneWriteIsUnderWayAtATimeAndTheNextBeginsBehindIt() {
    end(WORTH_WHILE);
    store.disk = new CompletableFuture<>();
    var first = archiving.write(state, false).orElseThrow().toCompletableFuture();
    end(WORTH_WHILE);
    assertThat(archiving.write(state, false)).isEmpty();
    assertThat(first).isNotDone();

    store.disk.complete(null);
    archiving.written(first.join());

    assertThat(archiving.write(state, false)).as("though the queue has not been told").isPresent();
    assertThat(store.writes.get(1)).startsWith((long) WORTH_WHILE);
  }

  /** So that the journal, which is in the same store, never waits long. */
  @Test
  void whatHasGatheredIsWrittenInPartsThatBecomeLessAndEndWhereWhatStandsTogetherEnds() {
    end(10 * WORTH_WHILE + 5);
    while (state.history().next() - state.history().oldest() >= WORTH_WHILE) {
      store(false);
    }

    assertThat(store.writes.getFirst()).hasSize(10 * WORTH_WHILE / 8);
    assertThat(store.writes).allSatisfy(each -> assertThat(each).hasSizeLessThan(2 * WORTH_WHILE));
    assertThat(store.writes.getLast()).hasSizeLessThanOrEqualTo(WORTH_WHILE);
    assertThat(store.writes)
        .allSatisfy(each -> assertThat((each.getLast() + 1) % OutcomeStore.TOGETHER).isZero());
  }

  @Test
  void aWriteThatFailedIsTriedAgainAndNoneIsLongerThanABatch() {
    end(8 * BATCH + 10);
    store.disk = CompletableFuture.failedFuture(new IllegalStateException("no disk"));
    assertThat(archiving.write(state, false).orElseThrow()).isCompletedExceptionally();
    archiving.failed();
    assertThat(archiving.write(state, false)).isEmpty();
    archiving.tryAgain();
    store.disk = CompletableFuture.completedFuture(null);

    store(false);

    assertThat(store.writes)
        .allSatisfy(each -> assertThat(each).hasSize(BATCH - BATCH % OutcomeStore.TOGETHER));
  }

  @Test
  void onlySoManyAreKept() {
    archiving = archiving(WORTH_WHILE * 3 / 2);
    end(WORTH_WHILE);
    store(false);
    end(WORTH_WHILE);
    store(false);

    assertThat(store.kept.firstKey()).isEqualTo(2 * WORTH_WHILE - WORTH_WHILE * 3 / 2);
    var memory = rules.outcomes(state, 0, 10, any -> true);
    var page = past.with(memory, "queue", OutcomeQuery.from(0, 10)).toCompletableFuture().join();
    assertThat(page.forgotten()).isTrue();
    assertThat(page.outcomes().getFirst().number()).isEqualTo(WORTH_WHILE / 2);
  }

  @Test
  void whoAsksMissesNoneAndIsToldNoneTwiceBeforeWhileAndAfterTheyAreHandedOver() {
    end(WORTH_WHILE + 7);
    var all = LongStream.range(WORTH_WHILE - 5, WORTH_WHILE + 7).boxed().toList();
    var query = OutcomeQuery.from(WORTH_WHILE - 5, 100);
    assertThat(numbers(query)).isEqualTo(all);
    var told = archiving.write(state, false).orElseThrow().toCompletableFuture().join();
    assertThat(numbers(query)).isEqualTo(all);
    tell(told);
    end(3);

    assertThat(numbers(query)).hasSize(all.size() + 3);
    assertThat(numbers(OutcomeQuery.from(WORTH_WHILE + 6, 2)))
        .containsExactly(WORTH_WHILE + 6L, WORTH_WHILE + 7L);
  }

  private Statement statement(AccountId account, long from, int limit) {
    var query =
        new OutcomeQuery(
            from,
            limit,
            Optional.empty(),
            Optional.empty(),
            Optional.of(account),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var memory = rules.statement(state, account, from, limit, query::matches);
    return memory.with(past.with(memory.page(), "queue", query).toCompletableFuture().join());
  }

  /**
   * What is found by an account's name is all that has moved its money, be it an outcome or not.
   */
  @Test
  void aStatementHasTheSameLinesBeforeAndAfterTheyWereHandedOverAndGoesOnFromItsPages() {
    tell(new Command("fund", OPERATOR, new Operation.Fund(BOB, new Amount(7))));
    end(WORTH_WHILE);
    var all = statement(BOB, 0, 1_000);
    assertThat(all.lines()).hasSize(1 + WORTH_WHILE / 2);
    assertThat(all.broughtForward()).contains(MONEY);

    store(false);
    assertThat(statement(BOB, 0, 1_000)).isEqualTo(all);
    end(3);

    var lines = new ArrayList<StatementLine>();
    var page = statement(BOB, 0, 40);
    while (page.broughtForward().isEmpty()) {
      lines.addAll(page.lines());
      page = statement(BOB, page.page().next(), 40);
    }
    lines.addAll(page.lines());
    assertThat(lines).isEqualTo(statement(BOB, 0, 1_000).lines());
    assertThat(lines.subList(0, all.lines().size())).isEqualTo(all.lines());
  }

  private Happenings happenings(long from, int atMost) {
    var memory = rules.happenings(state, from, atMost);
    return past.with(memory, "queue", from, atMost).toCompletableFuture().join();
  }

  /** It has a number between outcomes, and nobody who looks for outcomes finds it. */
  @Test
  void whatTheQueueHasToldGoesToTheStoreWithTheOutcomesAroundIt() {
    end(5);
    tell(new Command("stop", OPERATOR, new Operation.Shutdown(FamilyKind.GAS_PRIORITY)));
    tell(new QueueInput.CutBlock());
    tell(new Command("go", OPERATOR, new Operation.Resume(FamilyKind.GAS_PRIORITY)));
    end(WORTH_WHILE);
    var all = happenings(0, 50);
    store(false);
    end(3);

    assertThat(store.kept).containsKey(5L);
    assertThat(happenings(0, 50)).isEqualTo(all);
    assertThat(all.happenings().get(5).happened()).isInstanceOf(History.Told.class);
    assertThat(numbers(OutcomeQuery.from(3, 4))).containsExactly(3L, 4L, 6L, 7L);
    var last = happenings(WORTH_WHILE - 2, 9);
    assertThat(last.happenings())
        .extracting(Happenings.Numbered::number)
        .isEqualTo(LongStream.range(WORTH_WHILE - 2, WORTH_WHILE + 7).boxed().toList());
    assertThat(last.next()).isEqualTo(WORTH_WHILE + 7);
    assertThat(last.forgotten()).isFalse();
    assertThat(happenings(WORTH_WHILE + 9, 9))
        .isEqualTo(new Happenings(List.of(), false, WORTH_WHILE + 9));
  }

  @Test
  void filtersHoldForWhatIsInTheStoreAndForWhatIsInMemory() {
    end(WORTH_WHILE);
    store(false);
    end(4);
    var bobs =
        new OutcomeQuery(
            WORTH_WHILE - 4,
            100,
            Optional.empty(),
            Optional.of(BOB),
            Optional.empty(),
            Optional.of(Outcome.CANCELLED),
            Optional.of(Instant.ofEpochMilli(NOW_MS)),
            Optional.empty(),
            Optional.empty());

    assertThat(numbers(bobs))
        .containsExactly(WORTH_WHILE - 3L, WORTH_WHILE - 1L, WORTH_WHILE + 1L, WORTH_WHILE + 3L);
  }

  @Test
  void ofOneScheduleTheStoreHasTheNewestOldestFirst() {
    end(WORTH_WHILE);
    var id = state.history().records().get(5L).key().schedule();
    store(false);

    assertThat(past.newestOf("queue", id, 10).toCompletableFuture().join())
        .singleElement()
        .satisfies(recorded -> assertThat(recorded.proposal().accounts()).containsExactly(BOB));
  }
}
