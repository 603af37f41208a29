package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.MONEY;
import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.pay;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEffect.CancelledTxnCode;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two run in each block, and what is more than three ticks late expires, two in each block. */
class GasPriorityTest {
  private final QueueUnderTest queue = AlicesProposals.newQueue();

  /** The deposit (GAS-5). */
  @Test
  void insertHoldsTheWholeDepositAndTheRunChargesTheGasItUsed() {
    var id = queue.insert(pay(200, 7));
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - GAS * 7);

    queue.blockAt(START_MS + 200);

    assertThat(queue.outcome(id))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.RUN);
    assertThat(queue.balance(BOB)).isEqualTo(1);
    assertThat(queue.balance(AccountId.FEES)).isEqualTo(10 * SETTINGS.minGasUnitPrice());
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 1 - 10 * SETTINGS.minGasUnitPrice());
  }

  @Test
  void theFirstOfTheChecksThatFailsIsTheAnswer() {
    var notPayable = proposal(0, Long.MAX_VALUE, 0, new Target.Notify(Bytes.of(new byte[65])));
    queue.accepted(OPERATOR, new Operation.Pause(GAS_PRIORITY));
    assertThat(refusal(BOB, notPayable)).isEqualTo(Code.SERVICE_NOT_ACTIVE);

    queue.accepted(OPERATOR, new Operation.Resume(GAS_PRIORITY));
    assertThat(refusal(BOB, notPayable)).isEqualTo(Code.NOT_ALLOWED);
    assertThat(refusal(ALICE, notPayable)).isEqualTo(Code.TIME_NOT_IN_FUTURE);

    var big = new Target.Notify(Bytes.of(new byte[65]));
    assertThat(refusal(ALICE, proposal(200, 0, 0, big))).isEqualTo(Code.PRICE_TOO_LOW);
    assertThat(refusal(ALICE, proposal(200, 9, 7, big))).isEqualTo(Code.TOO_LITTLE_GAS);
    assertThat(refusal(ALICE, proposal(200, Long.MAX_VALUE, 7, big))).isEqualTo(Code.TOO_LARGE);

    var fits = new Target.Notify(Bytes.of(new byte[64]));
    assertThat(refusal(ALICE, proposal(200, Long.MAX_VALUE, 7, fits))).isEqualTo(Code.OVERFLOW);
    assertThat(refusal(ALICE, proposal(200, MONEY, 7, fits))).isEqualTo(Code.INSUFFICIENT_BALANCE);

    queue.insert(proposal(200, GAS, 7, fits));
    assertThat(refusal(ALICE, proposal(200, GAS, 7, fits))).isEqualTo(Code.DUPLICATE);
  }

  /** 5,869 of the 12,500 lines of a pay-roll were refused as repetitions of others. */
  @Test
  void whatIsAlikeIsTwoIfItsKeysAre() {
    var first = queue.insert(keyed("line 1"));
    var second = queue.insert(keyed("line 2"));

    assertThat(second).isNotEqualTo(first);
    assertThat(refusal(ALICE, keyed("line 1"))).isEqualTo(Code.DUPLICATE);
  }

  private static Proposal keyed(String key) {
    var terms = new GasPriorityTerms(START_MS + 200, GAS, 7, Optional.of(key));
    return Proposal.of(ALICE, terms, new Target.Transfer(BOB, new Amount(1)));
  }

  @Test
  void theNextTickIsTheEarliestThatCanBeAskedFor() {
    assertThat(refusal(ALICE, pay(99, 7))).isEqualTo(Code.TIME_NOT_IN_FUTURE);
    queue.insert(pay(100, 7));
  }

  @Test
  void aTimeThatTheQueuesClockCannotReachIsRefused() {
    long last = Long.MAX_VALUE / 1_000_000 - QueueUnderTest.START_MS;
    assertThat(refusal(ALICE, pay(Long.MAX_VALUE - QueueUnderTest.START_MS, 7)))
        .isEqualTo(Code.BAD_TIME);
    assertThat(refusal(ALICE, pay(last + 1, 7))).isEqualTo(Code.BAD_TIME);
    queue.insert(pay(last, 7));
  }

  @Test
  void withinATickTheHighestPriceRunsFirstAndWhatIsOutbidWaits() {
    var low = queue.insert(pay(200, 3));
    var high = queue.insert(pay(250, 9));
    var middle = queue.insert(pay(200, 5));

    queue.blockAt(START_MS + 200);
    assertThat(queue.startedInLastBlock()).containsExactly(high, middle);
    assertThat(queue.queue.explain(queue.state, low, queue.wall()).sentence()).contains("outbid");

    queue.block();
    assertThat(queue.startedInLastBlock()).containsExactly(low);
  }

  @Test
  void anEarlierTickRunsFirstWhateverTheLaterOneOffers() {
    var later = queue.insert(pay(300, 9));
    var earlier = queue.insert(pay(200, 1));

    queue.blockAt(START_MS + 300);

    assertThat(queue.startedInLastBlock()).containsExactly(earlier, later);
  }

  @Test
  void eachPaysTheLesserOfItsMaximumAndTheHighestOfTheOthers() {
    queue.insert(pay(200, 9));
    queue.insert(pay(200, 5));

    queue.blockAt(START_MS + 200);

    assertThat(prices()).containsExactly(5L, 5L);
  }

  @Test
  void aloneInTheBlockItPaysTheMinimum() {
    queue.insert(pay(200, 9));

    queue.blockAt(START_MS + 200);

    assertThat(prices()).containsExactly(SETTINGS.minGasUnitPrice());
  }

  @Test
  void exactlyTheLimitLateIsStillReadyAndOneTickMoreExpires() {
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 12; i++) {
      ids.add(queue.insert(pay(200, 12 - i)));
    }
    for (int tick = 2; tick <= 5; tick++) {
      queue.blockAt(START_MS + tick * 100L);
      assertThat(queue.startedInLastBlock()).hasSize(2);
    }

    queue.blockAt(START_MS + 600);

    assertThat(queue.startedInLastBlock()).isEmpty();
    assertThat(outcomes(ids.subList(8, 10))).containsOnly(Outcome.EXPIRED);
    assertThat(queue.notices()).contains(failed(ids.get(8), 4, CancelledTxnCode.EXPIRED));
    assertThat(queue.state.entries().due().waiting(GAS_PRIORITY)).isEqualTo(2);
  }

  /** Of one that was to run 200 ms after the start. */
  private static Notice failed(ScheduleId id, long price, CancelledTxnCode code) {
    var key = DueKey.of((START_MS + 200) / 100, ~price, id.value());
    return new Notice.TransactionFailed(id, key, ALICE, code);
  }

  @Test
  void aBacklogOfExpiredOnesNeverCrowdsOutReadyOnes() {
    for (int i = 0; i < 20; i++) {
      queue.insert(pay(200, 20 - i));
    }
    for (int tick = 2; tick <= 5; tick++) {
      queue.blockAt(START_MS + tick * 100L);
    }
    var ready = queue.insert(pay(600, 1));

    queue.blockAt(START_MS + 600);

    assertThat(queue.startedInLastBlock()).containsExactly(ready);
  }

  @Test
  void anOutageExpiresNothing() {
    var id = queue.insert(pay(200, 1));

    queue.blockAt(START_MS + Duration.ofDays(30).toMillis());

    assertThat(queue.startedInLastBlock()).containsExactly(id);
  }

  @Test
  void aFailedRunIsChargedTheGasItUsedAndIsNotTriedAgain() {
    var id = queue.insert(proposal(200, GAS, 7, new Target.Transfer(BOB, new Amount(MONEY))));

    queue.blockAt(START_MS + 200);

    assertThat(outcomes(List.of(id))).containsExactly(Outcome.FAILED);
    assertThat(queue.balance(ALICE)).isEqualTo(MONEY - 10);
    assertThat(queue.notices()).contains(failed(id, 7, CancelledTxnCode.FAILED));
    queue.blockAt(START_MS + 10_000);
    assertThat(queue.startedInLastBlock()).isEmpty();
  }

  @Test
  void anEmptyBlockStoresNothing() {
    queue.insert(pay(200, 7));

    queue.blockAt(START_MS + 100);

    assertThat(queue.last.events()).isEmpty();
  }

  @Test
  void aThrottledOperationIsBusyAndStoresNothing() {
    var plain = QueueSetup.of(OPERATOR, new GasPriority(SETTINGS));
    var throttled = new QueueUnderTest(plain.throttledBy(Map.of("Propose", 1L)));
    throttled.fund(ALICE, MONEY);
    throttled.insert(pay(200, 7));

    assertThat(throttled.refused(ALICE, new Operation.Propose(pay(200, 8)))).isEqualTo(Code.BUSY);
    throttled.nowMs += 1_001;
    throttled.insert(pay(2_000, 8));
  }

  /**
   * Not made by this program but by Python's hashlib, from the documented encoding:
   *
   * <pre>
   * def sha3(*fields):
   *   raw = [f if isinstance(f, bytes) else f.encode() if isinstance(f, str)
   *          else struct.pack('>q', f) for f in fields]
   *   return hashlib.sha3_256(b''.join(struct.pack('>i', len(r)) + r for r in raw)).hexdigest()
   * head = 'gas-priority', 'alice', 1000200, 100, 7
   * sha3(*head, 'transfer', 'bob', 1, 'AsSpecified', 1, 1000, 1000)
   * sha3(*head, 'transfer', 'bob', 1, 'AsSpecified', 1, 1000, 1000, 'line 1')
   * sha3(*head, 'private-call', '0x' + '0a' * 20, 'token', 'transfer', 'alice@node1', b'{}',
   *      'AsSpecified', 1, 1000, 1000)
   * sha3(*head, 'repeat', 86400000, 3, 'notify', b'rent', 'RunWithin', 300000, 5, 2000, 60000)
   * </pre>
   */
  @Test
  void theIdIsThatOfTheVector() {
    assertThat(queue.insert(pay(200, 7)).value())
        .hasToString("0xcd8689060317ae5a16234e8db14dae9737d130d419f813e8ea7f11306c83209b");
    assertThat(queue.insert(keyed("line 1")).value())
        .hasToString("0xd99d6e9d059a167054d31b55b1731b469b8c6b1a19321edb69d6821ccb7c86eb");
    assertThat(queue.insert(AlicesProposals.call(200)).value())
        .hasToString("0xb0653bbee7048095156b4e558cfc4985af717b36dacc0d902ae39a92d45ca0c8");
    var rent = new Target.Repeat(new Target.Notify(Bytes.utf8("rent")), 86_400_000, 3);
    var plain = proposal(200, GAS, 7, rent);
    assertThat(
            queue
                .insert(
                    new Proposal(
                        ALICE,
                        plain.terms(),
                        rent,
                        new LatePolicy.RunWithin(Duration.ofMinutes(5)),
                        new RetryPolicy(
                            5, new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1)))))
                .value())
        .hasToString("0xd615f2595b968ef7cf1b447c224dd4fcfdaa18ff3e700deeb3a9440d084b1fca");
  }

  @Test
  void whatIsReadyIsWhatTheBlockOfThatTimeRunsAndAskingChangesNothing() {
    for (int i = 0; i < 9; i++) {
      queue.insert(pay(200 + i % 3, 3 + i));
    }
    queue.insert(late(new LatePolicy.RunAll()));
    queue.insert(late(new LatePolicy.Skip()));
    assertThat(ready(START_MS + 199)).isEmpty();
    int ran = 0;

    for (long ms = START_MS + 200;
        queue.state.entries().due().waiting(GAS_PRIORITY) > 0;
        ms += 100) {
      var ready = ready(ms);
      queue.blockAt(ms);

      assertThat(queue.startedInLastBlock())
          .isEqualTo(ready.stream().map(each -> each.schedule().id()).toList());
      assertThat(prices())
          .isEqualTo(
              ready.stream().map(GasPriorityQuery.ReadyTransaction::gasUnitPriceCharged).toList());
      ran += ready.size();
    }
    // Two in each of four ticks; what is later has expired, apart from what runs all the same.
    assertThat(ran).isEqualTo(9);
  }

  @Test
  void nothingIsReadyWhileTheFamilyIsPaused() {
    queue.insert(pay(200, 7));
    queue.accepted(OPERATOR, new Operation.Pause(GAS_PRIORITY));

    assertThat(ready(START_MS + 200)).isEmpty();
  }

  /** The last of its tick. */
  private static Proposal late(LatePolicy policy) {
    var plain = pay(200, 1);
    return new Proposal(ALICE, plain.terms(), plain.target(), policy, RetryPolicy.NEVER);
  }

  private List<GasPriorityQuery.ReadyTransaction> ready(long timestampMs) {
    queue.nowMs = Math.max(queue.nowMs, timestampMs - 100);
    var question = new GasPriorityQuery.GetReadyTransactions(timestampMs);
    return queue.queue.ask(queue.state, question, queue.wall()).transactions();
  }

  private Code refusal(AccountId signer, Proposal proposal) {
    return queue.refused(signer, new Operation.Propose(proposal));
  }

  private List<Long> prices() {
    return queue.last.events().stream()
        .filter(QueueEvent.Ran.class::isInstance)
        .map(event -> ((QueueEvent.Ran) event).price())
        .toList();
  }

  private List<Outcome> outcomes(List<ScheduleId> ids) {
    return ids.stream().map(id -> queue.outcome(id).orElseThrow().outcome()).toList();
  }
}
