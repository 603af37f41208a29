package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.HandedOver;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Commands, blocks, answers (late, doubled), crashes before and after storing, pauses and
 * shutdowns, in any order. After every input {@link QueueUnderTest} audits the money.
 */
class InterleavingsTest {
  private static final long MONEY = 100_000;
  private static final RetryPolicy RETRY =
      new RetryPolicy(2, new Backoff(Duration.ofMillis(200), Duration.ofMillis(400)));

  /** What runs private transactions: each key once, however often it is handed over. */
  private final Map<OccurrenceKey, Target> outside = new LinkedHashMap<>();

  @Property(tries = 300)
  void everyOccurrenceHasOneOutcomeAndItsMoneyIsSettledOnce(
      @ForAll @Size(max = 120) List<@IntRange(max = 99_999) Integer> script) {
    outside.clear();
    var queue = newQueue();
    script.forEach(code -> act(queue, code));
    drain(queue);

    var settled = new HashSet<Occurrence>();
    var admitted = new HashSet<Occurrence>();
    for (var event : queue.journal) {
      if (event instanceof QueueEvent.Admitted taken) {
        admitted.add(Occurrence.of(taken.schedule().firstAttempt()));
      } else if (event instanceof QueueEvent.Settled end) {
        assertThat(settled.add(Occurrence.of(end.key()))).as("twice: %s", end).isTrue();
      } else if (event instanceof QueueEvent.Ran ran) {
        assertThat(settled.add(Occurrence.of(ran.key()))).as("twice: %s", ran).isTrue();
      }
    }
    assertThat(settled).isEqualTo(admitted);
    assertThat(queue.state.book().holds()).isEmpty();
    assertThat(queue.state.isIdle()).isTrue();
    assertTheOutcomesTellWhereAllDepositsWent(queue);
  }

  private static void assertTheOutcomesTellWhereAllDepositsWent(QueueUnderTest queue) {
    var costs =
        queue.state.history().records().values().stream().map(History.Recorded::cost).toList();
    long charged = costs.stream().mapToLong(cost -> cost.charged().units()).sum();
    long refunded = costs.stream().mapToLong(cost -> cost.refunded().units()).sum();
    assertThat(costs)
        .allMatch(cost -> cost.charged().units() == cost.gasUsed() * cost.gasUnitPrice());
    assertThat(charged).isEqualTo(queue.balance(AccountId.FEES));
    assertThat(charged + refunded).isEqualTo(deposited(queue));
  }

  private static long deposited(QueueUnderTest queue) {
    return queue.journal.stream().mapToLong(InterleavingsTest::deposited).sum();
  }

  /**
   * What is set aside later, and what of it goes back before the end, a change has brought about.
   */
  private static long deposited(QueueEvent event) {
    return event instanceof QueueEvent.Admitted taken
        ? taken.deposit().units()
        : event instanceof QueueEvent.SetAside more
            ? more.amount().units()
            : event instanceof QueueEvent.Captured less ? -less.amount().units() : 0;
  }

  @Property(tries = 100)
  void theSameCommandsAtTheSameTimesGiveTheSameStateByteForByte(
      @ForAll @Size(max = 80) List<@IntRange(max = 99_999) Integer> script) {
    outside.clear();
    var first = newQueue();
    script.forEach(code -> act(first, code));
    outside.clear();
    var second = newQueue();
    script.forEach(code -> act(second, code));

    assertThat(second.journal).isEqualTo(first.journal);
    assertThat(CanonicalState.digest(second.state)).isEqualTo(CanonicalState.digest(first.state));
    assertThat(CanonicalState.digest(first.replay())).isEqualTo(CanonicalState.digest(first.state));
  }

  @Property(tries = 100)
  void whatRunsInABlockRunsByTimeThenPriceThenId(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 100, max = 99_999) Integer> inserts) {
    var queue = newQueue();
    for (int code : inserts) {
      queue.tell(propose(proposal(queue, code, false)));
    }
    queue.nowMs += 10_000;
    var ran = new ArrayList<ScheduleId>();
    do {
      queue.block();
      ran.addAll(queue.startedInLastBlock());
    } while (!queue.startedInLastBlock().isEmpty());
    var keys = dueKeys(queue);
    assertThat(ran.stream().map(keys::get).toList()).isSorted();
  }

  private static Map<ScheduleId, DueKey> dueKeys(QueueUnderTest queue) {
    var keys = new LinkedHashMap<ScheduleId, DueKey>();
    for (var event : queue.journal) {
      if (event instanceof QueueEvent.Admitted taken) {
        keys.put(taken.schedule().id(), taken.schedule().due());
      }
    }
    return keys;
  }

  private void act(QueueUnderTest queue, int code) {
    int detail = code / 22;
    switch (code % 22) {
      case 0, 1, 2, 3 -> tell(queue, propose(proposal(queue, detail, false)));
      case 4, 5, 6 -> tell(queue, propose(proposal(queue, detail, true)));
      case 7, 8, 9, 10 -> {
        queue.nowMs += detail % 250;
        tell(queue, new CutBlock());
      }
      case 11, 12 -> cancel(queue, detail);
      case 13, 14, 15 -> answer(queue, detail);
      case 16 -> queue.recover();
      case 17 -> queue.tellAndCrashBeforeItIsStored(new CutBlock());
      case 18 -> toggle(queue, detail);
      case 19, 20 -> intervene(queue, detail);
      default -> queue.nowMs -= detail % 300;
    }
  }

  private void tell(QueueUnderTest queue, QueueInput input) {
    queue.tell(input);
    queue.handedOver().forEach(handed -> outside.put(handed.key(), handed.request()));
  }

  private void cancel(QueueUnderTest queue, int detail) {
    var ids = new ArrayList<>(queue.state.entries().schedules().keySet());
    if (!ids.isEmpty()) {
      var id = ids.get(detail % ids.size());
      tell(queue, new Command("cancel", ALICE, new Operation.Cancel(id)));
    }
  }

  private void intervene(QueueUnderTest queue, int detail) {
    var ids = new ArrayList<>(queue.state.entries().schedules().keySet());
    var kinds = Intervention.Kind.values();
    if (!ids.isEmpty()) {
      var id = ids.get(detail % ids.size());
      var kind = kinds[detail / 3 % kinds.length];
      if (kind == Intervention.Kind.CHANGE || kind == Intervention.Kind.BACK_FILL) {
        tell(queue, new Command("change", ALICE, change(queue, id, detail / 15)));
      } else {
        intervene(queue, id, kind);
      }
    }
  }

  private static Operation change(QueueUnderTest queue, ScheduleId id, int detail) {
    var revision =
        new GasPriorityRevision(
            detail % 2 == 0 ? Optional.empty() : Optional.of(queue.nowMs + detail % 700),
            detail % 3 == 0 ? Optional.empty() : Optional.of(5L + detail % 23),
            detail % 5 == 0 ? Optional.empty() : Optional.of((long) detail % 11),
            detail % 6 == 0 ? Optional.of(detail % 12 == 0) : Optional.empty());
    return new Operation.Change(
        id,
        Optional.of(revision),
        detail % 4 == 0 ? Optional.of(new Target.Transfer(BOB, new Amount(3))) : Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "");
  }

  private void intervene(QueueUnderTest queue, ScheduleId id, Intervention.Kind kind) {
    tell(queue, new Command("intervene", ALICE, new Operation.Intervene(id, kind, "")));
  }

  /** Any that was ever handed over: late and doubled answers are the rule. */
  private void answer(QueueUnderTest queue, int detail) {
    var keys = new ArrayList<>(outside.keySet());
    if (!keys.isEmpty()) {
      var key = keys.get(detail % keys.size());
      switch (detail % 3) {
        case 0 -> tell(queue, new HandedOver(key, QueueUnderTest.OUTSIDE));
        case 1 -> tell(queue, new Answered(key, new Conclusion.Succeeded(detail % 30)));
        default -> tell(queue, new Answered(key, new Conclusion.Failed(detail % 30, "no", true)));
      }
    }
  }

  private void toggle(QueueUnderTest queue, int detail) {
    var kind = FamilyKind.GAS_PRIORITY;
    var operation =
        switch (detail % 4) {
          case 0 -> new Operation.Pause(kind);
          case 1 -> new Operation.Shutdown(kind);
          default -> new Operation.Resume(kind);
        };
    tell(queue, new Command("toggle", OPERATOR, operation));
  }

  /** Time goes on and everything that is out is answered, until nothing is left. */
  private void drain(QueueUnderTest queue) {
    queue.nowMs = Math.max(queue.nowMs, START_MS + 60_000);
    if (queue.state.service(FamilyKind.GAS_PRIORITY) == Service.PAUSED) {
      toggle(queue, 2);
    }
    for (int i = 0; i < 200 && !queue.state.isIdle(); i++) {
      queue.nowMs += 500;
      tell(queue, new CutBlock());
      queue.state.entries().schedules().values().stream()
          .filter(Schedule::isPaused)
          .toList()
          .forEach(paused -> intervene(queue, paused.id(), Intervention.Kind.RESUME));
      for (var key : List.copyOf(outside.keySet())) {
        tell(queue, new Answered(key, new Conclusion.Succeeded(5)));
      }
    }
  }

  private static Command propose(Proposal proposal) {
    return new Command("propose", ALICE, new Operation.Propose(proposal));
  }

  private static Proposal proposal(QueueUnderTest queue, int detail, boolean elsewhere) {
    long at = Math.max(0, queue.nowMs) + detail % 700;
    boolean aside = detail % 3 == 0;
    var terms = new GasPriorityTerms(at, 5 + detail % 23, detail % 11).settingAside(aside);
    var pay = new Target.Transfer(BOB, new Amount(detail % 50));
    Target target =
        elsewhere
            ? CALL
            : detail % 5 == 0 ? new Target.Repeat(pay, 1 + detail % 400, detail % 3) : pay;
    return new Proposal(
        ALICE,
        terms,
        target,
        detail % 7 == 0 ? new LatePolicy.RunAll() : LatePolicy.AS_SPECIFIED,
        detail % 2 == 0 ? RETRY : RetryPolicy.NEVER);
  }

  private static final Target CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          new Identity("alice", new NodeName("node1")),
          Bytes.utf8("{}"));

  private static QueueUnderTest newQueue() {
    var settings = new GasPrioritySettings(100, 3, 2, 2, 1, 64);
    var queue =
        new QueueUnderTest(
            new QueueSetup(
                OPERATOR,
                Duration.ofSeconds(10),
                new GasUse(10, 5),
                4,
                50,
                Map.of(),
                Amount.ZERO,
                List.of(new GasPriority(settings))));
    queue.fund(ALICE, MONEY);
    return queue;
  }

  private record Occurrence(ScheduleId schedule, long incarnation, long number) {
    static Occurrence of(OccurrenceKey key) {
      return new Occurrence(key.schedule(), key.incarnation(), key.occurrence());
    }
  }
}
