package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringRevision;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringState;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesPolicy;
import dev.sequitur.schedule.recurring.SeriesTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Tasks and series of three owners, one of whom is poor, in slots that take three: cancels, stops,
 * outages, crashes and resumptions in any order. After every input {@link QueueUnderTest} audits
 * the money.
 */
class SeriesInterleavingsTest {
  private static final long HOUR = 3_600_000;
  private static final AccountId CAROL = new AccountId("carol");
  private static final List<AccountId> OWNERS = List.of(ALICE, BOB, CAROL);
  private static final FamilyKind KIND = FamilyKind.RECURRING;

  @Property(tries = 200)
  void noSeriesIsDroppedAndInTheEndEverySlotAndHoldIsFree(
      @ForAll @Size(max = 100) List<@IntRange(max = 99_999) Integer> script) {
    var queue = newQueue();
    for (int code : script) {
      act(queue, code);
      assertThat(openIn(queue)).isEqualTo(queue.state.entries().schedules().size());
    }
    if (queue.state.service(KIND) != Service.ACTIVE) {
      tell(queue, OPERATOR, new Operation.Resume(KIND));
    }
    queue.state.entries().schedules().values().stream()
        .map(schedule -> schedule.id())
        .toList()
        .forEach(id -> tell(queue, OPERATOR, new Operation.Cancel(id)));
    queue.nowMs += HOUR;
    queue.block();
    queue.block();

    assertThat(queue.state.isIdle()).isTrue();
    assertThat(queue.state.book().holds()).isEmpty();
    var left = (RecurringState) queue.queue.family(queue.state, KIND);
    assertThat(left.tasks()).isEmpty();
    assertThat(left.standing()).isEmpty();
    assertThat(left.filled()).isEmpty();
    queue.recover();
  }

  /** Taken in and without a last outcome, or with one in the present block. */
  private static int openIn(QueueUnderTest queue) {
    var settlements = Settlements.of(queue.journal);
    int open = settlements.admitted().size() - settlements.ended().size();
    return open + queue.state.entries().removals().size();
  }

  private static void act(QueueUnderTest queue, int code) {
    int detail = code / 18;
    var owner = OWNERS.get(detail % 3);
    switch (code % 18) {
      case 0, 1 -> propose(queue, owner, task(queue, detail), detail);
      case 2, 3, 4 -> propose(queue, owner, series(queue, detail), detail);
      case 5, 6, 7, 8, 9 -> {
        queue.nowMs += detail % 3 * HOUR / 2;
        queue.tell(new CutBlock());
      }
      case 10 -> queue.nowMs += detail % 12 * HOUR;
      case 11 -> tell(queue, owner, new Operation.Cancel(any(queue, detail)));
      case 12, 13 ->
          tell(queue, owner, new Operation.Perform(new ResumeSeries(any(queue, detail))));
      case 14 -> queue.recover();
      case 15, 16 -> tell(queue, owner, intervention(queue, any(queue, detail), detail));
      default -> {
        switch (detail % 7) {
          case 4, 5 -> tell(queue, OPERATOR, daysOff(queue, detail / 7));
          case 6 -> tell(queue, owner, backFill(queue, any(queue, detail), detail / 7));
          case 0 -> tell(queue, OPERATOR, new Operation.Pause(KIND));
          case 1 -> queue.tellAndCrashBeforeItIsStored(new CutBlock());
          case 2 -> tell(queue, OPERATOR, new Operation.Fund(CAROL, new Amount(3)));
          default -> tell(queue, OPERATOR, new Operation.Resume(KIND));
        }
      }
    }
  }

  private static Operation intervention(QueueUnderTest queue, ScheduleId id, int detail) {
    return switch (detail % 7) {
      case 0, 1 -> new Operation.Intervene(id, Intervention.Kind.PAUSE, "");
      case 2 -> new Operation.Intervene(id, Intervention.Kind.RESUME, "");
      case 3 -> new Operation.Intervene(id, Intervention.Kind.RUN_NOW, "");
      case 4 -> new Operation.Intervene(id, Intervention.Kind.SKIP_NEXT, "");
      default -> change(queue, id, detail);
    };
  }

  private static Operation daysOff(QueueUnderTest queue, int detail) {
    long day = queue.nowMs / (24 * HOUR);
    var list = new DaysOff("+02:00", List.of(day + detail % 3, day + detail % 5));
    return new Operation.Perform(
        detail % 4 == 0
            ? new RecurringOperation.RemoveDaysOff("off")
            : new RecurringOperation.SetDaysOff("off", list));
  }

  private static Operation backFill(QueueUnderTest queue, ScheduleId id, int detail) {
    long until = queue.nowMs - HOUR - detail % 3 * HOUR;
    return new Operation.Perform(
        new RecurringOperation.BackFill(
            id, Math.max(0, until - detail % 7 * HOUR), Math.max(0, until), ""));
  }

  private static SeriesPolicy policy(QueueUnderTest queue, int detail) {
    long end = queue.nowMs + detail % 20 * HOUR;
    return switch (detail % 5) {
      case 0 -> policy(queue.nowMs + 3 * HOUR, end + 3 * HOUR, "", Duration.ZERO, 0);
      case 1 -> policy(0, SeriesPolicy.NO_END, "off", Duration.ZERO, 0);
      case 2 -> policy(0, end, "off", Duration.ofHours(2), 0);
      case 3 -> policy(0, SeriesPolicy.NO_END, "", Duration.ZERO, 1 + detail % 2);
      default -> SeriesPolicy.NONE;
    };
  }

  private static SeriesPolicy policy(
      long start, long end, String list, Duration jitter, int pauseAfter) {
    return new SeriesPolicy(start, end, list, Overlap.SKIP, jitter, pauseAfter);
  }

  private static Operation change(QueueUnderTest queue, ScheduleId id, int detail) {
    var pay = new Target.Transfer(new AccountId("dave"), new Amount(detail % 3));
    var revision =
        detail % 2 == 0
            ? new RecurringRevision(
                Optional.of(task(queue, detail).timesMs()), Optional.empty(), Optional.empty())
            : new RecurringRevision(
                Optional.empty(),
                Optional.of(series(queue, detail).cadence()),
                series(queue, detail).runs(),
                new SeriesPolicy.Revision(
                    Optional.of(0L),
                    Optional.of(SeriesPolicy.NO_END),
                    Optional.of(detail % 3 == 0 ? "off" : ""),
                    Optional.of(Overlap.WAIT),
                    Optional.of(Duration.ofHours(detail % 3)),
                    Optional.of(0)));
    return new Operation.Change(
        id, Optional.of(revision), Optional.of(pay), Optional.empty(), Optional.empty(), "");
  }

  private static RecurringTerms task(QueueUnderTest queue, int detail) {
    long slot = queue.nowMs / HOUR + 1;
    return new RecurringTerms(
        Bytes.utf8("t" + detail % 7),
        List.of((slot + detail % 4) * HOUR, (slot + detail % 5) * HOUR));
  }

  private static SeriesTerms series(QueueUnderTest queue, int detail) {
    long first = (queue.nowMs / HOUR + 1 + detail % 2) * HOUR;
    var cadence =
        detail % 3 == 0
            ? new CronCadence(detail / 3 % 8 / 7 * 30 + " */2 * * *", "Europe/Zurich")
            : new Cadence.Every(first, (1 + detail % 3) * HOUR);
    Optional<Long> runs = detail % 4 == 0 ? Optional.of(1L + detail % 5) : Optional.empty();
    var policy = policy(queue, detail / 11);
    return new SeriesTerms(Bytes.utf8("s" + detail % 7), cadence, runs, policy);
  }

  private static void propose(QueueUnderTest queue, AccountId owner, Terms terms, int detail) {
    var late =
        switch (detail % 5) {
          case 0 -> new LatePolicy.RunAll();
          case 1 -> new LatePolicy.RunOnce();
          default -> LatePolicy.AS_SPECIFIED;
        };
    var pay = new Target.Transfer(new AccountId("dave"), new Amount(detail % 2));
    var proposal = new Proposal(owner, terms, pay, late, RetryPolicy.NEVER);
    tell(queue, owner, new Operation.Propose(proposal));
  }

  private static ScheduleId any(QueueUnderTest queue, int detail) {
    var ids = new ArrayList<ScheduleId>();
    queue.state.entries().schedules().values().forEach(schedule -> ids.add(schedule.id()));
    return ids.isEmpty()
        ? new ScheduleId(KIND, Recurring.taskId(ALICE, Bytes.EMPTY))
        : ids.get(detail / 3 % ids.size());
  }

  private static void tell(QueueUnderTest queue, AccountId signer, Operation operation) {
    queue.tell(new Command("command", signer, operation));
  }

  private static QueueUnderTest newQueue() {
    var settings =
        new RecurringSettings(Duration.ofHours(1), Duration.ofDays(180), 24, 3, 3, 2, 1_024, false);
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new Recurring(settings)));
    queue.fund(ALICE, 100_000);
    queue.fund(BOB, 100_000);
    queue.fund(CAROL, 7);
    return queue;
  }
}
