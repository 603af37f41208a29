package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionReaderTest {
  private static final EntityId ALICE = new EntityId(1001);
  private static final EntityId BOB = new EntityId(1002);
  private static final Action TRANSFER =
      new Action.CryptoTransfer(List.of(new AccountAmount(ALICE, -5), new AccountAmount(BOB, 5)));
  private static final Header HEADER =
      new Header(
          AccountTransactionId.submitted(new ConsensusTime(1_600_000_000_000_000_123L), ALICE),
          120,
          100,
          "memo");
  private static final PublicKey KEY =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex("58" + "66".repeat(31)));

  private static final Target.PrivateCall CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          new Identity("alice", new NodeName("node1")),
          Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":5}"));

  private static final NodeAccount QUEUE = new NodeAccount(5, 3);

  private final TransactionReader mvp = TransactionReader.ofAnyQueue(Profile.MVP);
  private final TransactionWriter writer = new TransactionWriter(Profile.MVP, QUEUE);

  /** By hand, from the public field numbers: 0.0.1001 gives 5 to 0.0.1002, nonce 7, fee 100. */
  @Test
  void aBodyIsTheseBytes() throws Exception {
    String gives = "0a03" + "18e907" + "1009"; // accountID { 1001 }, amount: -5
    String takes = "0a03" + "18ea07" + "100a"; // accountID { 1002 }, amount: 5
    String rows = message("0a", gives) + message("0a", takes);
    String transactionId = message("0a", "2007"); // nonce: 7
    String node = message("12", "10051803"); // realm: 5, number: 3
    String fee = "1864";
    var bytes = Bytes.hex(transactionId + node + fee + message("72", message("0a", rows)));

    var body = mvp.readScheduled(bytes);

    assertThat(body.nonce()).isEqualTo(7);
    assertThat(body.maxFee()).isEqualTo(100);
    assertThat(body.action()).isEqualTo(TRANSFER);
    assertThat(writer.scheduled(7, 100, "", TRANSFER).bytes()).isEqualTo(bytes);
  }

  /** The text: clients fill in the nonce alone. */
  @ParameterizedTest
  @ValueSource(strings = {"0a04088080011202180520072801", "12031" + "8e9072007", "18012007"})
  void anIdThatHasMoreThanItsNonceIsRefused(String id) {
    String rows = message("0a", "0a0318e9071009") + message("0a", "0a0318ea07100a");
    var bytes = Bytes.hex(message("0a", id) + "1864" + message("72", message("0a", rows)));

    assertThatThrownBy(() -> mvp.readScheduled(bytes))
        .isInstanceOfSatisfying(
            RefusedTransactionException.class,
            refused ->
                assertThat(refused.code())
                    .isEqualTo(ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED));
  }

  /** Else what was signed in one queue could be submitted to another by anybody (MSIG-16). */
  @ParameterizedTest
  @EnumSource(Profile.class)
  void whatIsSignedForAnotherQueueIsRefused(Profile profile) throws Exception {
    var other = new NodeAccount(5, 4);
    var here = TransactionReader.of(profile, QUEUE);
    var writer = new TransactionWriter(profile, QUEUE);
    var foreign = new TransactionWriter(profile, other);
    var delete = new Operation.ScheduleDelete(BOB);

    assertThat(read(here, writer, delete).node()).isEqualTo(QUEUE);
    assertThatThrownBy(() -> read(here, foreign, delete))
        .hasMessageContaining("0.5.3")
        .extracting("code")
        .isEqualTo(ResponseCode.INVALID_NODE_ACCOUNT);
    assertThat(read(TransactionReader.ofAnyQueue(profile), foreign, delete).node())
        .isEqualTo(other);
  }

  private static SubmittedTransaction read(
      TransactionReader reader, TransactionWriter writer, Operation operation)
      throws RefusedTransactionException {
    return reader.read(TransactionWriter.signed(writer.body(HEADER, operation), List.of()));
  }

  /** Of a client that has signed one transaction for several fronts. */
  @Test
  void whatDiffersInItsNodeAccountAloneHasTheSameContent() throws Exception {
    var any = TransactionReader.ofAnyQueue(Profile.CURRENT);
    var here = new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));
    var there = new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 4));
    var delete = new Operation.ScheduleDelete(BOB);
    var one = new SignaturePair(Bytes.hex("01"), PublicKey.Algorithm.ED25519, Bytes.hex("aa"));
    var other = new SignaturePair(Bytes.hex("01"), PublicKey.Algorithm.ED25519, Bytes.hex("bb"));
    var more = new SignaturePair(Bytes.hex("02"), PublicKey.Algorithm.ED25519, Bytes.hex("cc"));
    var content = any.read(TransactionWriter.signed(here.body(HEADER, delete), List.of(one)));

    var again = any.read(TransactionWriter.signed(there.body(HEADER, delete), List.of(other)));
    assertThat(again.content()).isEqualTo(content.content());
    assertThat(again.hash()).isNotEqualTo(content.hash());

    var bySomebodyElse =
        any.read(TransactionWriter.signed(here.body(HEADER, delete), List.of(one, more)));
    assertThat(bySomebodyElse.content()).isNotEqualTo(content.content());
    var another =
        any.read(
            TransactionWriter.signed(
                here.body(HEADER, new Operation.ScheduleDelete(ALICE)), List.of(one)));
    assertThat(another.content()).isNotEqualTo(content.content());
  }

  /** What comes behind the header of a transaction. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "batch key, 0.0.1002 deleted: ca0400 da02050a0318ea07",
        "custom fees, 0.0.1002 deleted: ca3e00 da02050a0318ea07",
        "high volume, 0.0.1002 deleted: d03e01 da02050a0318ea07",
        "an account with automatic associations: 5a027005",
        "an account with an alias: 5a04920101ff",
        "a hook for an account: 7a08120318ea07a20100",
        "a hook of an account to go: 7a08120318ea07980101",
        "tokens: 72021200",
        "an allowance: 720b0a090a070a0318ea071801"
      })
  void whatHederaHasUseForAndNobodyHereIsNotSupported(String what) {
    var current = new TransactionWriter(Profile.CURRENT, QUEUE);
    var head = current.body(HEADER, new Operation.ScheduleDelete(BOB)).toHex();
    var behind = what.replaceFirst(".*: ", "").replace(" ", "");
    var body = Bytes.hex(head.substring(0, head.length() - 16) + behind);

    assertThatThrownBy(
            () ->
                TransactionReader.of(Profile.CURRENT, QUEUE)
                    .read(TransactionWriter.signed(body, List.of())))
        .extracting("code")
        .isEqualTo(ResponseCode.NOT_SUPPORTED);
  }

  /** To an account, to a node, and to both, which only one of two readers would see. */
  @Test
  void toWhomANewAccountStakesMakesNoDifference() throws Exception {
    var key = CommonMessages.write(KEY);
    var toAccount =
        new MessageBytes().message(1, key).message(15, CommonMessages.write(new EntityId(3)));
    var toNode = new MessageBytes().message(1, key).member(16, 5);
    var plain = new Operation.CryptoCreate(new Action.CryptoCreate(KEY, Amount.ZERO, false, ""));
    var reader = TransactionReader.of(Profile.CURRENT, QUEUE);

    for (var account : List.of(toAccount, toNode)) {
      assertThat(reader.read(asking(11, account)).operation()).isEqualTo(plain);
    }
    assertThat(code(reader, 11, toAccount.member(16, 5)))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
  }

  /** In mvp its signatures cover nothing else, and they are public (MSIG-16). */
  @Test
  void whatIsToBeScheduledNamesTheQueueItselfInMvp() throws Exception {
    var here = TransactionReader.of(Profile.MVP, QUEUE);
    var foreign = new TransactionWriter(Profile.MVP, new NodeAccount(6, 3));

    assertThat(here.readScheduled(writer.scheduled(7, 100, "", TRANSFER).bytes()).nonce())
        .isEqualTo(7);
    var elsewhere = foreign.scheduled(7, 100, "", TRANSFER).bytes();
    assertThatThrownBy(() -> here.readScheduled(elsewhere))
        .extracting("code")
        .isEqualTo(ResponseCode.INVALID_NODE_ACCOUNT);
    assertThatThrownBy(() -> here.readScheduled(Bytes.hex("1864")))
        .as("naming none")
        .extracting("code")
        .isEqualTo(ResponseCode.INVALID_NODE_ACCOUNT);
  }

  /** As on Hedera; nothing of it is looked at, so that many keys cost nobody anything. */
  @Test
  void aTransactionThatIsTooLongIsRefused() throws Exception {
    var reader = TransactionReader.of(Profile.MVP, QUEUE).atMost(6_144);
    var wide = new AccountKey.KeyList(Collections.nCopies(170, KEY));
    var update = new Operation.CryptoUpdate(ALICE, wide);
    var delete = new Operation.ScheduleDelete(BOB);
    var pairs = new ArrayList<SignaturePair>();
    for (int seed = 0; seed < 60; seed++) {
      var prefix = Bytes.of(new byte[] {(byte) seed});
      pairs.add(new SignaturePair(prefix, PublicKey.Algorithm.ED25519, Bytes.of(new byte[64])));
    }

    assertOversize(reader, TransactionWriter.signed(writer.body(HEADER, update), List.of()));
    assertOversize(reader, Bytes.of(new byte[6_145]));
    assertThat(read(reader, writer, delete).operation()).isEqualTo(delete);
    var signed = TransactionWriter.signed(writer.body(HEADER, delete), pairs);
    assertThat(reader.read(signed).signatures()).hasSize(60);
    assertThat(reader.atMost(signed.size()).read(signed).signatures()).hasSize(60);
    assertOversize(reader.atMost(signed.size() - 1), signed);
  }

  private static void assertOversize(TransactionReader reader, Bytes transaction) {
    assertThatThrownBy(() -> reader.read(transaction))
        .hasMessageContaining("bytes")
        .extracting("code")
        .isEqualTo(ResponseCode.TRANSACTION_OVERSIZE);
  }

  /** The digest of the names, computed by another program. */
  @Test
  void eachQueueOfEachNodeHasItsOwnNodeAccount() {
    var node1 = new NodeName("node1");
    assertThat(NodeAccount.of(node1, "default")).hasToString("0.6582968012414869.6506308922479568");
    assertThat(NodeAccount.of(node1, "other")).hasToString("0.4143388611199134.2167140471471519");
    assertThat(NodeAccount.of(new NodeName("node2"), "default"))
        .hasToString("0.4181627346971601.6680019935443823");
  }

  /** A text of 40 characters is an address of Ethereum to Hedera's clients. */
  @Property(tries = 2_000)
  void noNodeAccountIsReadAsAnAddressAndItsNumbersAreThoseOfJavaScript(@ForAll String queue) {
    var account = NodeAccount.of(new NodeName("node1"), queue);

    assertThat(account.toString()).hasSizeLessThan(40);
    assertThat(account.realm()).isBetween(0L, (1L << 53) - 1);
    assertThat(account.number()).isBetween(0L, (1L << 53) - 1);
  }

  private static String message(String tag, String content) {
    return tag + String.format("%02x", content.length() / 2) + content;
  }

  @Test
  void everyOperationIsReadAsItWasWritten() throws Exception {
    var body = writer.scheduled(7, 100, "inner", TRANSFER);
    var key = new AccountKey.ThresholdKey(1, List.of(KEY, new AccountKey.KeyList(List.of(KEY))));
    var pair =
        new SignaturePair(Bytes.hex("0102"), PublicKey.Algorithm.ED25519, Bytes.of(new byte[64]));
    var creation =
        new Creation(body, Optional.of(key), Optional.of(BOB), "outer", Optional.empty(), false);
    for (var operation :
        List.of(
            new Operation.ScheduleCreate(creation, List.of(pair)),
            new Operation.ScheduleSign(new EntityId(2000), List.of(pair)),
            new Operation.ScheduleDelete(new EntityId(2000)),
            new Operation.CryptoCreate(new Action.CryptoCreate(key, new Amount(9), true, "m")),
            new Operation.CryptoUpdate(BOB, key))) {
      var read = mvp.read(TransactionWriter.signed(writer.body(HEADER, operation), List.of(pair)));

      assertThat(read.operation()).isEqualTo(operation);
      assertThat(read.header()).isEqualTo(HEADER);
      assertThat(read.signatures()).containsExactly(pair);
      assertThat(read.bodyBytes()).isEqualTo(writer.body(HEADER, operation));
      assertThat(read.hash().size()).isEqualTo(48);
    }
  }

  @Test
  void inCurrentAScheduleHasATime() throws Exception {
    var current = new TransactionWriter(Profile.CURRENT, QUEUE);
    var body = current.scheduled(0, 100, "inner", TRANSFER);
    var creation =
        new Creation(body, Optional.of(KEY), Optional.of(BOB), "outer", Optional.of(2_000L), true);
    var operation = new Operation.ScheduleCreate(creation, List.of());

    var read =
        TransactionReader.of(Profile.CURRENT, QUEUE)
            .read(TransactionWriter.signed(current.body(HEADER, operation), List.of()));

    assertThat(read.operation()).isEqualTo(operation);
  }

  @Test
  void inCurrentAnAccountIsDeleted() throws Exception {
    var current = new TransactionWriter(Profile.CURRENT, QUEUE);
    var operation = new Operation.CryptoDelete(BOB, ALICE);
    var bytes = TransactionWriter.signed(current.body(HEADER, operation), List.of());
    var reader = TransactionReader.of(Profile.CURRENT, QUEUE);

    assertThat(reader.read(bytes).operation()).isEqualTo(operation);

    assertThat(code(reader, 12, new MessageBytes().message(1, CommonMessages.write(ALICE))))
        .isEqualTo(ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
    assertThat(
            code(
                reader,
                12,
                new MessageBytes()
                    .message(1, CommonMessages.write(BOB))
                    .message(2, CommonMessages.write(BOB))))
        .isEqualTo(ResponseCode.TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT);
    assertThat(code(mvp, 12, new MessageBytes())).isEqualTo(ResponseCode.NOT_SUPPORTED);
  }

  private static ResponseCode code(TransactionReader reader, int field, MessageBytes operation) {
    try {
      reader.read(asking(field, operation));
      throw new AssertionError("Read.");
    } catch (RefusedTransactionException e) {
      return e.code();
    }
  }

  private static Bytes asking(int field, MessageBytes operation) {
    var body =
        new Addressee(Optional.of(QUEUE))
            .put(new MessageBytes().message(1, CommonMessages.write(HEADER.id())))
            .message(4, new MessageBytes().number(1, HEADER.validSeconds()))
            .message(field, operation)
            .finish();
    return TransactionWriter.signed(body, List.of());
  }

  /** The rules say whether it can be: the network tells it by a receipt. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 9_214_646_400L})
  void inCurrentATimeThatNoClockHasIsReadAsItStands(long second) throws Exception {
    var create = new MessageBytes().message(1, scheduledInCurrent());
    create.message(5, new MessageBytes().number(1, second).number(2, 7));

    var read = (Operation.ScheduleCreate) inCurrent(create).operation();

    assertThat(read.creation().expirationSecond()).contains(second);
  }

  private static Bytes scheduledInCurrent() {
    return new TransactionWriter(Profile.CURRENT, QUEUE).scheduled(0, 100, "", TRANSFER).bytes();
  }

  private static SubmittedTransaction inCurrent(MessageBytes create)
      throws RefusedTransactionException {
    var body =
        new MessageBytes()
            .message(1, CommonMessages.write(HEADER.id()))
            .message(2, CommonMessages.write(QUEUE))
            .message(4, new MessageBytes().number(1, 120))
            .message(42, create);
    return TransactionReader.of(Profile.CURRENT, QUEUE)
        .read(TransactionWriter.signed(body.finish(), List.of()));
  }

  @Test
  void inCurrentWhoSchedulesNothingIsToldSo() {
    assertThatThrownBy(() -> inCurrent(new MessageBytes().text(2, "memo")))
        .extracting("code")
        .isEqualTo(ResponseCode.INVALID_TRANSACTION);
  }

  @Test
  void inCurrentAPayerOfAnotherShardDoesNotExist() {
    var elsewhere = new MessageBytes().number(1, 123).number(2, 456).number(3, 789);
    var create = new MessageBytes().message(1, scheduledInCurrent()).message(4, elsewhere);

    assertThatThrownBy(() -> inCurrent(create))
        .extracting("code")
        .isEqualTo(ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
  }

  /** Beyond the text, whose message has no place for it. */
  @Test
  void inMvpTooAScheduleMayNameWhenItExpires() throws RefusedTransactionException {
    var creation = timed(writer.scheduled(1, 100, "", TRANSFER), Optional.of(2_000L), false);
    var operation = new Operation.ScheduleCreate(creation, List.of());

    var read =
        TransactionReader.of(Profile.MVP, QUEUE)
            .read(TransactionWriter.signed(writer.body(HEADER, operation), List.of()));

    assertThat(read.operation()).isEqualTo(operation);
  }

  /** Its message has no place for that: it would be lost without a word. */
  @Test
  void inMvpAScheduleThatWaitsForItsTimeIsNotWritten() {
    var creation = timed(writer.scheduled(1, 100, "", TRANSFER), Optional.of(2_000L), true);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.body(HEADER, new Operation.ScheduleCreate(creation, List.of())))
        .withMessage(
            "A schedule of the profile mvp runs with its last signature: leave out waitForExpiry,"
                + " which a scheduleCreate of the profile current takes.");
  }

  @ParameterizedTest
  @ValueSource(longs = {9_214_646_400L, 18_446_744_073L, Long.MAX_VALUE})
  void aTimeThatNoClockReachesIsNotWritten(long second) {
    var current = new TransactionWriter(Profile.CURRENT, QUEUE);
    var body = current.scheduled(0, 100, "", TRANSFER);
    var create = new Operation.ScheduleCreate(timed(body, Optional.of(second), true), List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> current.body(HEADER, create))
        .withMessage("A queue's clock ends in the year 2262: name a time before that.");
  }

  @Test
  void aTimeThatNoClockReachesIsNotRead() {
    var start = new MessageBytes().number(1, 10_000_000_000L);
    var id = new MessageBytes().message(1, start).message(2, CommonMessages.write(ALICE));
    var body = new MessageBytes().message(1, id).message(4, new MessageBytes().number(1, 120));

    assertThatThrownBy(() -> mvp.read(TransactionWriter.signed(body.finish(), List.of())))
        .hasMessage(
            "This Timestamp is too far away. A queue's clock ends in the year 2262: name a time"
                + " before that.");
  }

  private static Creation timed(
      ScheduledTransaction body, Optional<Long> second, boolean waitForExpiry) {
    return new Creation(body, Optional.empty(), Optional.empty(), "", second, waitForExpiry);
  }

  @Test
  void aPrivateTransactionIsACallOfTheGroupsContract() throws Exception {
    for (var profile : Profile.values()) {
      var action = Action.PrivateTransaction.once(CALL);

      var body = new TransactionWriter(profile, QUEUE).scheduled(0, 100, "", action);

      assertThat(TransactionReader.of(profile, QUEUE).readScheduled(body.bytes()).action())
          .isEqualTo(action);
    }
  }

  @Test
  void howOftenAPrivateTransactionIsTriedIsPartOfWhatIsSigned() throws Exception {
    var once = Action.PrivateTransaction.once(CALL);
    var retry = new RetryPolicy(3, new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1)));
    var thrice = new Action.PrivateTransaction(CALL, retry);

    var body = writer.scheduled(0, 100, "", thrice);

    assertThat(mvp.readScheduled(body.bytes()).action()).isEqualTo(thrice);
    var given = RetryPolicy.after(3, List.of(Duration.ofSeconds(2), Duration.ofMinutes(1)));
    var after = new Action.PrivateTransaction(CALL, given);
    assertThat(mvp.readScheduled(writer.scheduled(0, 100, "", after).bytes()).action())
        .isEqualTo(after);
    assertThat(body.hash()).isNotEqualTo(writer.scheduled(0, 100, "", once).hash());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "not JSON",
        "{\"domain\":1,\"function\":\"f\",\"from\":\"a@node1\",\"inputs\":{}}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"nobody\",\"inputs\":{}}",
        // What others may read differently.
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"inputs\":{},\"gas\":5}",
        "{\"domain\":\"d\",\"function\":\"f\",\"function\":\"g\",\"from\":\"a@node1\"}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"inputs\":{}} {}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"retry\":3}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"retry\":"
            + "{\"maxAttempts\":0,\"first\":\"PT1S\",\"most\":\"PT1S\"}}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"retry\":"
            + "{\"maxAttempts\":2,\"first\":\"PT1S\",\"most\":\"soon\"}}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"retry\":"
            + "{\"maxAttempts\":2,\"first\":\"PT1S\",\"most\":\"PT1S\",\"x\":1}}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"retry\":"
            + "{\"maxAttempts\":2,\"first\":\"PT1S\",\"most\":\"PT1S\",\"pauses\":[]}}",
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"retry\":"
            + "{\"maxAttempts\":2,\"first\":\"PT1S\",\"most\":\"PT1S\",\"pauses\":[1]}}",
      })
  void parametersThatAreNoPrivateTransactionAreRefused(String json) {
    var call =
        new MessageBytes()
            .message(1, new MessageBytes().bytes(4, Bytes.hex("0a".repeat(20))))
            .bytes(4, Bytes.utf8(json));
    var body = new MessageBytes().message(7, call).finish();

    assertThatThrownBy(() -> mvp.readScheduled(body))
        .hasMessageContaining("no private transaction")
        .extracting("code")
        .isEqualTo(ResponseCode.UNPARSEABLE_SCHEDULED_TRANSACTION);
  }

  @Test
  void whatIsNotKnownHereIsNotScheduled() throws Exception {
    // tokenMint, field 37
    var body = mvp.readScheduled(Bytes.hex("aa0200"));
    assertThat(body.action()).isEqualTo(new Action.Unschedulable("field 37"));

    // a transfer, and beside it a field 9000
    var transfer = writer.scheduled(0, 0, "", TRANSFER).bytes().toHex();
    assertThatThrownBy(() -> mvp.readScheduled(Bytes.hex(transfer + "c0b20401")))
        .isInstanceOf(RefusedTransactionException.class)
        .hasMessageContaining("field 9000")
        .extracting("code")
        .isEqualTo(ResponseCode.UNPARSEABLE_SCHEDULED_TRANSACTION);
    assertThatThrownBy(() -> mvp.readScheduled(Bytes.hex(transfer + transfer.substring(2))))
        .hasMessageContaining("twice");
  }

  @Test
  void bytesThatAreNoTransactionAreRefusedWithACode() {
    for (var hex : List.of("ff", "2a01", "2a00", "", "0a02ffff", "2a020a00")) {
      assertThatThrownBy(() -> mvp.read(Bytes.hex(hex)))
          .as(hex)
          .isInstanceOf(RefusedTransactionException.class)
          .extracting("code")
          .isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
    }
  }

  @Test
  void anIdIsCompleteAndAKeyIsThereAndCanBeRead() {
    var valid = new MessageBytes().number(1, 120);
    var account = new MessageBytes().message(2, CommonMessages.write(ALICE));
    assertThat(codeOf(new MessageBytes().message(4, valid)))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_ID);
    assertThat(codeOf(new MessageBytes().message(1, account).message(4, valid)))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_ID);

    assertThat(codeOf(withHeader().message(11, new MessageBytes().number(2, 5))))
        .isEqualTo(ResponseCode.KEY_REQUIRED);
    var nobodys = new MessageBytes().bytes(1, Bytes.hex("0a00"));
    assertThat(codeOf(withHeader().message(11, nobodys))).isEqualTo(ResponseCode.BAD_ENCODING);
    var short31 =
        new MessageBytes().message(1, new MessageBytes().bytes(2, Bytes.of(new byte[31])));
    assertThat(codeOf(withHeader().message(11, short31))).isEqualTo(ResponseCode.BAD_ENCODING);
  }

  @Test
  void aScheduleThatIsNotNamedOrIsOfAnotherShardIsNone() {
    var elsewhere = new MessageBytes().number(1, 123).number(3, 789);
    for (int operation : List.of(43, 44)) {
      assertThat(codeOf(withHeader().message(operation, new MessageBytes())))
          .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
      assertThat(codeOf(withHeader().message(operation, new MessageBytes().message(1, elsewhere))))
          .isEqualTo(ResponseCode.INVALID_SCHEDULE_ID);
    }
  }

  private static MessageBytes withHeader() {
    return new MessageBytes()
        .message(1, CommonMessages.write(HEADER.id()))
        .message(4, new MessageBytes().number(1, HEADER.validSeconds()));
  }

  private ResponseCode codeOf(MessageBytes body) {
    try {
      mvp.read(TransactionWriter.signed(body.finish(), List.of()));
      throw new AssertionError("It was read.");
    } catch (RefusedTransactionException e) {
      assertThat(e.getMessage()).endsWith(".");
      return e.code();
    }
  }

  @Test
  void keysNestedTooDeeplyAreRefusedBeforeTheyAreRead() {
    var key = CommonMessages.write(KEY).finish();
    for (int i = 0; i < 2_000; i++) {
      key = new MessageBytes().message(6, new MessageBytes().message(1, key)).finish();
    }
    var deep = key;
    assertThatThrownBy(() -> CommonMessages.readKey(deep)).hasMessageContaining("15 levels");
  }

  @Test
  void fifteenLevelsAreRead() throws Exception {
    AccountKey key = KEY;
    for (int i = 1; i < AccountKey.DEEPEST; i++) {
      key = new AccountKey.KeyList(List.of(key));
    }
    assertThat(CommonMessages.readKey(CommonMessages.write(key).finish())).isEqualTo(key);
  }

  @Test
  void twoSignaturesOfOnePrefixAreRefused() {
    var pair =
        new SignaturePair(Bytes.hex("01"), PublicKey.Algorithm.ED25519, Bytes.of(new byte[64]));
    var body = writer.body(HEADER, new Operation.ScheduleDelete(BOB));

    assertThatThrownBy(() -> mvp.read(TransactionWriter.signed(body, List.of(pair, pair))))
        .extracting("code")
        .isEqualTo(ResponseCode.KEY_PREFIX_MISMATCH);
  }

  /** Some write a field that they leave empty. */
  @Test
  void theSignedTransactionMayStandEmptyBesideTheParts() throws Exception {
    var body = writer.body(HEADER, new Operation.ScheduleDelete(BOB));
    var older =
        new MessageBytes()
            .message(3, CommonMessages.writeSignatures(List.of()))
            .bytes(4, body)
            .message(5, Bytes.EMPTY)
            .finish();

    assertThat(mvp.read(older).operation()).isEqualTo(new Operation.ScheduleDelete(BOB));
  }

  /** Clients write them, and here they say nothing. */
  @Test
  void durationsOfWhatIsToBeScheduledAreTaken() throws Exception {
    var duration = new MessageBytes().number(1, 120);
    var create =
        new MessageBytes().bytes(1, CommonMessages.write(KEY).finish()).message(9, duration);
    var body =
        new MessageBytes()
            .message(2, CommonMessages.write(QUEUE))
            .message(4, duration)
            .message(11, create)
            .finish();

    assertThat(mvp.readScheduled(body).action())
        .isEqualTo(new Action.CryptoCreate(KEY, new Amount(0), false, ""));
  }

  @Test
  void aMissingAccountIsCalledSo() {
    var update = new MessageBytes().bytes(3, CommonMessages.write(KEY).finish());
    var id =
        new MessageBytes()
            .message(1, CommonMessages.write(new ConsensusTime(0)))
            .message(2, CommonMessages.write(ALICE));
    var body =
        new MessageBytes()
            .message(1, id)
            .message(2, CommonMessages.write(QUEUE))
            .message(4, new MessageBytes().number(1, 120))
            .message(15, update);

    assertThatThrownBy(() -> mvp.read(TransactionWriter.signed(body.finish(), List.of())))
        .hasMessageContaining("names no AccountID");
  }
}
