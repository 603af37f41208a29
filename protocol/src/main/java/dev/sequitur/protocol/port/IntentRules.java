package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import java.util.List;

/**
 * Which transactions a node takes from a caller, whether they are to run now or are scheduled. Each
 * refusal is said here and nowhere else.
 */
public final class IntentRules {
  private IntentRules() {}

  public static RefusedIntent unknownGroup(ContractAddress contract) {
    return new RefusedIntent(
        "SQ020001",
        "This node is in no privacy group with contract "
            + contract
            + ": create the group first, or wait until its contract is confirmed.");
  }

  /**
   * @param domain as the caller says
   * @param self the node that is asked
   * @throws RefusedIntent if the node cannot send for this identity in the group
   */
  public static void check(PrivacyGroup group, String domain, Identity from, NodeName self) {
    if (!group.domain().equals(domain)) {
      throw new RefusedIntent(
          "SQ020002",
          "The group's domain is "
              + group.domain()
              + ", not "
              + domain
              + ": send that, or leave it out.");
    }
    checkNode(from, self);
    checkMember(group, from);
  }

  /**
   * @throws RefusedIntent if the node has not its key
   */
  public static void checkNode(Identity from, NodeName self) {
    if (!from.node().equals(self)) {
      throw new RefusedIntent(
          "SQ020003",
          "Send it to node "
              + from.node()
              + ": 'from' must be an identity of the node that is called, which is "
              + self
              + ".");
    }
  }

  /** Of a public transaction, on a ledger that knows privacy groups only. */
  public static RefusedIntent noContracts() {
    return new RefusedIntent(
        "SQ020017",
        "The base ledger of this node runs no contracts: public transactions need an Ethereum chain"
            + " (ledger.mode = ethereum). Send a private one.");
  }

  /** Of a public transaction, signed with what a node signs its own with. */
  public static RefusedIntent nodesOwnKey(Identity from) {
    return new RefusedIntent(
        "SQ020018",
        "The key of %s is kept for the node's own transactions: choose another name."
            .formatted(from));
  }

  /** Of what an identity would have to sign. */
  public static RefusedIntent keyRevoked(Identity from) {
    return new RefusedIntent(
        "SQ020027",
        "The key of %s is revoked on this node, which signs nothing with it: send it as another identity."
            .formatted(from));
  }

  /** Of a public transaction, by what the ledger says now. */
  public static RefusedIntent wouldFail(String reason) {
    return new RefusedIntent(
        "SQ020019",
        "The call would fail now: %s Correct it, or give it `gas` to have it submitted all the same."
            .formatted(reason));
  }

  /** Of a public transaction whose gas is not known. */
  public static RefusedIntent noEstimate(String why) {
    return new RefusedIntent(
        "SQ020020",
        "The gas that the call needs cannot be asked for now: %s Try again, or give it `gas`."
            .formatted(why));
  }

  /** Of a public transaction that no block has room for. */
  public static RefusedIntent tooMuchGas(long gas, long most) {
    return new RefusedIntent(
        "SQ020021",
        "`gas` is %d, and a block of the chain has room for %d: name that at most, or leave it out."
            .formatted(gas, most));
  }

  /**
   * @throws RefusedIntent if it is no member of the group
   */
  public static void checkMember(PrivacyGroup group, Identity from) {
    if (group.committee().member(from).isEmpty()) {
      throw new RefusedIntent(
          "SQ020004",
          from
              + " is no member of the group: 'from' must be one of "
              + group.committee().identities()
              + ".");
    }
  }

  public static RefusedIntent unknownDependency(TransactionId dependency) {
    return new RefusedIntent(
        "SQ020006",
        "dependsOn names "
            + dependency
            + ", which this node does not know: name a transaction that was sent to it.");
  }

  /** The other body may stand in the same batch: then its id is nowhere to be found. */
  public static RefusedIntent conflict(
      List<Intent> batch, Acceptance.IdempotencyConflict conflict) {
    boolean isInBatch =
        batch.stream().anyMatch(intent -> intent.transaction().id().equals(conflict.original()));
    return new RefusedIntent(
        "SQ020007",
        isInBatch
            ? "Two transactions of this call have the idempotency key '"
                + conflict.key()
                + "' and different bodies, so none was accepted: give each a key of its own."
            : "The idempotency key '"
                + conflict.key()
                + "' was used with another body by transaction "
                + conflict.original()
                + ": use a new key for a new transaction.");
  }
}
