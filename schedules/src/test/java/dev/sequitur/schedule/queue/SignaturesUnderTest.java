package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureNotice;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQueries;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A queue of the multi-signature family with the accounts of Alice, Bob and Carol. */
final class SignaturesUnderTest {
  static final PublicKey ALICE_KEY = key(1);
  static final PublicKey BOB_KEY = key(2);
  static final PublicKey CAROL_KEY = key(3);
  static final PublicKey DAVE_KEY = key(4);
  static final long MONEY = 10_000;
  private static final Hash NOTHING = new Hash(0, 0, 0, 0);

  final QueueUnderTest queue;
  final MultiSignature family;
  final EntityId alice;
  final EntityId bob;
  final EntityId carol;
  final EntityId dave;
  private int submissions;

  SignaturesUnderTest(MultiSignatureSettings settings) {
    family = new MultiSignature(settings);
    queue = new QueueUnderTest(QueueSetup.of(OPERATOR, family).throttledBy(settings.throttled()));
    alice = open(ALICE_KEY);
    bob = open(BOB_KEY);
    carol = open(CAROL_KEY);
    dave = open(DAVE_KEY);
    List.of(alice, bob, carol, dave).forEach(id -> queue.fund(id.account(), MONEY));
  }

  static PublicKey key(int seed) {
    var bytes = new byte[32];
    Arrays.fill(bytes, (byte) seed);
    return new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(bytes));
  }

  EntityId open(AccountKey key) {
    return open(key, false);
  }

  EntityId open(AccountKey key, boolean receiverSigRequired) {
    var account = new Account(key, receiverSigRequired, "");
    administer(new MultiSignatureOperation.OpenAccount(account));
    return receipt().account().orElseThrow();
  }

  void administer(MultiSignatureOperation operation) {
    queue.accepted(OPERATOR, new Operation.Perform(operation));
  }

  static ScheduledTransaction body(int nonce, Action action) {
    var bytes = Bytes.utf8(nonce + ": " + action);
    return new ScheduledTransaction(
        bytes, Hash.sha256(bytes.toByteArray()), nonce, 1_000, "", action);
  }

  static AccountAmount row(EntityId account, long units) {
    return new AccountAmount(account, units);
  }

  /** Alice, Bob and Carol each give ten to Dave. */
  ScheduledTransaction gift(int nonce) {
    return body(
        nonce,
        new Action.CryptoTransfer(
            List.of(row(alice, -10), row(bob, -10), row(carol, -10), row(dave, 30))));
  }

  ScheduledTransaction transfer(int nonce, EntityId from, EntityId to, long units) {
    return body(nonce, new Action.CryptoTransfer(List.of(row(from, -units), row(to, units))));
  }

  /** A new transaction, valid from now on, paid for by this account and signed by these. */
  Submission by(EntityId account, PublicKey... signers) {
    var start = new ConsensusTime(ConsensusTime.ofMillis(queue.nowMs).nanos() + submissions % 1000);
    submissions++;
    return by(
        AccountTransactionId.submitted(new ConsensusTime(start.nanos() - 1_000), account), signers);
  }

  static Submission by(AccountTransactionId id, PublicKey... signers) {
    return new Submission(
        id,
        new NodeAccount(0, 3),
        120,
        1_000,
        "",
        Bytes.EMPTY,
        NOTHING,
        signatures(NOTHING, signers));
  }

  static VerifiedSignatures signatures(Hash over, PublicKey... signers) {
    return new VerifiedSignatures(over, Arrays.stream(signers).map(SignatureCheck::by).toList());
  }

  Submission byAlice() {
    return by(alice, ALICE_KEY);
  }

  static MultiSignatureOperation.ScheduleCreate creation(
      Submission by, Creation creation, PublicKey... signers) {
    return new MultiSignatureOperation.ScheduleCreate(
        by,
        creation,
        signatures(creation.transaction().hash(), signers),
        BodyLookup.NOTHING_ARCHIVED);
  }

  MultiSignatureOperation.ScheduleSign signature(
      Submission by, EntityId schedule, PublicKey... signers) {
    var body =
        queries()
            .terms(schedule)
            .map(terms -> terms.creation().transaction().hash())
            .orElse(Hash.hex("11".repeat(32)));
    return new MultiSignatureOperation.ScheduleSign(by, schedule, signatures(body, signers));
  }

  /** Alice schedules this body with signatures of these. */
  EntityId create(ScheduledTransaction body, PublicKey... signers) {
    return create(Creation.of(body, Optional.empty(), Optional.empty()), signers);
  }

  /** Its admin key, if it has one, signs as well. */
  EntityId create(Creation creation, PublicKey... signers) {
    var outer = new ArrayList<>(List.of(ALICE_KEY));
    creation.adminKey().ifPresent(key -> key.forEachPublicKey(outer::add));
    var by = by(alice, outer.toArray(PublicKey[]::new));
    assertThat(status(creation(by, creation, signers))).isEqualTo(ResponseCode.SUCCESS);
    return receipt().schedule().orElseThrow();
  }

  /** By whom it is submitted does not matter: Dave pays, whoever signs. */
  ResponseCode sign(EntityId schedule, PublicKey... signers) {
    return status(signature(by(dave, DAVE_KEY), schedule, signers));
  }

  ResponseCode delete(EntityId schedule, PublicKey... signers) {
    return status(new MultiSignatureOperation.ScheduleDelete(by(dave, signers), schedule));
  }

  ResponseCode status(MultiSignatureOperation.Submitted operation) {
    tell(operation.by().id().account(), operation);
    return receipt().status();
  }

  void tell(EntityId signer, FamilyOperation operation) {
    queue.tell(new Command("command", signer.account(), new Operation.Perform(operation)));
    if (queue.answer().refusal().isPresent() && queue.answer().result().isPresent()) {
      assertThat(queue.answer().refusal().get().sentence()).startsWith(receipt().status().name());
    }
  }

  TransactionReceipt receipt() {
    return result().receipt();
  }

  MultiSignatureResult result() {
    return (MultiSignatureResult) queue.answer().result().orElseThrow();
  }

  /** The record stream of the last step. */
  List<TransactionRecord> exported() {
    return queue.notices().stream()
        .filter(Notice.OfFamily.class::isInstance)
        .map(notice -> ((Notice.OfFamily) notice).notice())
        .filter(MultiSignatureNotice.Exported.class::isInstance)
        .map(notice -> ((MultiSignatureNotice.Exported) notice).record())
        .toList();
  }

  List<ResponseCode> exportedStatus() {
    return exported().stream().map(record -> record.receipt().status()).toList();
  }

  MultiSignatureQueries queries() {
    return new MultiSignatureQueries(
        family, queue.queue.view(queue.state, FamilyKind.MULTI_SIGNATURE, queue.wall()));
  }

  MultiSignatureState state() {
    return (MultiSignatureState) queue.queue.family(queue.state, FamilyKind.MULTI_SIGNATURE);
  }

  long balance(EntityId account) {
    return queue.balance(account.account());
  }

  void later(long seconds) {
    queue.nowMs += seconds * 1_000;
  }

  static long fee(Amount amount) {
    return amount.units();
  }

  static Target.PrivateCall call(Identity from) {
    return new Target.PrivateCall(
        new ContractAddress("0x" + "0a".repeat(20)), "token", "transfer", from, Bytes.utf8("{}"));
  }

  /** Of {@link #gift}, without an admin key. */
  Creation creationOf(int nonce) {
    return Creation.of(gift(nonce), Optional.empty(), Optional.empty());
  }
}
