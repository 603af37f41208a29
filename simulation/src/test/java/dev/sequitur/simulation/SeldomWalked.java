package dev.sequitur.simulation;

import java.util.Set;

/** What {@link RandomFaultsTest} need not bring about. */
final class SeldomWalked {
  /**
   * What fewer than five of 120 networks bring about: crossings that take several faults in a row,
   * or none that is simulated.
   */
  static final Set<String> ROWS =
      Set.of(
          "sender's transaction: ASSEMBLE_REQUESTED in PREPARED",
          "sender's transaction: CONFIRMED in ASSEMBLING",
          "sender's transaction: CONFIRMED in DELEGATED",
          "sender's transaction: CONFIRMED in DELEGATING",
          "sender's transaction: CONFIRMED in PARKED",
          "sender's transaction: CONFIRMED in REVERTED",
          "sender's transaction: DISPATCHED in ASSEMBLING",
          "sender's transaction: DISPATCHED in PARKED",
          "sender's transaction: PREPARED_RECEIVED in ASSEMBLING",
          "sender's transaction: PREPARED_RECEIVED in DELEGATING",
          "sender's transaction: PREPARED_RECEIVED in PARKED",
          "sender's transaction: PREPARED_RECEIVED in PENDING",
          "sender's transaction: REVERT in DELEGATED",
          "sender's transaction: REVERT in DELEGATING",
          "sender's transaction: REVERT in DISPATCHED",
          "sender's transaction: REVERT in PARKED",
          "sender's transaction: SUBMISSION_REVERTED in ASSEMBLING",
          "sender's transaction: SUBMISSION_REVERTED in DELEGATING",
          "sender's transaction: SUBMISSION_REVERTED in PREPARED",
          "coordinated transaction: ALREADY_DISPATCHED in ASSEMBLING",
          "coordinated transaction: ALREADY_DISPATCHED in ATTESTATION",
          "coordinated transaction: ALREADY_DISPATCHED in CONFIRMATION",
          "coordinated transaction: ALREADY_DISPATCHED in DISPATCHED",
          "coordinated transaction: ALREADY_DISPATCHED in DISTRIBUTED",
          "coordinated transaction: ALREADY_DISPATCHED in QUEUED",
          "coordinated transaction: CONFIRMATION_TIMEOUT in CONFIRMATION",
          "coordinated transaction: CONFIRMED in ASSEMBLING",
          "coordinated transaction: CONFIRMED in ATTESTATION",
          "coordinated transaction: CONFIRMED in CONFIRMATION",
          "coordinated transaction: CONFIRMED in QUEUED",
          "coordinated transaction: DEPENDENCY_LEFT in CONFIRMATION",
          "coordinated transaction: DEPENDENCY_LEFT in DISTRIBUTED",
          "coordinated transaction: REVERTED in DISTRIBUTED",
          "contract: RANGE_LEFT in LOADING",
          // Nobody has a deadline there.
          "coordinated transaction: ENDED_AT_SENDER in ATTESTATION",
          // Nobody else uses the keys, and few blocks come between a restart and the state store's
          // answer.
          "dispatch: INVALID in STORED",
          "dispatch: NONCE_TAKEN in ACCEPTED",
          "dispatch: NONCE_TAKEN in STORED",
          "dispatch: OVERTAKEN in ACCEPTED",
          "dispatch: REVERTED in ACCEPTED",
          // The simulated pool refuses little for good that is alone.
          "dispatch: FULFILLED in REFUSED",
          "dispatch: NONCE_TAKEN in REFUSED",
          "dispatch: OVERTAKEN in REFUSED",
          "dispatch: REVERTED in REFUSED",
          "base-ledger transaction: INVALID in FILLING",
          "base-ledger transaction: INVALID in POOLED",
          "base-ledger transaction: INVALID in UNFUNDED",
          "base-ledger transaction: LOST in FILLING",
          "base-ledger transaction: NOT_POOLED in FILLING",
          "base-ledger transaction: NOT_POOLED in POOLED",
          "base-ledger transaction: NOT_POOLED in UNFUNDED",
          "base-ledger transaction: OVERDUE in FILLING",
          "base-ledger transaction: POOLED in POOLED",
          "base-ledger transaction: UNFUNDED in FILLING",
          "base-ledger transaction: UNFUNDED in POOLED",
          "base-ledger transaction: USED in UNFUNDED",
          // Nor anything public, and nobody else uses the keys.
          "public transaction: EXECUTED in REFUSED",
          "public transaction: INVALID in CARRIED",
          "public transaction: NONCE_TAKEN in CARRIED",
          "public transaction: NONCE_TAKEN in REFUSED",
          // Only a node that is set back to an older copy of its records has sent what waits.
          "public transaction: EXECUTED in WAITING",
          // No member is removed here.
          "delivery of messages: LEFT in ON_ITS_WAY",
          "delivery of messages: LEFT in READING",
          // Money seldom goes between a look and the pool, and never do so many wait for it.
          "base-ledger transaction: UNPAID in UNFUNDED",
          "public transaction: DROPPED in WAITING",
          // A node has one JVM here, its disk does not fail, and the ledger takes each contract;
          // what
          // is made stands within one try or two.
          "new group: DUE in ELSEWHERE",
          "new group: DUE in UNENDED",
          "new group: FOUND in FINDING",
          "new group: LET_GO in ASKING_MEMBERS",
          "new group: LET_GO in CHECKING",
          "new group: LET_GO in ELSEWHERE",
          "new group: LET_GO in LOOKING",
          "new group: LET_GO in STORING",
          "new group: LET_GO in SUBMITTING",
          "new group: LET_GO in UNBEGUN",
          "new group: LET_GO in UNENDED",
          "new group: LET_GO in UNGIVEN",
          "new group: NEVER in ASKING_KEYS",
          "new group: NEVER in CHECKING",
          "new group: NEVER in FINDING",
          "new group: NEVER in LOOKING",
          "new group: NEVER in SUBMITTING",
          "new group: NEVER in UNGIVEN",
          "new group: USED in SUBMITTING",
          "new group: WAIT in ASKING_MEMBERS",
          "new group: WAIT in CHECKING",
          "new group: WAIT in ENDING",
          "new group: WAIT in FINDING",
          "new group: WAIT in LOOKING",
          "new group: WAIT in STORING",
          "withdrawal of groups: ALL_TOLD in PAUSED",
          "withdrawal of groups: GO_ON in PAUSED",
          "withdrawal of groups: GO_ON in TELLING",
          "withdrawal of groups: UNANSWERED in TELLING",
          // No block that is final is replaced, fees stay low, and an account has what it had in a
          // final block unless two pay from it at once.
          "transfer for gas: AHEAD in OFFERED",
          "transfer for gas: AHEAD in WAITING",
          "transfer for gas: REFUSED in OFFERED",
          "transfer for gas: TOO_DEAR in OFFERED",
          // Nor does a block come so late that another keeper offers the same nonce to somebody
          // else.
          "transfer for gas: UNDERPRICED in OFFERED",
          // Nobody has thousands on their way.
          "handover: CROWDED in NEW",
          // No scheduled call is refused, and its queue hears of it before it hears of its end.
          "execution: FAIL in STARTED",
          "execution: FAIL in SUBMITTED",
          "execution: RETRY in FAILED",
          "execution: SETTLE in FAILED",
          "execution: START in DUE",
          "execution: SUCCEED in STARTED");

  private SeldomWalked() {}
}
