package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.MONEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.body;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.creation;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the last signature runs, what that costs, and that it runs once. */
class MultiSignatureExecutionTest {
  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  @Test
  void aFailedExecutionDoesNotFailWhatTriggeredIt() {
    var schedule = queue.create(queue.transfer(1, queue.bob, queue.dave, MONEY + 1));

    assertThat(queue.sign(schedule, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);
    assertThat(queue.queue.outcome(schedule.schedule()))
        .get()
        .extracting(History.Recorded::outcome)
        .isEqualTo(Outcome.FAILED);
  }

  @Test
  void aPayerWhoGivesTooNeedsTheFeeBesides() {
    var spent = MONEY - queue.balance(queue.alice);
    long creating = MultiSignatureSettings.MVP.fees().create().units() + 1;

    queue.create(queue.transfer(1, queue.alice, queue.dave, MONEY - spent - creating), ALICE_KEY);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_ACCOUNT_BALANCE);
  }

  @Test
  void aPayerThatCannotPayMovesNothingAndItCountsAsExecuted() {
    var poor = queue.open(key(41));
    var creation =
        Creation.of(
            queue.transfer(1, queue.bob, queue.dave, 5), Optional.empty(), Optional.of(poor));
    var schedule = queue.create(creation, BOB_KEY);

    assertThat(queue.sign(schedule, key(41))).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_PAYER_BALANCE);
    assertThat(queue.exported().get(1).fee()).isZero();
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY);
    queue.queue.fund(poor.account(), 100);
    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
  }

  @Test
  void aBodyRunsAtMostOnceInAQueueWhateverPayerAdminKeyOrMemo() {
    queue.create(queue.transfer(1, queue.bob, queue.dave, 5), BOB_KEY);

    // Bob's signature is public now: Dave schedules the same with himself as admin.
    var again =
        Creation.of(
            queue.transfer(1, queue.bob, queue.dave, 5), Optional.of(DAVE_KEY), Optional.empty());
    assertThat(queue.status(creation(queue.by(queue.dave, DAVE_KEY), again, BOB_KEY)))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);

    queue.create(queue.transfer(2, queue.bob, queue.dave, 5), BOB_KEY);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
  }

  @Test
  void ofTwoSchedulesOfOneBodyOnlyOneRuns() {
    var body = queue.transfer(1, queue.bob, queue.dave, 5);
    var first = queue.create(body);
    var twin = queue.create(Creation.of(body, Optional.of(DAVE_KEY), Optional.empty()));

    assertThat(queue.sign(first, BOB_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.sign(twin, BOB_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 5);
  }

  @Test
  void theTextsWayCanBeSwitchedOn() {
    var text = new SignaturesUnderTest(MultiSignatureSettings.MVP.withBodiesExecuteOnce(false));
    text.create(text.transfer(1, text.bob, text.dave, 5), BOB_KEY);
    text.create(text.transfer(1, text.bob, text.dave, 5), BOB_KEY);

    assertThat(text.balance(text.bob)).isEqualTo(MONEY - 10);
  }

  @Test
  void aNewAccountIsMadeWithItsBalanceFromThePayer() {
    var create = new Action.CryptoCreate(key(51), new Amount(40), true, "");
    var schedule = queue.create(body(1, create));
    assertThat(queue.exported()).hasSize(1);

    queue.sign(schedule, key(51));

    var made = queue.exported().get(1).receipt().account().orElseThrow();
    assertThat(queue.balance(made)).isEqualTo(40);
    assertThat(queue.queries().account(made).orElseThrow().key()).isEqualTo(key(51));
    assertThat(queue.exported().get(1).transfers())
        .containsExactly(
            SignaturesUnderTest.row(queue.alice, -40), SignaturesUnderTest.row(made, 40));
  }

  @Test
  void aNewAccountWithoutMoneyIsNoTransfer() {
    var schedule = queue.create(body(1, new Action.CryptoCreate(key(51), Amount.ZERO, true, "")));

    queue.sign(schedule, key(51));

    assertThat(queue.exported().get(1).transfers()).isEmpty();
  }

  @Test
  void aPayerWhoHasJustTheFeePaysIt() {
    var poor = queue.open(key(41));
    queue.queue.fund(poor.account(), MultiSignatureSettings.MVP.fees().cryptoTransfer().units());
    var creation =
        Creation.of(
            queue.transfer(1, queue.bob, queue.dave, 5), Optional.empty(), Optional.of(poor));

    queue.create(creation, BOB_KEY, key(41));

    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
    assertThat(queue.balance(poor)).isZero();
  }

  /** The fee is paid first. */
  @Test
  void aPayerGivesANewAccountAllThatItHasLeft() {
    long fee = MultiSignatureSettings.MVP.fees().cryptoCreate().units();
    assertThat(balanceGivenBy(key(41), fee + 7)).isEqualTo(7);
    assertThat(balanceGivenBy(key(42), fee + 6)).isZero();
    assertThat(queue.exportedStatus())
        .containsExactly(ResponseCode.SUCCESS, ResponseCode.INSUFFICIENT_PAYER_BALANCE);
  }

  /** What a new account has that is to get seven. */
  private long balanceGivenBy(PublicKey payer, long money) {
    var account = queue.open(payer);
    queue.queue.fund(account.account(), money);
    var create = body((int) money, new Action.CryptoCreate(key(51), new Amount(7), false, ""));

    queue.create(Creation.of(create, Optional.empty(), Optional.of(account)), payer);

    return queue.exported().get(1).receipt().account().map(queue::balance).orElse(0L);
  }

  /** No giver has just what a taker gets. */
  @Test
  void eachGivesAndGetsWhatItsRowSays() {
    var rows =
        List.of(
            SignaturesUnderTest.row(queue.bob, -10),
            SignaturesUnderTest.row(queue.carol, -25),
            SignaturesUnderTest.row(queue.alice, 15),
            SignaturesUnderTest.row(queue.dave, 20));
    var schedule = queue.create(body(1, new Action.CryptoTransfer(rows)));
    long alice = queue.balance(queue.alice);
    long dave = queue.balance(queue.dave);
    long fees = 2 + MultiSignatureSettings.MVP.fees().sign().units();

    queue.sign(schedule, BOB_KEY, SignaturesUnderTest.CAROL_KEY);

    assertThat(queue.balance(queue.bob)).isEqualTo(MONEY - 10);
    assertThat(queue.balance(queue.carol)).isEqualTo(MONEY - 25);
    assertThat(queue.balance(queue.alice))
        .isEqualTo(alice + 15 - MultiSignatureSettings.MVP.fees().cryptoTransfer().units());
    assertThat(queue.balance(queue.dave)).isEqualTo(dave + 20 - fees);
  }

  @Test
  void whoeverHasJustEnoughGivesIt() {
    var schedule = queue.create(queue.transfer(1, queue.bob, queue.dave, MONEY));

    queue.sign(schedule, BOB_KEY);

    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.bob)).isZero();
  }

  @Test
  void aPrivateTransactionRunsWithTheKeyOfItsFromAndItsOutcomeIsAThirdRecord() {
    var from = new Identity("alice", new NodeName("node1"));
    queue.administer(new MultiSignatureOperation.BindKey(from, key(61)));
    var schedule =
        queue.create(body(1, Action.PrivateTransaction.once(SignaturesUnderTest.call(from))));

    assertThat(queue.sign(schedule, key(61))).isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.exportedStatus()).containsExactly(ResponseCode.SUCCESS, ResponseCode.OK);
    var handed = queue.queue.handedOver();
    assertThat(handed).hasSize(1);
    assertThat(handed.get(0).request()).isEqualTo(SignaturesUnderTest.call(from));
    assertThat(queue.sign(schedule)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);

    queue.queue.tell(
        new QueueInput.Answered(handed.get(0).key(), new Conclusion.Failed(0, "no", false)));
    var outcome = queue.exported().get(0);
    assertThat(outcome.scheduleRef()).contains(schedule);
    assertThat(outcome.receipt().status()).isEqualTo(ResponseCode.CONTRACT_REVERT_EXECUTED);
    assertThat(queue.queries().records(outcome.transactionId())).hasSize(2);
  }
}
