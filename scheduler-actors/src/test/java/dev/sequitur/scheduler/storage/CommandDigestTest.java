package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.family.FamilyOperation;
import dev.sequitur.protocol.schedule.family.MultiSignatureOperation.ScheduleCreate;
import dev.sequitur.protocol.schedule.family.PlanOperation;
import dev.sequitur.protocol.schedule.queue.QueueInput.Command;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.protocol.schedule.signing.BodyLookup;
import dev.sequitur.protocol.schedule.signing.Creation;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.ScheduledTransaction;
import dev.sequitur.protocol.schedule.signing.Submission;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.protocol.schedule.signing.VerifiedSignatures;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which commands are the same one. */
class CommandDigestTest {
  private static final AccountId BOB = new AccountId("bob");
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
    var asked = create(new BodyLookup(false, 7), Bytes.utf8("signed"));
    var again = create(new BodyLookup(true, 9), Bytes.utf8("signed"));
    var other = create(new BodyLookup(false, 7), Bytes.utf8("signed otherwise"));

    assertThat(of(BOB, asked)).isEqualTo(of(BOB, again)).isNotEqualTo(of(BOB, other));
  }

  private static Operation create(BodyLookup lookup, Bytes hash) {
    var nothing = new VerifiedSignatures(new Hash(0, 0, 0, 0), List.of());
    var id = TransactionId.submitted(new ConsensusTime(5), new EntityId(1_001));
    var body =
        new ScheduledTransaction(
            Bytes.EMPTY, new Hash(1, 1, 1, 1), 0, 5, "", new Action.CryptoTransfer(List.of()));
    return new Operation.Perform(
        new ScheduleCreate(
            new Submission(id, 120, 5, "", hash, nothing),
            Creation.of(body, Optional.empty(), Optional.empty()),
            nothing,
            lookup));
  }
}
