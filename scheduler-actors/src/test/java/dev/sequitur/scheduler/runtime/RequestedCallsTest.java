package dev.sequitur.scheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.ScheduleCreate;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each way to schedule a private transaction is asked about at its creation (ACC-6). */
class RequestedCallsTest {
  private static final AccountId ALICE = new AccountId("alice");
  private static final Target.PrivateCall CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          Identity.parse("alice@node1"),
          Bytes.utf8("{}"));

  private static PlanOperation.Schedule planned(Target target) {
    return new PlanOperation.Schedule(new PlanTerms(0, 5, Amount.ZERO), target);
  }

  private static FamilyOperation creating(Action action) {
    var nothing = new VerifiedSignatures(new Hash(0, 0, 0, 0), List.of());
    var id = AccountTransactionId.submitted(new ConsensusTime(5), new EntityId(1_001));
    var body = new ScheduledTransaction(Bytes.EMPTY, new Hash(1, 1, 1, 1), 0, 5, "", action);
    return new ScheduleCreate(
        new Submission(
            id, new NodeAccount(0, 3), 120, 5, "", Bytes.EMPTY, new Hash(0, 0, 0, 0), nothing),
        Creation.of(body, Optional.empty(), Optional.empty()),
        nothing,
        BodyLookup.NOTHING_ARCHIVED);
  }

  @Test
  void eachFamilysWayIsFound() {
    var proposal = Proposal.of(ALICE, new GasPriorityTerms(5, 5, 5), CALL);
    var create = creating(Action.PrivateTransaction.once(CALL));
    var several =
        new PlanOperation.BatchSchedule(List.of(planned(CALL), planned(CALL)), Amount.ZERO);

    assertThat(RequestedCalls.of(new Operation.Propose(proposal))).containsExactly(CALL);
    assertThat(RequestedCalls.of(new Operation.Perform(create))).containsExactly(CALL);
    assertThat(RequestedCalls.of(new Operation.Perform(planned(CALL)))).containsExactly(CALL);
    assertThat(RequestedCalls.of(new Operation.Perform(several))).hasSize(2);
    assertThat(RequestedCalls.of(new Operation.Batch(List.of(several, create), true))).hasSize(3);
  }

  @Test
  void whatRunsInTheQueueIsNoCall() {
    var notify = new Target.Notify(Bytes.EMPTY);
    var proposal = Proposal.of(ALICE, new GasPriorityTerms(5, 5, 5), notify);

    assertThat(RequestedCalls.of(new Operation.Propose(proposal))).isEmpty();
    assertThat(RequestedCalls.of(new Operation.Perform(planned(notify)))).isEmpty();
    assertThat(
            RequestedCalls.of(
                new Operation.Perform(creating(new Action.CryptoTransfer(List.of())))))
        .isEmpty();
    assertThat(RequestedCalls.of(new Operation.Fund(ALICE, Amount.ZERO))).isEmpty();
  }
}
