package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoCreate;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoDelete;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.CryptoUpdate;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleCreate;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleDelete;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleSign;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which commands are the same one. */
class CommandDigestTest {
  private static final AccountId BOB = new AccountId("bob");
  private static final PublicKey SIGNER =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(new byte[32]));
  private static final PublicKey OTHER =
      new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, Bytes.of(new byte[33]));

  private static final ScheduledTransaction BODY =
      new ScheduledTransaction(
          Bytes.utf8("body"), new Hash(1, 1, 1, 1), 0, 5, "", new Action.CryptoTransfer(List.of()));

  private final CommandDigest digests = new CommandDigest();

  private long of(AccountId signer, Operation operation) {
    return digests.of(new Command("id", signer, operation));
  }

  private static Operation fund(long units) {
    return new Operation.Fund(BOB, new Amount(units));
  }

  @Test
  void theSameCommandHasTheSameDigestInEveryProcess() {
    assertThat(of(BOB, fund(5))).isEqualTo(of(BOB, fund(5)));
    assertThat(of(BOB, fund(5)))
        .isEqualTo(new CommandDigest().of(new Command("another id", BOB, fund(5))));
  }

  @Test
  void whoAsksAndWhatIsAskedMakeADifference() {
    assertThat(of(BOB, fund(5)))
        .isNotEqualTo(of(BOB, fund(6)))
        .isNotEqualTo(of(Samples.ALICE, fund(5)))
        .isNotEqualTo(of(BOB, new Operation.Withdraw(BOB, new Amount(5))))
        .isNotEqualTo(of(BOB, new Operation.Propose(Samples.call())));
  }

  @Test
  void aBatchIsNotItsOnlyOperation() {
    FamilyOperation pause = new PlanOperation.Pause();
    long alone = of(BOB, new Operation.Perform(pause));
    long batch = of(BOB, new Operation.Batch(List.of(pause), false));

    assertThat(alone).isNotEqualTo(batch);
    assertThat(batch)
        .isNotEqualTo(of(BOB, new Operation.Batch(List.of(pause), true)))
        .isNotEqualTo(of(BOB, new Operation.Batch(List.of(pause, pause), false)));
  }

  @Test
  void whatWasFoundOutOnTheWayInDoesNotCount() {
    var asked = create(5, new BodyLookup(false, 7), List.of(SIGNER));
    var again = create(5, new BodyLookup(true, 9), List.of());

    assertThat(of(BOB, asked)).isEqualTo(of(BOB, again));
  }

  @Test
  void aTransactionThatIsBuiltAndSignedAnewIsTheSame() {
    var asked = create(5, BodyLookup.NOTHING_ARCHIVED, List.of(SIGNER));
    var minutesLater = create(300_000_000_005L, BodyLookup.NOTHING_ARCHIVED, List.of(SIGNER));

    assertThat(of(BOB, asked)).isEqualTo(of(BOB, minutesLater));
  }

  @Test
  void aTransactionThatAsksForSomethingElseOrIsSignedByAnotherIsNot() {
    var sign = new ScheduleSign(by(5, SIGNER), new EntityId(1_005), signatures(SIGNER));
    var ofAnother = new ScheduleSign(by(5, SIGNER), new EntityId(1_006), signatures(SIGNER));
    var byAnother = new ScheduleSign(by(5, SIGNER), new EntityId(1_005), signatures(OTHER));
    var paidByAnother = new ScheduleSign(by(5, OTHER), new EntityId(1_005), signatures(SIGNER));

    assertThat(
            Stream.of(sign, ofAnother, byAnother, paidByAnother)
                .map(each -> of(BOB, new Operation.Perform(each)))
                .distinct())
        .hasSize(4);
  }

  private static CryptoUpdate update(
      Submission by,
      Optional<Boolean> receiverSig,
      Optional<String> memo,
      Optional<Long> renewal,
      Optional<Boolean> decline) {
    return new CryptoUpdate(
        by,
        new EntityId(1_005),
        AccountChange.NONE
            .with()
            .receiverSigRequired(receiverSig)
            .memo(memo)
            .autoRenewSeconds(renewal)
            .declineReward(decline)
            .build());
  }

  @Test
  void eachThingThatASignedTransactionAsksForMakesADifference() {
    var by = by(5, SIGNER);
    var entity = new EntityId(1_005);
    var asked =
        Stream.of(
            new CryptoCreate(by, account(SIGNER, 5, false, "memo")),
            new CryptoCreate(by, account(OTHER, 5, false, "memo")),
            new CryptoCreate(by, account(SIGNER, 6, false, "memo")),
            new CryptoCreate(by, account(SIGNER, 5, true, "memo")),
            new CryptoCreate(by, account(SIGNER, 5, false, "")),
            new CryptoUpdate(by, entity, SIGNER),
            new CryptoUpdate(by, entity, OTHER),
            new CryptoUpdate(by, new EntityId(1_006), SIGNER),
            update(by, Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty()),
            update(by, Optional.of(false), Optional.empty(), Optional.empty(), Optional.empty()),
            update(by, Optional.empty(), Optional.of(""), Optional.empty(), Optional.empty()),
            update(by, Optional.empty(), Optional.of("true"), Optional.empty(), Optional.empty()),
            update(by, Optional.empty(), Optional.empty(), Optional.of(5L), Optional.empty()),
            update(by, Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(true)),
            new CryptoDelete(by, entity, new EntityId(1_007)),
            new CryptoDelete(by, entity, new EntityId(1_008)),
            new CryptoDelete(by, new EntityId(1_006), new EntityId(1_007)),
            new ScheduleDelete(by, entity),
            new ScheduleDelete(by, new EntityId(1_006)),
            creating(Optional.empty(), Optional.empty(), "", Optional.empty(), false),
            creating(Optional.of(SIGNER), Optional.empty(), "", Optional.empty(), false),
            creating(Optional.of(OTHER), Optional.empty(), "", Optional.empty(), false),
            creating(Optional.empty(), Optional.of(entity), "", Optional.empty(), false),
            creating(Optional.empty(), Optional.empty(), "memo", Optional.empty(), false),
            creating(Optional.empty(), Optional.empty(), "", Optional.of(7L), false),
            creating(Optional.empty(), Optional.empty(), "", Optional.of(8L), false),
            creating(Optional.empty(), Optional.empty(), "", Optional.empty(), true));

    assertThat(asked.map(each -> of(BOB, new Operation.Perform(each)))).doesNotHaveDuplicates();
  }

  private static Action.CryptoCreate account(
      PublicKey key, long balance, boolean receiverSigRequired, String memo) {
    return new Action.CryptoCreate(key, new Amount(balance), receiverSigRequired, memo);
  }

  private static ScheduleCreate creating(
      Optional<AccountKey> admin,
      Optional<EntityId> payer,
      String memo,
      Optional<Long> expires,
      boolean waits) {
    return new ScheduleCreate(
        by(5, SIGNER),
        new Creation(BODY, admin, payer, memo, expires, waits),
        signatures(SIGNER),
        BodyLookup.NOTHING_ARCHIVED);
  }

  @Test
  void aDigestOfAnEarlierLayoutRefusesNoRepetition() {
    var command = new Command("id", BOB, fund(5));
    long today = digests.of(command);
    long earlier = today ^ (6L << 48) ^ 12_345;

    assertThat(digests.mayBe(today, command)).isTrue();
    assertThat(digests.mayBe(earlier, command)).isTrue();
    assertThat(digests.mayBe(today, new Command("id", BOB, fund(6)))).isFalse();
    var signed = create(5, BodyLookup.NOTHING_ARCHIVED, List.of(SIGNER));
    assertThat(digests.mayBe(today, new Command("id", BOB, signed))).isFalse();
  }

  /** They are stored: a change of what a signed transaction is would refuse repetitions. */
  @Test
  void theDigestOfASignedTransactionIsForLife() {
    var create = create(5, BodyLookup.NOTHING_ARCHIVED, List.of(SIGNER));

    assertThat(Long.toHexString(of(BOB, create))).isEqualTo("5835359f6e48");
  }

  /** They are stored as well: if it fails, raise {@link CommandDigest#LAYOUT}. */
  @Test
  void theDigestOfAnyOtherCommandStaysAsLongAsItsLayout() {
    FamilyOperation pause = new PlanOperation.Pause();

    assertThat(
            Stream.of(
                    fund(5),
                    new Operation.Perform(pause),
                    new Operation.Batch(List.of(pause), false),
                    new Operation.Batch(List.of(pause), true))
                .map(each -> Long.toHexString(of(BOB, each))))
        .containsExactly("a51303235619b", "a6a564402d4a7", "a9c9c3ec64a4b", "a0f2b452d1b8e");
  }

  /** If it fails, raise {@link CommandDigest#LAYOUT} and write the file anew. */
  @Test
  void noOperationIsWrittenInOtherBytesUnnoticed() throws IOException {
    var layouts = new Layouts(new QueueFormat());
    layouts.add(Operation.class);
    var golden = Golden.of("command-layouts", CommandDigest.LAYOUT, "txt", layouts.text());

    assertThat(layouts.text()).isEqualTo(golden);
  }

  private static VerifiedSignatures signatures(PublicKey signer) {
    return new VerifiedSignatures(new Hash(0, 0, 0, 0), List.of(SignatureCheck.by(signer)));
  }

  private static Submission by(long startNanos, PublicKey signer) {
    var id = AccountTransactionId.submitted(new ConsensusTime(startNanos), new EntityId(1_001));
    var hash = Bytes.utf8("hash at " + startNanos);
    return new Submission(
        id,
        new NodeAccount(0, 3),
        120,
        5,
        "",
        hash,
        Hash.sha256(hash.toByteArray()),
        signatures(signer));
  }

  /**
   * @param verified whose signature was found good on the way in
   */
  private static Operation create(long startNanos, BodyLookup lookup, List<PublicKey> verified) {
    var sigMap =
        new VerifiedSignatures(
            new Hash(0, 0, 0, 0), List.of(new SignatureCheck(SIGNER.value(), verified)));
    return new Operation.Perform(
        new ScheduleCreate(
            by(startNanos, SIGNER),
            Creation.of(BODY, Optional.of(OTHER), Optional.empty()),
            sigMap,
            lookup));
  }
}
