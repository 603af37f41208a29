package dev.sequitur.schedule.multisignature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What whoever passes an operation on, and its answer, has to know of it. */
class MultiSignatureOperationTest {
  private static final EntityId ALICE = new EntityId(1001);
  private static final Hash HASH = Hash.sha256(new byte[0]);
  private static final VerifiedSignatures NONE = new VerifiedSignatures(HASH, List.of());
  private static final AccountTransactionId ID =
      AccountTransactionId.submitted(ConsensusTime.ZERO, ALICE);
  private static final Submission BY =
      new Submission(
          ID, new NodeAccount(0, 3), 120, 1, "", Bytes.EMPTY, new Hash(0, 0, 0, 0), NONE);
  private static final Target.PrivateCall CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          Identity.parse("alice@node1"),
          Bytes.utf8("{}"));

  /** What it may call is what its signer must be allowed to call. */
  @Test
  void itsTargetIsThePrivateTransactionThatItSchedules() {
    assertThat(create(Action.PrivateTransaction.once(CALL)).targets()).containsExactly(CALL);
    assertThat(create(new Action.CryptoTransfer(List.of())).targets()).isEmpty();
    assertThat(new MultiSignatureOperation.ScheduleSign(BY, ALICE, NONE).targets()).isEmpty();
  }

  private static MultiSignatureOperation create(Action action) {
    var body = new ScheduledTransaction(Bytes.EMPTY, HASH, 0, 1, "", action);
    return new MultiSignatureOperation.ScheduleCreate(
        BY,
        Creation.of(body, Optional.empty(), Optional.empty()),
        NONE,
        BodyLookup.NOTHING_ARCHIVED);
  }

  @Test
  void whatItsFamilyTellsBearsItsName() {
    var record =
        new TransactionRecord(
            TransactionReceipt.of(ResponseCode.SUCCESS),
            Bytes.EMPTY,
            new Hash(0, 0, 0, 0),
            ConsensusTime.ZERO,
            ID,
            "",
            1,
            ID.account(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    assertThat(new MultiSignatureNotice.Exported(record).family())
        .isEqualTo(FamilyKind.MULTI_SIGNATURE);
  }

  /** A number of the other profile would mean something else to its caller. */
  @Test
  void noAnswerHasAStatusThatItsProfileDoesNotKnow() {
    var current = ResponseCode.SCHEDULE_PENDING_EXPIRATION;

    assertThat(
            MultiSignatureResult.of(TransactionReceipt.of(current), Profile.CURRENT).responseCode())
        .isEqualTo(314);
    assertThatIllegalStateException()
        .isThrownBy(() -> MultiSignatureResult.of(TransactionReceipt.of(current), Profile.MVP))
        .withMessageContaining(current.name())
        .withMessageContaining("MVP");
  }
}
