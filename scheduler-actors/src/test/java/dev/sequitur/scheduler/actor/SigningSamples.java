package dev.sequitur.scheduler.actor;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Values of the multi-signature family with nothing left out. */
final class SigningSamples {
  static final EntityId ALICE = new EntityId(1_001);
  static final EntityId SCHEDULE = new EntityId(Long.MAX_VALUE - 1);
  static final PublicKey ED25519 =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(new byte[32]));
  static final PublicKey SECP256K1 =
      new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, Bytes.of(new byte[33]));
  static final AccountKey NESTED =
      new AccountKey.ThresholdKey(1, List.of(SECP256K1, new AccountKey.KeyList(List.of(ED25519))));
  static final AccountTransactionId ID =
      AccountTransactionId.submitted(new ConsensusTime(1_795_255_500_000_000_001L), ALICE);
  static final ScheduledTransaction BODY = body();

  private SigningSamples() {}

  private static ScheduledTransaction body() {
    var rows = List.of(new AccountAmount(ALICE, -5), new AccountAmount(SCHEDULE, 5));
    var bytes = Bytes.utf8("a body");
    var hash = Hash.sha256(bytes.toByteArray());
    return new ScheduledTransaction(bytes, hash, -1, 7, "memo", new Action.CryptoTransfer(rows));
  }

  static Creation creation() {
    return new Creation(
        BODY, Optional.of(NESTED), Optional.of(ALICE), "outer", Optional.of(2_000L), true);
  }

  static MultiSignatureTerms terms() {
    return new MultiSignatureTerms(SCHEDULE, ID.triggered(3), creation(), 2_000, ID.validStart());
  }

  static Proposal proposal() {
    return Proposal.of(ALICE.account(), terms(), new Target.ByFamily());
  }

  static Action.CryptoCreate account() {
    return new Action.CryptoCreate(NESTED, new Amount(5), true, "memo");
  }

  static VerifiedSignatures signatures() {
    var nobodys = new SignatureCheck(Bytes.hex("01"), List.of());
    return new VerifiedSignatures(BODY.hash(), List.of(SignatureCheck.by(ED25519), nobodys));
  }

  static Submission submission() {
    return new Submission(
        ID,
        new NodeAccount(0, 3),
        120,
        1_000,
        "memo",
        Bytes.of(new byte[48]),
        Hash.hex("11".repeat(32)),
        signatures());
  }

  static MultiSignatureOperation.ScheduleCreate create() {
    return new MultiSignatureOperation.ScheduleCreate(
        submission(), creation(), signatures(), new BodyLookup(true, 5));
  }

  static TransactionReceipt receipt(ResponseCode code) {
    return new TransactionReceipt(
        code, Optional.of(ALICE), Optional.of(SCHEDULE), Optional.of(ID.triggered(1)));
  }

  static TransactionRecord record() {
    return new TransactionRecord(
        receipt(ResponseCode.SUCCESS),
        Bytes.of(new byte[48]),
        Hash.hex("11".repeat(32)),
        ID.validStart(),
        ID.triggered(2),
        "memo",
        9,
        ALICE,
        List.of(new AccountAmount(ALICE, Long.MIN_VALUE)),
        Optional.of(SCHEDULE),
        Optional.of(new dev.sequitur.protocol.id.TransactionId(new UUID(-1, 1))),
        Optional.of(new ContractAddress("0x" + "11".repeat(20))),
        Optional.of(
            new TransactionRecord.Asked(
                "CryptoUpdate", Optional.of(ALICE), Long.MAX_VALUE, 120, new NodeAccount(5, 4))));
  }
}
