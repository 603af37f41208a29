package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Payments between the partitions of a queue (SCH-29): what is handed over comes late, again, in
 * any order or never, answers too, and each partition crashes before and after it has stored.
 */
class CrossingsTest {
  private static final int COUNT = 3;
  private static final long MONEY = 1_000;
  private static final RetryPolicy RETRY =
      new RetryPolicy(3, new Backoff(Duration.ofMillis(200), Duration.ofMillis(400)));
  private static final List<AccountId> ACCOUNTS =
      IntStream.range(0, 8).mapToObj(number -> new AccountId("account-" + number)).toList();

  private record Carried(OccurrenceKey key, Crossing crossing) {}

  private final List<QueueUnderTest> partitions = new ArrayList<>();

  /** All that was ever handed over: the network may bring any of it at any time. */
  private final List<Carried> network = new ArrayList<>();

  /** Of those that were taken. */
  private final List<Carried> answers = new ArrayList<>();

  @Property(tries = 300)
  void moneyIsConservedAndEachPaymentArrivesOnce(
      @ForAll @Size(max = 150) List<@IntRange(max = 99_999) Integer> script) {
    begin();
    for (int code : script) {
      act(code);
      assertNothingIsMadeOrLost();
    }
    drain();

    assertNothingIsMadeOrLost();
    for (var queue : partitions) {
      assertThat(queue.state.book().holds()).isEmpty();
      assertThat(queue.state.isIdle()).isTrue();
      assertThat(queue.state.crossings().open()).isEmpty();
    }
    assertEachAccountHasWhatTheOutcomesSay();
  }

  private void begin() {
    partitions.clear();
    network.clear();
    answers.clear();
    for (int index = 0; index < COUNT; index++) {
      var queue =
          new QueueUnderTest(
              new QueueSetup(
                  OPERATOR,
                  Duration.ofSeconds(10),
                  new GasUse(10, 5),
                  4,
                  10_000,
                  Map.of(),
                  Amount.ZERO,
                  List.of(new GasPriority(new GasPrioritySettings(100, 3, 2, 2, 1, 64)))));
      queue.accepted(OPERATOR, new Operation.Divide(new Partition(index, COUNT)));
      partitions.add(queue);
    }
    ACCOUNTS.forEach(account -> home(account).fund(account, MONEY));
  }

  private QueueUnderTest home(AccountId account) {
    return partitions.get(Partition.home(account, COUNT));
  }

  private void act(int code) {
    int detail = code / 16;
    var queue = partitions.get(detail % COUNT);
    switch (code % 16) {
      case 0, 1, 2, 3, 4 -> propose(detail);
      case 5, 6, 7 -> {
        queue.nowMs += detail % 250;
        tell(queue, new CutBlock());
      }
      case 8, 9, 10 -> bring(detail);
      case 11, 12 -> answer(detail);
      case 13 -> recover(queue);
      case 14 -> {
        queue.tellAndCrashBeforeItIsStored(new CutBlock());
        note(queue);
      }
      default -> fail(detail);
    }
  }

  private void tell(QueueUnderTest queue, QueueInput input) {
    queue.tell(input);
    note(queue);
  }

  private void note(QueueUnderTest queue) {
    queue
        .handedOver()
        .forEach(handed -> network.add(new Carried(handed.key(), handed.crossing().orElseThrow())));
  }

  private void recover(QueueUnderTest queue) {
    queue.recover();
    note(queue);
  }

  private void propose(int detail) {
    var owner = ACCOUNTS.get(detail % ACCOUNTS.size());
    var to = ACCOUNTS.get(detail / 8 % ACCOUNTS.size());
    var queue = home(owner);
    var terms = new GasPriorityTerms(queue.nowMs + detail % 700, 10 + detail % 23, detail % 5);
    var proposal =
        new Proposal(
            owner,
            terms,
            new Target.Transfer(to, new Amount(detail % 400)),
            detail % 7 == 0 ? new LatePolicy.RunAll() : LatePolicy.AS_SPECIFIED,
            detail % 2 == 0 ? RETRY : RetryPolicy.NEVER);
    tell(queue, new Command("propose", owner, new Operation.Propose(proposal)));
  }

  /** Any that was ever handed over; its answer may be lost. */
  private void bring(int detail) {
    if (!network.isEmpty()) {
      var carried = network.get(detail % network.size());
      var to = partitions.get(carried.crossing().to());
      tell(to, new Command("take", OPERATOR, new Operation.Take(carried.crossing())));
      if (to.answer().refusal().isEmpty() && detail % 3 > 0) {
        answers.add(carried);
      }
    }
  }

  private void answer(int detail) {
    if (!answers.isEmpty()) {
      var carried = answers.get(detail % answers.size());
      var from = partitions.get(carried.crossing().from());
      tell(from, new Answered(carried.key(), new Conclusion.Succeeded(detail % 30)));
    }
  }

  /** Nobody knows that, and so nothing may come of it. */
  private void fail(int detail) {
    if (!network.isEmpty()) {
      var carried = network.get(detail % network.size());
      var from = partitions.get(carried.crossing().from());
      tell(from, new Answered(carried.key(), new Conclusion.Failed(5, "no", true)));
    }
  }

  private void drain() {
    for (int i = 0; i < 300 && !partitions.stream().allMatch(each -> each.state.isIdle()); i++) {
      for (var queue : partitions) {
        queue.nowMs = Math.max(queue.nowMs, START_MS + 60_000) + 500;
        tell(queue, new CutBlock());
        recover(queue);
      }
      for (var carried : List.copyOf(network)) {
        var to = partitions.get(carried.crossing().to());
        tell(to, new Command("take", OPERATOR, new Operation.Take(carried.crossing())));
        assertThat(to.answer().refusal()).isEmpty();
        answers.add(carried);
      }
      network.clear();
      for (var carried : List.copyOf(answers)) {
        var from = partitions.get(carried.crossing().from());
        tell(from, new Answered(carried.key(), new Conclusion.Succeeded(5)));
      }
      answers.clear();
    }
  }

  /** What is set aside for one that has arrived is there twice, and nobody's to spend. */
  private void assertNothingIsMadeOrLost() {
    long all = 0;
    for (var queue : partitions) {
      all -= queue.state.book().balances().getOrDefault(AccountId.OUTSIDE, 0L);
      for (var crossing : queue.state.crossings().open().values()) {
        var there = partitions.get(crossing.to()).state.crossings();
        if (there.from(crossing.from()).has(crossing.number())) {
          all -= crossing.amount().units();
        }
      }
    }
    assertThat(all).isEqualTo(MONEY * ACCOUNTS.size());
  }

  private void assertEachAccountHasWhatTheOutcomesSay() {
    var expected = new HashMap<AccountId, Long>();
    ACCOUNTS.forEach(account -> expected.put(account, MONEY));
    for (var queue : partitions) {
      for (var recorded : queue.state.history().records().values()) {
        var proposal = recorded.proposal();
        expected.merge(proposal.owner(), -recorded.cost().charged().units(), Long::sum);
        if (recorded.outcome() == Outcome.RUN) {
          var transfer = (Target.Transfer) proposal.target();
          expected.merge(proposal.owner(), -transfer.amount().units(), Long::sum);
          expected.merge(transfer.to(), transfer.amount().units(), Long::sum);
        }
      }
    }
    for (var account : ACCOUNTS) {
      assertThat(home(account).balance(account)).as("%s", account).isEqualTo(expected.get(account));
    }
  }

  /** What the other side must know does not grow with what was ever paid. */
  @Property(tries = 1)
  void whatWasTakenIsForgottenOnceItsPayerKnows() {
    begin();
    var from = partitions.get(0);
    var other = partitions.get(1);
    var owner = at(0);
    for (int number = 0; number < 50; number++) {
      network.clear();
      from.nowMs += 1_000;
      tell(
          from,
          new Command(
              "propose",
              owner,
              new Operation.Propose(
                  Proposal.of(
                      owner,
                      new GasPriorityTerms(from.nowMs + 200, 10, 1),
                      new Target.Transfer(at(1), new Amount(1))))));
      from.nowMs += 300;
      tell(from, new CutBlock());
      var carried = network.getFirst();
      tell(other, new Command("take", OPERATOR, new Operation.Take(carried.crossing())));
      tell(from, new Answered(carried.key(), new Conclusion.Succeeded(5)));
    }
    assertThat(other.balance(at(1))).isEqualTo(MONEY + 50);
    assertThat(other.state.crossings().from(0).numbers()).hasSize(1);
  }

  private static AccountId at(int partition) {
    return ACCOUNTS.stream()
        .filter(account -> Partition.home(account, COUNT) == partition)
        .findFirst()
        .orElseThrow();
  }
}
