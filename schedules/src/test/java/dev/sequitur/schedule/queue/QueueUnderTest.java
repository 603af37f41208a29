package dev.sequitur.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A queue with its journal and a clock that tests move; after each input the money is audited,
 * nothing has started in a pause, no reserved account was named, and the queue could be started
 * again under its settings.
 */
final class QueueUnderTest {
  static final AccountId OPERATOR = new AccountId("operator");
  static final AccountId ALICE = new AccountId("alice");
  static final AccountId BOB = new AccountId("bob");
  static final long START_MS = 1_000_000;

  /** As which the sequencer takes what is handed over. */
  static final TransactionId OUTSIDE = new TransactionId(new UUID(1, 2));

  final ScheduleQueue queue;
  final List<QueueEvent> journal = new ArrayList<>();
  QueueState state = QueueState.initial();
  Decision<QueueState, QueueEvent, QueueEffect> last;
  long nowMs = START_MS;

  QueueUnderTest(QueueSetup setup) {
    queue = new ScheduleQueue(setup);
  }

  /** The same queue after its operator has changed settings and started the node again. */
  QueueUnderTest restartedWith(QueueSetup setup) {
    var restarted = new QueueUnderTest(setup);
    restarted.journal.addAll(journal);
    restarted.state = state;
    restarted.nowMs = nowMs;
    restarted.tell(new QueueInput.Recovered());
    return restarted;
  }

  Decision<QueueState, QueueEvent, QueueEffect> tell(QueueInput input) {
    var before = state;
    last = queue.decide(state, input, wall());
    state = last.state();
    assertNothingStartsInAPause(before, last.events());
    assertNoReservedAccountIsNamed(before, input, last.events());
    assertStatementsSayWhatChanged(before, state, last.events());
    journal.addAll(last.events());
    assertThat(queue.audit(state).isConserved()).as("%s: %s", input, queue.audit(state)).isTrue();
    assertThat(queue.refusesSettings(state)).as("%s", input).isEmpty();
    return last;
  }

  /**
   * What an account has, what is set aside included, has changed by just what its statement says of
   * this step (ACC-10); so from the beginning on all lines together are what it has.
   */
  private static void assertStatementsSayWhatChanged(
      QueueState before, QueueState after, List<QueueEvent> events) {
    if (after.history().oldest() > before.history().next()) {
      return;
    }
    var changed = new TreeMap<AccountId, Long>();
    for (long number = before.history().next(); number < after.history().next(); number++) {
      for (var posting : after.history().at(number).postings()) {
        changed.merge(posting.account(), posting.change(), Long::sum);
      }
    }
    for (var event : events) {
      if (event instanceof QueueEvent.Posted(var from, var to, var amount, var why)
          && why == QueueEvent.Posted.Why.ARRIVED) {
        changed.merge(to, amount.units(), Long::sum);
      }
    }
    for (var account : after.book().balances().keySet()) {
      if (!account.holder().value().startsWith("@")) {
        assertThat(total(after, account) - total(before, account))
            .as("%s: %s", account, events)
            .isEqualTo(changed.getOrDefault(account, 0L));
      }
    }
  }

  private static long total(QueueState state, AccountId account) {
    return state.book().available(account).plus(state.book().held(account)).units();
  }

  /** Between a pause and its resumption nothing starts, retries too; nor after a shutdown. */
  private static void assertNothingStartsInAPause(QueueState before, List<QueueEvent> events) {
    Map<FamilyKind, Service> services = new EnumMap<>(FamilyKind.class);
    for (var kind : FamilyKind.values()) {
      services.put(kind, before.service(kind));
    }
    for (var event : events) {
      if (event instanceof QueueEvent.ServiceChanged changed) {
        services.put(changed.family(), changed.service());
      }
      started(event)
          .ifPresent(
              key ->
                  assertThat(services.get(key.schedule().family()))
                      .as("%s", key)
                      .isNotIn(Service.PAUSED, Service.SHUT_DOWN));
    }
  }

  /**
   * What is outside is named by the administrator's deposits and withdrawals alone, by what crosses
   * from one partition to another, and by what begins a queue (ACC-9); no other account of the book
   * is by anything; but fees are somebody's to have.
   */
  private static void assertNoReservedAccountIsNamed(
      QueueState before, QueueInput input, List<QueueEvent> events) {
    boolean crosses =
        input instanceof Command(var id, var by, Operation.Take ignored)
            || (input instanceof QueueInput.Answered(var key, var conclusion)
                && before.crossings().of(key.schedule()).isPresent());
    boolean begins =
        input instanceof Command(var id, var by, Operation.Propose ignored)
            && before.book().equals(Book.EMPTY);
    boolean fromOutside =
        crosses
            || begins
            || (input instanceof Command command
                && (command.operation() instanceof Operation.Fund
                    || command.operation() instanceof Operation.Withdraw
                    || command.operation()
                        instanceof
                        Operation.Perform(MultiSignatureOperation.OpenReserved ignored)));
    for (var event : events) {
      for (var account : named(event)) {
        var holder = account.holder();
        boolean outside = fromOutside && holder.equals(AccountId.OUTSIDE);
        assertThat(outside || holder.isSpendable()).as("%s", event).isTrue();
      }
    }
  }

  private static List<AccountId> named(QueueEvent event) {
    if (event instanceof QueueEvent.Posted posted) {
      return List.of(posted.from(), posted.to());
    } else if (event instanceof QueueEvent.SetAside aside) {
      return List.of(aside.owner());
    } else if (event instanceof QueueEvent.Captured captured) {
      return List.of(captured.to());
    } else if (event instanceof QueueEvent.Settled settled) {
      return List.of(settled.payee());
    } else if (event instanceof QueueEvent.Ran ran) {
      return List.of(ran.payee());
    }
    return event instanceof QueueEvent.Admitted taken
        ? List.of(taken.schedule().proposal().owner())
        : List.of();
  }

  /** Decided, and lost before anything was stored: nothing leaves. */
  void tellAndCrashBeforeItIsStored(QueueInput input) {
    queue.decide(state, input, wall());
    recover();
  }

  /** As it is loaded, its indexes made anew: whatever is asked of it has the answer of before. */
  void recover() {
    var before = state;
    state = replay().reindexed();
    assertThat(CanonicalState.digest(state)).isEqualTo(CanonicalState.digest(before));
    assertThat(state.entries().due()).isEqualTo(before.entries().due());
    for (var recorded : before.history().records().values()) {
      var id = recorded.key().schedule();
      assertThat(queue.explain(state, id, wall())).isEqualTo(queue.explain(before, id, wall()));
    }
    for (var id : before.entries().schedules().keySet()) {
      assertThat(queue.explain(state, id, wall())).isEqualTo(queue.explain(before, id, wall()));
    }
    assertThat(queue.outcomes(state, 0, 100, any -> true))
        .isEqualTo(queue.outcomes(before, 0, 100, any -> true));
    tell(new QueueInput.Recovered());
  }

  QueueState replay() {
    var replayed = QueueState.initial();
    for (var event : journal) {
      replayed = queue.evolve(replayed, event);
    }
    return replayed;
  }

  void block() {
    tell(new QueueInput.CutBlock());
  }

  void blockAt(long ms) {
    nowMs = ms;
    block();
  }

  void fund(AccountId account, long units) {
    accepted(OPERATOR, new Operation.Fund(account, new Amount(units)));
  }

  ScheduleId insert(Proposal proposal) {
    tell(new Command("insert", proposal.owner(), new Operation.Propose(proposal)));
    var answer = answer();
    assertThat(answer.refusal()).isEmpty();
    return answer.schedule().orElseThrow();
  }

  void accepted(AccountId signer, Operation operation) {
    tell(new Command("command", signer, operation));
    assertThat(answer().refusal()).isEmpty();
  }

  /** Why it is refused; a refused command stores nothing. */
  Refusal.Code refused(AccountId signer, Operation operation) {
    tell(new Command("command", signer, operation));
    assertThat(last.events()).isEmpty();
    return answer().refusal().orElseThrow().code();
  }

  QueueEffect.Answer answer() {
    return last.effects().stream()
        .filter(QueueEffect.Answer.class::isInstance)
        .map(QueueEffect.Answer.class::cast)
        .findAny()
        .orElseThrow();
  }

  List<Notice> notices() {
    return last.effects().stream()
        .filter(QueueEffect.Publish.class::isInstance)
        .map(effect -> ((QueueEffect.Publish) effect).notice())
        .toList();
  }

  List<QueueEffect.HandOver> handedOver() {
    return last.effects().stream()
        .filter(QueueEffect.HandOver.class::isInstance)
        .map(QueueEffect.HandOver.class::cast)
        .toList();
  }

  List<ScheduleId> startedInLastBlock() {
    return last.events().stream()
        .flatMap(event -> started(event).stream())
        .map(OccurrenceKey::schedule)
        .toList();
  }

  private static Optional<OccurrenceKey> started(QueueEvent event) {
    if (event instanceof QueueEvent.Started started) {
      return Optional.of(started.key());
    }
    return event instanceof QueueEvent.Ran ran ? Optional.of(ran.key()) : Optional.empty();
  }

  Optional<History.Recorded> outcome(ScheduleId id) {
    var recorded = state.history().of(id);
    return recorded.isEmpty() ? Optional.empty() : Optional.of(recorded.get(recorded.size() - 1));
  }

  long balance(AccountId account) {
    return state.book().available(account).units();
  }

  WallTime wall() {
    return WallTime.of(Instant.ofEpochMilli(nowMs));
  }
}
