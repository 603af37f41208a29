package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.CAROL_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.DAVE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.signatures;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked of a submitted transaction is asked of each operation, whichever it is. */
class MultiSignatureEveryOperationTest {
  private static final EntityId NOBODY = new EntityId(999_999);
  private static final int MOST_SIGNATURES = 64;

  /** Another way to submit what would be taken as it is. */
  private interface Changed {
    Submission of(SignaturesUnderTest queue, Submission good);
  }

  private interface Operation {
    MultiSignatureOperation.Submitted of(SignaturesUnderTest queue, Submission by);
  }

  private record Named<T>(String name, T what) {
    @Override
    public String toString() {
      return name;
    }
  }

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.MVP);

  private static List<Named<Operation>> operations() {
    return List.of(
        new Named<>("ScheduleCreate", (queue, by) -> create(queue, by)),
        new Named<>(
            "ScheduleSign", (queue, by) -> queue.signature(by, scheduled(queue), ALICE_KEY)),
        new Named<>(
            "ScheduleDelete",
            (queue, by) -> new MultiSignatureOperation.ScheduleDelete(by, scheduled(queue))),
        new Named<>(
            "CryptoCreate",
            (queue, by) ->
                new MultiSignatureOperation.CryptoCreate(
                    by, new Action.CryptoCreate(key(9), Amount.ZERO, false, ""))),
        new Named<>(
            "CryptoUpdate",
            (queue, by) -> new MultiSignatureOperation.CryptoUpdate(by, queue.bob, CAROL_KEY)),
        new Named<>(
            "CryptoDelete",
            (queue, by) -> new MultiSignatureOperation.CryptoDelete(by, queue.bob, queue.alice)),
        new Named<>(
            "CryptoTransfer",
            (queue, by) ->
                new MultiSignatureOperation.CryptoTransfer(
                    by,
                    new Action.CryptoTransfer(
                        List.of(
                            new AccountAmount(queue.bob, -1), new AccountAmount(queue.alice, 1))))),
        new Named<>(
            "QueryPayment",
            (queue, by) ->
                new MultiSignatureOperation.QueryPayment(
                    by,
                    new Action.CryptoTransfer(
                        List.of(
                            new AccountAmount(queue.bob, -1),
                            new AccountAmount(new EntityId(3), 1))),
                    new EntityId(3))),
        new Named<>(
            "RecordRefusal",
            (queue, by) ->
                new MultiSignatureOperation.RecordRefusal(
                    by, TransactionReceipt.of(ResponseCode.SUCCESS), "ScheduleSign")));
  }

  private static MultiSignatureOperation.ScheduleCreate create(
      SignaturesUnderTest queue, Submission by) {
    return SignaturesUnderTest.creation(by, queue.creationOf(2), ALICE_KEY);
  }

  /** The one that waits already; Dave may delete it. */
  private static EntityId scheduled(SignaturesUnderTest queue) {
    return EntityId.of(queue.queue.state.entries().schedules().keySet().iterator().next());
  }

  private static Stream<Arguments> wrong() {
    return Stream.of(
        wrong(
            ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED,
            (queue, good) -> with(good, good.id().triggered(0), good.validSeconds(), 1_000)),
        wrong(
            ResponseCode.INVALID_TRANSACTION_DURATION,
            (queue, good) -> with(good, good.id(), 0, 1_000)),
        wrong(
            ResponseCode.INVALID_TRANSACTION_START,
            (queue, good) ->
                with(good, AccountTransactionId.submitted(after(queue), queue.dave), 120, 1_000)),
        wrong(
            ResponseCode.PAYER_ACCOUNT_NOT_FOUND,
            (queue, good) ->
                with(
                    good,
                    AccountTransactionId.submitted(good.id().validStart(), NOBODY),
                    120,
                    1_000)),
        wrong(
            ResponseCode.INVALID_PAYER_SIGNATURE,
            (queue, good) -> queue.by(queue.dave, ALICE_KEY, BOB_KEY, CAROL_KEY)),
        wrong(
            ResponseCode.MEMO_TOO_LONG,
            (queue, good) ->
                new Submission(
                    good.id(),
                    good.node(),
                    120,
                    1_000,
                    "x".repeat(101),
                    Bytes.EMPTY,
                    good.content(),
                    good.signatures())),
        wrong(ResponseCode.INSUFFICIENT_TX_FEE, (queue, good) -> with(good, good.id(), 120, 0)),
        wrong(
            ResponseCode.INSUFFICIENT_PAYER_BALANCE,
            (queue, good) -> {
              var poor = queue.open(key(8));
              return queue.by(poor, key(8), DAVE_KEY, BOB_KEY, CAROL_KEY);
            }));
  }

  private static ConsensusTime after(SignaturesUnderTest queue) {
    return ConsensusTime.ofMillis(queue.queue.nowMs + 60_000);
  }

  private static Submission with(
      Submission good, AccountTransactionId id, long seconds, long maxFee) {
    return new Submission(
        id,
        new NodeAccount(0, 3),
        seconds,
        maxFee,
        "",
        Bytes.EMPTY,
        good.content(),
        good.signatures());
  }

  private static Arguments wrong(ResponseCode status, Changed changed) {
    return Arguments.of(status, changed);
  }

  private static Stream<Arguments> eachWrongInEachWay() {
    return operations().stream()
        .flatMap(
            operation -> wrong().map(row -> Arguments.of(operation, row.get()[0], row.get()[1])));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("eachWrongInEachWay")
  void itIsRefusedAndNothingIsStored(
      Named<Operation> operation, ResponseCode status, Changed changed) {
    queue.create(deletable(), BOB_KEY);
    var by = changed.of(queue, good());

    assertThat(queue.status(operation.what().of(queue, by))).isEqualTo(status);

    assertThat(queue.queue.last.events()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void asItIsItIsTaken(Named<Operation> operation) {
    queue.create(deletable(), BOB_KEY);

    assertThat(queue.status(operation.what().of(queue, good()))).isEqualTo(ResponseCode.SUCCESS);
  }

  private Creation deletable() {
    return Creation.of(queue.gift(1), Optional.of(DAVE_KEY), Optional.empty());
  }

  private Submission good() {
    return queue.by(queue.dave, DAVE_KEY, BOB_KEY, CAROL_KEY);
  }

  @Test
  void anOperationHasSoManySignaturesAtMost() {
    var schedule = queue.create(queue.gift(1), BOB_KEY);
    var body = queue.gift(1).hash();
    for (int count : List.of(MOST_SIGNATURES + 1, MOST_SIGNATURES)) {
      var expected =
          count > MOST_SIGNATURES ? ResponseCode.TRANSACTION_OVERSIZE : ResponseCode.SUCCESS;
      var sign =
          new MultiSignatureOperation.ScheduleSign(
              good(), schedule, signatures(body, times(count)));
      assertThat(queue.status(sign)).isEqualTo(expected);

      var creation = queue.creationOf(2);
      var create =
          new MultiSignatureOperation.ScheduleCreate(
              good(),
              creation,
              signatures(creation.transaction().hash(), times(count)),
              BodyLookup.NOTHING_ARCHIVED);
      assertThat(queue.status(create)).isEqualTo(expected);
    }
  }

  private static PublicKey[] times(int count) {
    return Collections.nCopies(count, ALICE_KEY).toArray(PublicKey[]::new);
  }

  /** MSIG-7: all or nothing, when it is created too. */
  @Test
  void aCreationWithASignatureThatCountsForNothingMakesNothing() {
    var good = queue.creationOf(1);
    var body = good.transaction().hash();
    assertThat(creation(good, body, ALICE_KEY, key(77)))
        .isEqualTo(ResponseCode.SOME_SIGNATURES_WERE_INVALID);
    assertThat(creation(good, Hash.sha256(new byte[0]), ALICE_KEY))
        .isEqualTo(ResponseCode.SOME_SIGNATURES_WERE_INVALID);
    assertThat(queue.queue.last.events()).isEmpty();
    assertThat(queue.queue.state.entries().schedules()).isEmpty();

    assertThat(creation(good, body, ALICE_KEY)).isEqualTo(ResponseCode.SUCCESS);
  }

  private ResponseCode creation(Creation creation, Hash over, PublicKey... keys) {
    return queue.status(
        new MultiSignatureOperation.ScheduleCreate(
            good(), creation, signatures(over, keys), BodyLookup.NOTHING_ARCHIVED));
  }

  /**
   * MSIG-3: a twin that differs in its admin key could run the same body by the same signatures.
   */
  @Test
  void aBodyThatHasRunIsSignedNoMoreUnderAnotherSchedule() {
    var first = queue.create(queue.gift(1), ALICE_KEY, BOB_KEY);
    var twin = queue.create(deletable(), ALICE_KEY, BOB_KEY);
    assertThat(queue.sign(first, CAROL_KEY)).isEqualTo(ResponseCode.SUCCESS);

    assertThat(queue.sign(twin, CAROL_KEY)).isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);

    assertThat(queue.balance(queue.bob)).isEqualTo(SignaturesUnderTest.MONEY - 10);
  }

  @Test
  void theMemoOfANewAccountIsOneToo() {
    var long101 = new Action.CryptoCreate(key(9), Amount.ZERO, false, "x".repeat(101));
    var long100 = new Action.CryptoCreate(key(9), Amount.ZERO, false, "x".repeat(100));

    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(good(), long101)))
        .isEqualTo(ResponseCode.MEMO_TOO_LONG);
    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(good(), long100)))
        .isEqualTo(ResponseCode.SUCCESS);
  }

  /** Its fee of ten is paid first. */
  @Test
  void aPayerGivesANewAccountAllThatItHas() {
    long left = queue.balance(queue.dave) - 10;
    var all = new Action.CryptoCreate(key(9), new Amount(left), false, "");
    var more = new Action.CryptoCreate(key(9), new Amount(left + 1), false, "");

    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(good(), more)))
        .isEqualTo(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
    assertThat(queue.status(new MultiSignatureOperation.CryptoCreate(good(), all)))
        .isEqualTo(ResponseCode.SUCCESS);
    assertThat(queue.balance(queue.dave)).isZero();
  }
}
