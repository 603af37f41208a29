package dev.sequitur.node.process;

import akka.actor.typed.ActorSystem;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.util.Optional;

/**
 * Notices that only the key seed of a node was restored. Such a node would begin with the intents
 * and states of nobody, and what it then submits would be refused by the ledger, which knows more
 * than the node does. A member's key is named on the ledger only by a node that ran with this seed,
 * and such a node has a store that is not empty. A ledger that tells of no members tells who has
 * submitted something for a group, which each node does with a key of its own.
 */
final class KeysWithoutRecords {
  private static final int PAGE = 32;

  private final StartQuestions questions;
  private final NodeName node;
  private final NodeSetup.Ports ports;

  KeysWithoutRecords(ActorSystem<?> system, NodeName node, NodeSetup.Ports ports) {
    this.questions = new StartQuestions(system);
    this.node = node;
    this.ports = ports;
  }

  /**
   * Blocks while it reads the ledger, which it does only if the store is empty.
   *
   * @throws StartFailure if the ledger knows keys of this node's seed, or cannot be asked
   */
  void refuse() {
    if (!isStoreEmpty()) {
      return;
    }
    boolean known;
    try {
      known = isNamedOnLedger();
    } catch (StartFailure e) {
      throw new StartFailure(
          "Node %s has a key seed and an empty store, and cannot ask the base ledger whether that seed was used before. %s Then start again, or add --begin-empty if the seed is new."
              .formatted(node, e.getMessage()),
          e);
    }
    // Another JVM of the node may have begun to fill it meanwhile.
    if (known && isStoreEmpty()) {
      throw new StartFailure(
          "Node %s has no records, but the base ledger knows its keys: restore the whole data directory, or the database, as it was with this key seed; --begin-empty starts without, and what the node held is then lost to it."
              .formatted(node));
    }
  }

  private boolean isStoreEmpty() {
    return questions.answer(ports.store()::indexedTo).isEmpty()
        && questions.answer(() -> ports.store().groups(Optional.empty(), 1)).isEmpty();
  }

  private boolean isNamedOnLedger() {
    var head = questions.answer(ports.ledger()::head);
    var from = questions.answer(ports.ledger()::firstBlock);
    while (from.compareTo(head) <= 0) {
      var next = from;
      var blocks = questions.answer(() -> ports.ledger().blocks(next, PAGE));
      if (blocks.isEmpty()) {
        return false;
      }
      if (blocks.stream().anyMatch(this::namesKeyOfOurs)) {
        return true;
      }
      from = new BlockHeight(from.value() + blocks.size());
    }
    return false;
  }

  private boolean namesKeyOfOurs(Block block) {
    return block.receipts().stream()
        .anyMatch(
            receipt ->
                receipt.results().stream()
                    .anyMatch(result -> namesKeyOfOurs(receipt.signer(), result)));
  }

  private boolean namesKeyOfOurs(LedgerAddress signer, LedgerReceipt.Result result) {
    return switch (result) {
      case LedgerReceipt.Deployed deployed ->
          isOurs(deployed.genesis().committee(), node, ports.keys());
      case LedgerReceipt.CommitteeChanged changed ->
          isOurs(changed.change().quorum().committee(), node, ports.keys());
      case LedgerReceipt.ChangeRefused ignored -> false;
      case LedgerReceipt.Fulfilled fulfilled -> isSubmitter(signer, fulfilled.contract());
      case LedgerReceipt.Reverted reverted -> isSubmitter(signer, reverted.contract());
      case LedgerReceipt.Called ignored -> false;
      case LedgerReceipt.NonceUsed ignored -> false;
    };
  }

  private boolean isSubmitter(LedgerAddress signer, ContractAddress contract) {
    var verifier = ports.keys().verifier(NodeKeyNames.submitter(contract));
    return ports.signatures().address(verifier).equals(signer);
  }

  /** That a name of this node is there is not enough: anybody may have put it there. */
  static boolean isOurs(Committee committee, NodeName node, Keys keys) {
    return committee.members().stream()
        .filter(member -> member.identity().node().equals(node))
        .anyMatch(
            member ->
                keys.standing(member.identity().name(), member.verifier())
                    != Keys.Standing.UNKNOWN);
  }
}
