package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.signing.AccountAmount;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.protocol.schedule.signing.Creation;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.Key;
import dev.sequitur.protocol.schedule.signing.Profile;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.ResponseCode;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransactionReaderTest {
  private static final EntityId ALICE = new EntityId(1001);
  private static final EntityId BOB = new EntityId(1002);
  private static final Action TRANSFER =
      new Action.CryptoTransfer(List.of(new AccountAmount(ALICE, -5), new AccountAmount(BOB, 5)));
  private static final Header HEADER =
      new Header(
          TransactionId.submitted(new ConsensusTime(1_600_000_000_000_000_123L), ALICE),
          120,
          100,
          "memo");
  private static final PublicKey KEY =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(new byte[32]));

  private final TransactionReader mvp = new TransactionReader(Profile.MVP);
  private final TransactionWriter writer = new TransactionWriter(Profile.MVP);

  /** By hand, from the public field numbers: 0.0.1001 gives 5 to 0.0.1002, nonce 7, fee 100. */
  @Test
  void aBodyIsTheseBytes() throws Exception {
    String gives = "0a03" + "18e907" + "1009"; // accountID { 1001 }, amount: -5
    String takes = "0a03" + "18ea07" + "100a"; // accountID { 1002 }, amount: 5
    String rows = message("0a", gives) + message("0a", takes);
    String transactionId = message("0a", "2007"); // nonce: 7
    String fee = "1864";
    var bytes = Bytes.hex(transactionId + fee + message("72", message("0a", rows)));

    var body = mvp.readScheduled(bytes);

    assertThat(body.nonce()).isEqualTo(7);
    assertThat(body.maxFee()).isEqualTo(100);
    assertThat(body.action()).isEqualTo(TRANSFER);
    assertThat(writer.scheduled(7, 100, "", TRANSFER).bytes()).isEqualTo(bytes);
  }

  private static String message(String tag, String content) {
    return tag + String.format("%02x", content.length() / 2) + content;
  }

  @Test
  void everyOperationIsReadAsItWasWritten() throws Exception {
    var body = writer.scheduled(7, 100, "inner", TRANSFER);
    var key = new Key.ThresholdKey(1, List.of(KEY, new Key.KeyList(List.of(KEY))));
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
      var read = mvp.read(writer.signed(writer.body(HEADER, operation), List.of(pair)));

      assertThat(read.operation()).isEqualTo(operation);
      assertThat(read.header()).isEqualTo(HEADER);
      assertThat(read.signatures()).containsExactly(pair);
      assertThat(read.bodyBytes()).isEqualTo(writer.body(HEADER, operation));
      assertThat(read.hash().size()).isEqualTo(48);
    }
  }

  @Test
  void inCurrentAScheduleHasATime() throws Exception {
    var current = new TransactionWriter(Profile.CURRENT);
    var body = current.scheduled(0, 100, "inner", TRANSFER);
    var creation =
        new Creation(body, Optional.of(KEY), Optional.of(BOB), "outer", Optional.of(2_000L), true);
    var operation = new Operation.ScheduleCreate(creation, List.of());

    var read =
        new TransactionReader(Profile.CURRENT)
            .read(current.signed(current.body(HEADER, operation), List.of()));

    assertThat(read.operation()).isEqualTo(operation);
  }

  @Test
  void aPrivateTransactionIsACallOfTheGroupsContract() throws Exception {
    for (var profile : Profile.values()) {
      var call =
          new Target.PrivateCall(
              new ContractAddress("0x" + "0a".repeat(20)),
              "token",
              "transfer",
              new Identity("alice", new NodeName("node1")),
              Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":5}"));
      var action = new Action.PrivateTransaction(call);

      var body = new TransactionWriter(profile).scheduled(0, 100, "", action);

      assertThat(new TransactionReader(profile).readScheduled(body.bytes()).action())
          .isEqualTo(action);
    }
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
    Key key = KEY;
    for (int i = 1; i < Key.DEEPEST; i++) {
      key = new Key.KeyList(List.of(key));
    }
    assertThat(CommonMessages.readKey(CommonMessages.write(key).finish())).isEqualTo(key);
  }

  @Test
  void twoSignaturesOfOnePrefixAreRefused() {
    var pair =
        new SignaturePair(Bytes.hex("01"), PublicKey.Algorithm.ED25519, Bytes.of(new byte[64]));
    var body = writer.body(HEADER, new Operation.ScheduleDelete(BOB));

    assertThatThrownBy(() -> mvp.read(writer.signed(body, List.of(pair, pair))))
        .extracting("code")
        .isEqualTo(ResponseCode.KEY_PREFIX_MISMATCH);
  }
}
