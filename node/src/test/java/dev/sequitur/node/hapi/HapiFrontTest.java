package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.sequitur.node.hapi.FrontUnderTest.Answered;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.body.ExchangeRates;
import dev.sequitur.scheduler.body.NetworkAnswers;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What Hedera's clients are answered, byte by byte; {@link HederaClientsIT} has the clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HapiFrontTest {
  private static final String TRANSFER = "/proto.CryptoService/cryptoTransfer";
  private static final String RECORD = "/proto.CryptoService/getTxRecordByTxID";
  private static final String RECEIPT = "/proto.CryptoService/getTransactionReceipts";
  private static final EntityId NODE = new EntityId(3);
  private static final ConsensusTime FAR = ConsensusTime.ofSeconds(7_000_000_000L);

  private final SigningClient client = new SigningClient();
  private final KeyPair operator = client.operator;
  private final TransactionWriter writer =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));
  private FrontUnderTest front;

  @BeforeAll
  void start(@TempDir Path directory) {
    var configured = FrontUnderTest.configured(directory, SigningClient.publicKey(operator));
    var next = new ExchangeRates.Next(new ExchangeRates.Rate(3, 40), FAR);
    var rates = new ExchangeRates(new ExchangeRates.Rate(2, 25), Optional.of(next));
    front =
        new FrontUnderTest(
            configured.withHapi(configured.hapi().map(settings -> settings.withRates(rates))));
  }

  @AfterAll
  void stop() {
    front.close();
  }

  private Bytes signed(
      TransactionWriter by, AccountTransactionId id, Operation operation, KeyPair key) {
    return SigningClient.signed(by, id, operation, key);
  }

  private AccountTransactionId id() {
    return client.id();
  }

  private static Operation sending(EntityId to) {
    return new Operation.CryptoTransfer(
        new Action.CryptoTransfer(
            List.of(new AccountAmount(FrontUnderTest.OPERATOR, -5), new AccountAmount(to, 5))));
  }

  static Bytes receiptOf(AccountTransactionId id) {
    return query(14, id);
  }

  private static Bytes query(int kind, AccountTransactionId id) {
    var start =
        message(
            1,
            varint(1, id.validStart().seconds()),
            varint(2, id.validStart().nanos() % 1_000_000_000));
    var account = message(2, varint(3, id.account().number()));
    return Bytes.of(message(kind, message(2, start, account)));
  }

  /** About an account, or a schedule. */
  static Bytes questionOf(int kind, long account) {
    return Bytes.of(message(kind, message(2, varint(3, account))));
  }

  /** The question about an account, or a schedule, with what is paid for it. */
  static Bytes paidQuestionOf(int kind, long account, Bytes payment) {
    return Bytes.of(message(kind, paying(payment), message(2, varint(3, account))));
  }

  private static Bytes paidRecordOf(AccountTransactionId id, Bytes payment) {
    var start =
        message(
            1,
            varint(1, id.validStart().seconds()),
            varint(2, id.validStart().nanos() % 1_000_000_000));
    var account = message(2, varint(3, id.account().number()));
    return Bytes.of(message(15, paying(payment), message(2, start, account)));
  }

  private static byte[] paying(Bytes payment) {
    return message(1, message(1, payment.toByteArray()));
  }

  private static byte[] varint(int field, long value) {
    var bytes = new java.io.ByteArrayOutputStream();
    try {
      var output = com.google.protobuf.CodedOutputStream.newInstance(bytes);
      output.writeUInt64(field, value);
      output.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] message(int field, byte[]... parts) {
    var content = new java.io.ByteArrayOutputStream();
    Arrays.stream(parts).forEach(content::writeBytes);
    var bytes = new java.io.ByteArrayOutputStream();
    try {
      var output = com.google.protobuf.CodedOutputStream.newInstance(bytes);
      output.writeByteArray(field, content.toByteArray());
      output.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  /** Numbers of a message by their fields, and those of messages within it by their path. */
  private static Map<String, Long> numbers(Bytes message, String path) throws IOException {
    var found = new TreeMap<String, Long>();
    var input = CodedInputStream.newInstance(message.toByteArray());
    while (!input.isAtEnd()) {
      int tag = input.readTag();
      var at = path + WireFormat.getTagFieldNumber(tag);
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT) {
        found.put(at, input.readUInt64());
      } else {
        found.put(at, -1L);
        try {
          found.putAll(numbers(Bytes.of(input.readByteArray()), at + "."));
        } catch (IOException e) {
          // Bytes that are no message.
        }
      }
    }
    return found;
  }

  /** Of a TransactionResponse, or in the header of another answer. */
  static ResponseCode code(Answered answered, String field) throws IOException {
    assertThat(answered.status()).as(answered.sentence()).isEqualTo("0");
    long number = numbers(answered.message(), "").getOrDefault(field, 0L);
    return Arrays.stream(ResponseCode.values())
        .filter(code -> code.number(Profile.CURRENT).orElse(-1) == number)
        .findFirst()
        .orElseThrow();
  }

  private ResponseCode submit(Bytes transaction) throws IOException {
    return code(front.call(TRANSFER, transaction), "1");
  }

  private ResponseCode receipt(AccountTransactionId id) throws IOException {
    return code(front.call(RECEIPT, receiptOf(id)), "14.2.1");
  }

  private ResponseCode receiptsPrecheck(AccountTransactionId id) throws IOException {
    return code(front.call(RECEIPT, receiptOf(id)), "14.1.1");
  }

  @Test
  void whatIsRefusedOnceItIsDecidedHasAReceipt() throws Exception {
    var id = id();
    var transaction = signed(writer, id, sending(new EntityId(999_999)), operator);

    assertThat(submit(transaction)).isEqualTo(ResponseCode.OK);
    assertThat(receipt(id)).isEqualTo(ResponseCode.INVALID_ACCOUNT_ID);
    assertThat(numbers(front.call(RECEIPT, receiptOf(id)).message(), ""))
        .as("the exchange rate, until when, and the next")
        .containsEntry("14.2.5.1.1", 2L)
        .containsEntry("14.2.5.1.2", 25L)
        .containsEntry("14.2.5.1.3.1", FAR.seconds())
        .containsEntry("14.2.5.2.1", 3L)
        .containsEntry("14.2.5.2.2", 40L);
  }

  @Test
  void theSameBytesAgainAreTakenAndOthersUnderTheirIdAreNot() throws Exception {
    var id = id();
    var transaction = signed(writer, id, sending(new EntityId(999_999)), operator);

    assertThat(submit(transaction)).isEqualTo(ResponseCode.OK);
    assertThat(submit(transaction)).isEqualTo(ResponseCode.OK);
    assertThat(submit(signed(writer, id, sending(new EntityId(999_998)), operator)))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
  }

  @Test
  void whatIsWrongWhoeverDecidesItHasNone() throws Exception {
    var id = id();
    assertThat(submit(signed(writer, id, sending(NODE), SigningClient.ed25519())))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(receiptsPrecheck(id)).isEqualTo(ResponseCode.RECEIPT_NOT_FOUND);
    assertThat(code(front.call(RECORD, paidRecordOf(id, client.payment(1))), "15.1.1"))
        .isEqualTo(ResponseCode.RECORD_NOT_FOUND);

    var late =
        AccountTransactionId.submitted(
            ConsensusTime.of(Instant.now().minusSeconds(1_000)), FrontUnderTest.OPERATOR);
    assertThat(submit(signed(writer, late, sending(NODE), operator)))
        .isEqualTo(ResponseCode.TRANSACTION_EXPIRED);

    var nobody = AccountTransactionId.submitted(id().validStart(), new EntityId(77));
    assertThat(submit(signed(writer, nobody, sending(NODE), operator)))
        .isEqualTo(ResponseCode.PAYER_ACCOUNT_NOT_FOUND);
  }

  private long balance() throws IOException {
    var answered = front.call("/proto.CryptoService/cryptoGetBalance", questionOf(7, 2));
    return numbers(answered.message(), "").get("7.3");
  }

  private long balanceOfTheNode() throws IOException {
    var answered =
        front.call("/proto.CryptoService/cryptoGetBalance", questionOf(7, NODE.number()));
    return numbers(answered.message(), "").getOrDefault("7.3", 0L);
  }

  /** MSIG-20, MSIG-22: an SDK's own example sends it money; who is asked is paid. */
  @Test
  void theNodeAccountIsOneAsAnyOther() throws Exception {
    long before = balanceOfTheNode();
    var sent = id();

    assertThat(submit(signed(writer, sent, sending(NODE), operator))).isEqualTo(ResponseCode.OK);
    assertThat(receipt(sent)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(balanceOfTheNode()).isEqualTo(before + 5);

    var shown = info(paidQuestionOf(9, NODE.number(), client.payment(2)));
    assertThat(balanceOfTheNode()).as("what it is paid for the question").isEqualTo(before + 7);
    assertThat(numbers(shown.message(), ""))
        .containsEntry("9.2.8", before + 7)
        .containsKey("9.2.22")
        .doesNotContainKey("9.2.22.5")
        .doesNotContainKey("9.2.22.6");
    var deletion = id();
    var delete = new Operation.CryptoDelete(NODE, FrontUnderTest.OPERATOR);
    assertThat(submit(signed(writer, deletion, delete, operator))).isEqualTo(ResponseCode.OK);
    assertThat(receipt(deletion)).isEqualTo(ResponseCode.ENTITY_NOT_ALLOWED_TO_DELETE);
  }

  private Answered info(Bytes question) {
    return front.call("/proto.CryptoService/getAccountInfo", question);
  }

  @Test
  void aQuestionTellsItsPriceAndIsPaidForOnce() throws Exception {
    var cost = Bytes.of(message(9, message(1, varint(2, 2)), message(2, varint(3, 2))));
    assertThat(numbers(info(cost).message(), "")).containsEntry("9.1.3", 1L);
    long before = balance();
    var question = paidQuestionOf(9, 2, client.payment(1));

    var first = info(question);
    assertThat(code(first, "9.1.1")).isEqualTo(ResponseCode.OK);
    assertThat(numbers(first.message(), "")).containsKey("9.2.8");
    assertThat(balance()).as("the price, and what a transfer costs").isEqualTo(before - 2);

    assertThat(numbers(info(question).message(), "")).containsKey("9.2.8");
    assertThat(balance()).as("the same again").isEqualTo(before - 2);
  }

  @Test
  void whatIsPaidForOneQuestionAnswersNoOther() throws Exception {
    var payment = client.payment(1);
    assertThat(code(info(paidQuestionOf(9, 2, payment)), "9.1.1")).isEqualTo(ResponseCode.OK);
    assertThat(code(info(paidQuestionOf(9, 3, payment)), "9.1.1"))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
  }

  @Test
  void whoeverPaysNothingOrNotRightIsToldSo() throws Exception {
    long before = balance();
    assertThat(code(info(questionOf(9, 2)), "9.1.1")).isEqualTo(ResponseCode.INSUFFICIENT_TX_FEE);
    assertThat(code(info(paidQuestionOf(9, 2, Bytes.hex("ff"))), "9.1.1"))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
    var elsewhere = signed(writer, id(), sending(new EntityId(999_999)), operator);
    assertThat(code(info(paidQuestionOf(9, 2, elsewhere)), "9.1.1"))
        .isEqualTo(ResponseCode.INVALID_RECEIVING_NODE_ACCOUNT);
    var noTransfer = signed(writer, id(), new Operation.ScheduleDelete(new EntityId(9)), operator);
    assertThat(code(info(paidQuestionOf(9, 2, noTransfer)), "9.1.1"))
        .isEqualTo(ResponseCode.INSUFFICIENT_TX_FEE);
    var unsigned = signed(writer, id(), sending(NODE), SigningClient.ed25519());
    assertThat(code(info(paidQuestionOf(9, 2, unsigned)), "9.1.1"))
        .isEqualTo(ResponseCode.INVALID_SIGNATURE);
    assertThat(balance()).isEqualTo(before);
  }

  /** As that network does. */
  @Test
  void balancesAndReceiptsAreAnsweredForNothing() throws Exception {
    assertThat(code(front.call("/proto.CryptoService/cryptoGetBalance", questionOf(7, 2)), "7.1.1"))
        .isEqualTo(ResponseCode.OK);
    assertThat(receiptsPrecheck(id())).isEqualTo(ResponseCode.RECEIPT_NOT_FOUND);
  }

  @Test
  void whatAnAccountIsToldIsShown() throws Exception {
    var key = SigningClient.ed25519();
    var account = new Action.CryptoCreate(SigningClient.publicKey(key), new Amount(5), false, "");
    var opened = id();
    assertThat(submit(signed(writer, opened, new Operation.CryptoCreate(account), operator)))
        .isEqualTo(ResponseCode.OK);
    long number = numbers(front.call(RECEIPT, receiptOf(opened)).message(), "").get("14.2.2.3");
    var change =
        new AccountChange(
            Optional.empty(),
            Optional.of(true),
            Optional.of("rent"),
            Optional.of(3_000_000L),
            Optional.of(true),
            Optional.empty(),
            Optional.of(0),
            Optional.of(new AccountChange.Stake(true, -1)));
    var updated = id();
    var update = new Operation.CryptoUpdate(new EntityId(number), change);

    assertThat(submit(SigningClient.signed(writer, updated, update, operator, key)))
        .isEqualTo(ResponseCode.OK);
    assertThat(receipt(updated)).isEqualTo(ResponseCode.SUCCESS);
    var shown = info(paidQuestionOf(9, number, client.payment(1))).message();
    assertThat(numbers(shown, ""))
        .containsEntry("9.2.11", 1L)
        .containsEntry("9.2.13.1", 3_000_000L)
        .containsEntry("9.2.22.1", 1L)
        .containsKey("9.2.16");
  }

  @Test
  void anAccountIsChangedByASchedule() throws Exception {
    var key = SigningClient.ed25519();
    var account = new Action.CryptoCreate(SigningClient.publicKey(key), new Amount(5), false, "");
    var opened = id();
    submit(signed(writer, opened, new Operation.CryptoCreate(account), operator));
    long number = numbers(front.call(RECEIPT, receiptOf(opened)).message(), "").get("14.2.2.3");
    var change = AccountChange.NONE.withReceiverSigRequired(Optional.of(true));
    var body =
        writer.scheduled(0, 1_000, "", new Action.CryptoUpdate(new EntityId(number), change));
    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var created = id();

    assertThat(
            submit(
                SigningClient.signed(
                    writer,
                    created,
                    new Operation.ScheduleCreate(creation, List.of()),
                    operator,
                    key)))
        .isEqualTo(ResponseCode.OK);

    assertThat(receipt(created)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(receipt(created.triggered(0))).isEqualTo(ResponseCode.SUCCESS);
    var shown = info(paidQuestionOf(9, number, client.payment(1))).message();
    assertThat(numbers(shown, "")).containsEntry("9.2.11", 1L);
    assertThat(shown(new JsonRpcCaller(front.mirror()), created))
        .contains("CRYPTOUPDATEACCOUNT", "0.0." + number + "\"");
  }

  /** MSIG-24; and the mirror's view has what was asked, also of what was refused. */
  @Test
  void anAccountIsDeletedAndItIsSaidOfWhatWasAsked() throws Exception {
    var key = SigningClient.ed25519();
    var account = new Action.CryptoCreate(SigningClient.publicKey(key), new Amount(5), false, "");
    var opened = id();
    submit(signed(writer, opened, new Operation.CryptoCreate(account), operator));
    long number = numbers(front.call(RECEIPT, receiptOf(opened)).message(), "").get("14.2.2.3");
    var gone = new EntityId(number);
    var updated = id();
    var change = AccountChange.ofKey(SigningClient.publicKey(key));
    submit(
        SigningClient.signed(
            writer, updated, new Operation.CryptoUpdate(gone, change), operator, key));
    var deleted = id();
    var deletion = new Operation.CryptoDelete(gone, FrontUnderTest.OPERATOR);

    assertThat(submit(SigningClient.signed(writer, deleted, deletion, operator, key)))
        .isEqualTo(ResponseCode.OK);

    assertThat(receipt(deleted)).isEqualTo(ResponseCode.SUCCESS);
    var balance = front.call("/proto.CryptoService/cryptoGetBalance", questionOf(7, number));
    assertThat(code(balance, "7.1.1")).isEqualTo(ResponseCode.ACCOUNT_DELETED);
    var again = id();
    submit(SigningClient.signed(writer, again, deletion, operator, key));
    assertThat(receipt(again)).isEqualTo(ResponseCode.ACCOUNT_DELETED);
    var mirror = new JsonRpcCaller(front.mirror());
    assertThat(mirror.get("/api/v1/accounts/" + gone)).contains("\"deleted\":true");
    assertThat(shown(mirror, updated)).contains("CRYPTOUPDATEACCOUNT", gone + "\"");
    assertThat(shown(mirror, deleted)).contains("CRYPTODELETE", gone + "\"");
    assertThat(shown(mirror, again)).contains("CRYPTODELETE", "ACCOUNT_DELETED");
  }

  private static String shown(JsonRpcCaller mirror, AccountTransactionId id) {
    var start =
        "%d-%09d".formatted(id.validStart().seconds(), id.validStart().nanos() % 1_000_000_000);
    return mirror.get("/api/v1/transactions/" + id.account() + "-" + start);
  }

  /** Clients ask again while that is what they are answered. */
  @Test
  void whatIsBeingWorkedOnIsUnknown() throws Exception {
    var answered = new Answered("0", "", NetworkAnswers.receiptToCome());

    assertThat(code(answered, "14.1.1")).isEqualTo(ResponseCode.OK);
    assertThat(code(answered, "14.2.1")).isEqualTo(ResponseCode.UNKNOWN);
  }

  /** Clients wait then, and send the same again: a front that fails they would count as away. */
  @Test
  void whatHasNoAnswerInTimeIsToldBusy() throws Exception {
    var question = questionOf(7, 2);

    assertThat(
            code(
                front.callWithin("1n", "/proto.CryptoService/cryptoGetBalance", question), "7.1.1"))
        .isEqualTo(ResponseCode.BUSY);
    var id = id();
    var transaction = signed(writer, id, sending(new EntityId(999_999)), operator);
    assertThat(code(front.callWithin("1n", TRANSFER, transaction), "1"))
        .isEqualTo(ResponseCode.BUSY);
    assertThat(submit(transaction)).isEqualTo(ResponseCode.OK);
  }

  /**
   * A client whose first front has died sends the same to another one, for which it has signed it,
   * too. It came in by JSON-RPC here, under the queue's own node account.
   */
  @Test
  void whatCameInElsewhereUnderAnotherNodeAccountIsTakenOnce() throws Exception {
    var id = id();
    var key = SigningClient.publicKey(SigningClient.ed25519());
    var opening =
        new Operation.CryptoCreate(new Action.CryptoCreate(key, new Amount(5), false, ""));
    var elsewhere =
        new TransactionWriter(Profile.CURRENT, NodeAccount.of(new NodeName("front"), "default"));
    var first =
        new JsonRpcCaller(front.url())
            .result(
                "multiSignature_cryptoCreate",
                "[{'transaction':'" + signed(elsewhere, id, opening, operator).toHex() + "'}]");

    assertThat(submit(signed(writer, id, opening, operator))).isEqualTo(ResponseCode.OK);

    assertThat(receipt(id)).isEqualTo(ResponseCode.SUCCESS);
    assertThat(numbers(front.call(RECEIPT, receiptOf(id)).message(), "").get("14.2.2.3"))
        .isEqualTo(EntityId.parse(first.get("accountID").textValue()).number());
    var other = new Operation.CryptoCreate(new Action.CryptoCreate(key, new Amount(6), false, ""));
    assertThat(submit(signed(writer, id, other, operator)))
        .isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
  }

  @Test
  void whatIsForAnotherNodeAccountIsNotTaken() throws Exception {
    var other = new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 4));

    assertThat(submit(signed(other, id(), sending(NODE), operator)))
        .isEqualTo(ResponseCode.INVALID_NODE_ACCOUNT);
  }

  @Test
  void bytesThatAreNoTransactionAreToldSo() throws Exception {
    assertThat(submit(Bytes.hex("ffff"))).isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
    assertThat(submit(Bytes.of(new byte[7_000]))).isEqualTo(ResponseCode.TRANSACTION_OVERSIZE);
    assertThat(code(front.call(RECEIPT, Bytes.hex("ffff")), "14.1.1"))
        .isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
  }

  @Test
  void aMethodThatIsNotThereIsUnimplemented() {
    assertThat(front.call("/proto.TokenService/getTokenInfo", Bytes.EMPTY).status())
        .isEqualTo("12");
    assertThat(front.call("/other", Bytes.EMPTY).status()).isEqualTo("12");
  }

  @Test
  void aMessageThatIsTooLongOrCompressedOrCutOffIsRefused() {
    assertThat(front.call(TRANSFER, Bytes.of(new byte[20_000])).status()).isEqualTo("8");
    assertThat(front.call(TRANSFER, FrontUnderTest.framed((byte) 1, Bytes.hex("00"))).status())
        .isEqualTo("12");
    assertThat(
            front
                .call(TRANSFER, FrontUnderTest.framed((byte) 0, Bytes.hex("0000")).take(6))
                .status())
        .isEqualTo("3");
  }
}
