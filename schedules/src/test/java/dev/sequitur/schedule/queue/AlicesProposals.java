package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;

/** Gas-priority proposals of Alice, a time after the queue's start, and the queue for them. */
final class AlicesProposals {
  static final GasPrioritySettings SETTINGS = new GasPrioritySettings(100, 2, 3, 2, 1, 64);
  static final long GAS = 100;
  static final long MONEY = 1_000_000;
  static final FamilyKind GAS_PRIORITY = FamilyKind.GAS_PRIORITY;

  private AlicesProposals() {}

  /** Serves that family alone; Alice has her money there. */
  static QueueUnderTest newQueue() {
    var queue = new QueueUnderTest(QueueSetup.of(OPERATOR, new GasPriority(SETTINGS)));
    queue.fund(ALICE, MONEY);
    return queue;
  }

  static Proposal pay(long inMs, long price) {
    return proposal(inMs, GAS, price, new Target.Transfer(BOB, new Amount(1)));
  }

  static Proposal call(long inMs) {
    var target =
        new Target.PrivateCall(
            new ContractAddress("0x" + "0a".repeat(20)),
            "token",
            "transfer",
            new Identity("alice", new NodeName("node1")),
            Bytes.utf8("{}"));
    return proposal(inMs, GAS, 7, target);
  }

  static Proposal proposal(long inMs, long gas, long price, Target target) {
    return Proposal.of(ALICE, new GasPriorityTerms(START_MS + inMs, gas, price), target);
  }
}
