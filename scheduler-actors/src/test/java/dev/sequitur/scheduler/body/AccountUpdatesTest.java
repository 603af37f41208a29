package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Each field of a CryptoUpdate is taken, passed over or refused with a code, and none forgotten.
 */
class AccountUpdatesTest {
  private static final NodeAccount FRONT = new NodeAccount(0, 3);
  private static final EntityId ALICE = new EntityId(1001);
  private static final PublicKey KEY =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex("58" + "66".repeat(31)));
  private static final Path PAGE = Path.of("..", "docs", "hedera.md");

  /** What is sent, and what comes of it: a code at once, or what reaches the rules. */
  private record Row(MessageBytes sent, Object expected) {}

  private static MessageBytes in(int field, MessageBytes value) {
    return new MessageBytes().message(field, value);
  }

  private static MessageBytes one() {
    return new MessageBytes().number(1, 1);
  }

  private static Object taken(Function<AccountChange, Object> part, Object value) {
    return new Taken(part, value);
  }

  private record Taken(Function<AccountChange, Object> part, Object value) {}

  private static final Map<Integer, Row> ROWS =
      Map.ofEntries(
          Map.entry(2, new Row(new MessageBytes(), AccountChange.NONE)),
          Map.entry(
              3,
              new Row(in(3, CommonMessages.write(KEY)), taken(change -> change.key().get(), KEY))),
          Map.entry(
              4,
              new Row(
                  in(4, CommonMessages.write(ALICE)),
                  ResponseCode.PROXY_ACCOUNT_ID_FIELD_IS_DEPRECATED)),
          Map.entry(5, new Row(new MessageBytes().number(5, 7), AccountChange.NONE)),
          Map.entry(6, new Row(new MessageBytes().number(6, 7), AccountChange.NONE)),
          Map.entry(7, new Row(new MessageBytes().number(7, 7), AccountChange.NONE)),
          Map.entry(8, new Row(in(8, one()), taken(change -> change.autoRenewSeconds().get(), 1L))),
          Map.entry(9, new Row(in(9, one()), taken(change -> change.expirationSecond().get(), 1L))),
          Map.entry(
              10,
              new Row(
                  new MessageBytes().number(10, 1),
                  taken(change -> change.receiverSigRequired().get(), true))),
          Map.entry(11, new Row(in(11, one()), AccountChange.NONE)),
          Map.entry(12, new Row(in(12, one()), AccountChange.NONE)),
          Map.entry(
              13,
              new Row(
                  in(13, new MessageBytes()),
                  taken(change -> change.receiverSigRequired().get(), false))),
          Map.entry(
              14,
              new Row(
                  in(14, new MessageBytes().text(1, "rent")),
                  taken(change -> change.memo().get(), "rent"))),
          Map.entry(15, new Row(in(15, one()), taken(change -> change.maxAssociations().get(), 1))),
          Map.entry(
              16,
              new Row(
                  in(16, CommonMessages.write(ALICE)),
                  taken(change -> change.stake().get(), new AccountChange.Stake(false, 1001)))),
          Map.entry(
              17,
              new Row(
                  new MessageBytes().member(17, 0),
                  taken(change -> change.stake().get(), new AccountChange.Stake(true, 0)))),
          Map.entry(
              18, new Row(in(18, one()), taken(change -> change.declineReward().get(), true))),
          Map.entry(19, new Row(new MessageBytes().number(19, 1), ResponseCode.NOT_SUPPORTED)),
          Map.entry(20, new Row(in(20, new MessageBytes()), ResponseCode.NOT_SUPPORTED)),
          Map.entry(
              21,
              new Row(
                  new MessageBytes().bytes(21, Bytes.hex("0a".repeat(20))),
                  ResponseCode.NOT_SUPPORTED)));

  private static Object answer(Bytes update) {
    var body =
        new MessageBytes()
            .message(
                1,
                CommonMessages.write(
                    AccountTransactionId.submitted(new ConsensusTime(1_600_000_000L), ALICE)))
            .message(2, CommonMessages.write(FRONT))
            .number(3, 100)
            .message(4, new MessageBytes().number(1, 120))
            .message(15, update)
            .finish();
    try {
      var read =
          TransactionReader.of(Profile.CURRENT, FRONT)
              .read(TransactionWriter.signed(body, List.of()));
      assertThat(read.operation()).isInstanceOf(Operation.CryptoUpdate.class);
      return ((Operation.CryptoUpdate) read.operation()).change();
    } catch (RefusedTransactionException e) {
      return e.code();
    }
  }

  private static Bytes update(MessageBytes field) {
    var account = new MessageBytes().message(2, CommonMessages.write(ALICE)).finish();
    return Bytes.hex(account.toHex() + field.finish().toHex().replaceFirst("^0x", ""));
  }

  @Test
  void eachFieldThatHederaHasIsAnsweredAsItsRowSays() {
    for (var field : PublicMessages.of(Profile.CURRENT).fields("CryptoUpdate")) {
      var row = ROWS.get(field.getNumber());
      assertThat(row).as("Say what field %d comes to", field.getNumber()).isNotNull();
      var answer = answer(update(row.sent()));
      if (row.expected() instanceof Taken(var part, var value)) {
        assertThat(answer).as("field %d", field.getNumber()).isInstanceOf(AccountChange.class);
        assertThat(part.apply((AccountChange) answer)).isEqualTo(value);
      } else {
        assertThat(answer).as("field %d", field.getNumber()).isEqualTo(row.expected());
      }
    }
  }

  @Test
  void thePageForItsUsersHasEachField() throws IOException {
    var page = Files.readString(PAGE);
    for (var field : PublicMessages.of(Profile.CURRENT).fields("CryptoUpdate")) {
      assertThat(page)
          .containsPattern("\\| [0-9, ]*\\b" + field.getNumber() + "\\b[0-9, ]* [^|]*\\|");
    }
  }

  @Test
  void anAccountThatIsNotNamedOrOfAnotherShardDoesNotExist() {
    assertThat(answer(Bytes.EMPTY)).isEqualTo(ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
    var elsewhere = new MessageBytes().message(2, new MessageBytes().number(1, 5).number(3, 7));
    assertThat(answer(elsewhere.finish())).isEqualTo(ResponseCode.INVALID_ACCOUNT_ID);
  }

  @Test
  void whoIsStakedToElsewhereIsToldThatNobodyStakes() {
    var elsewhere = in(16, new MessageBytes().number(1, 5).number(3, 7));
    assertThat(answer(update(elsewhere))).isEqualTo(ResponseCode.STAKING_NOT_ENABLED);
  }

  @Test
  void aNumberThatInt32CannotHoldIsRefused() {
    var wide = in(15, new MessageBytes().number(1, 1L << 32));
    assertThat(answer(update(wide))).isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
  }

  @Test
  void inMvpTheKeyAloneIsTaken() {
    var writer = new TransactionWriter(Profile.MVP, FRONT);
    var header =
        new Header(
            AccountTransactionId.submitted(new ConsensusTime(1_600_000_000L), ALICE), 120, 9, "");
    var change = AccountChange.ofKey(KEY).withMemo(Optional.of("memo"));
    var body = writer.body(header, new Operation.CryptoUpdate(ALICE, change));

    assertThatThrownBy(
            () ->
                TransactionReader.of(Profile.MVP, FRONT)
                    .read(TransactionWriter.signed(body, List.of())))
        .extracting("code")
        .isEqualTo(ResponseCode.NOT_SUPPORTED);
  }
}
