package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.submitter.SubmitterInput;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Public transactions of a network: what is sent, and that each is carried out just once. */
final class Publics {
  /** The contract reverts what begins so. */
  private static final String DOOMED = "doomed ";

  /** What it says then, which its sender is told. */
  static final Bytes SAID = Bytes.utf8("no way");

  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "cafe".repeat(10));

  private final Simulation simulation;
  private final Map<Hash, TransactionId> sent = new HashMap<>();
  private final Map<TransactionId, NodeName> accepted = new LinkedHashMap<>();
  private final Set<TransactionId> cancelled = new HashSet<>();
  private final Set<TransactionId> neverCarriedOut = new HashSet<>();

  /** Accepted by a node that knows nothing of them any more. */
  private final Set<TransactionId> lost = new HashSet<>();

  private final Map<TransactionId, LedgerReceipt> carriedOut = new HashMap<>();

  Publics(Simulation simulation) {
    this.simulation = simulation;
  }

  /** What it does differs from all others, so that the ledger tells them apart. */
  TransactionId send(NodeName node, boolean doomed, BigInteger value) {
    var id = simulation.freshTransaction().id();
    var transaction =
        new PublicTransaction(
            id,
            new Identity(Simulation.MEMBER, node),
            Optional.of(CONTRACT),
            Bytes.utf8((doomed ? DOOMED : "") + id),
            value,
            100_000,
            PublicTransaction.Source.NONE);
    sent.put(PublicCall.of(transaction).hash(), id);
    simulation.node(node).submit(transaction);
    return id;
  }

  /** Its caller wants it carried out no more, whatever has become of it. */
  void cancel(TransactionId id) {
    var node = simulation.node(accepted.get(id));
    if (node.isUp()) {
      cancelled.add(id);
      node.running().publics().tell(new SubmitterInput.PublicCancelled(id));
    }
  }

  /**
   * Its records are an older copy: what came to it later it does not know, and neither whose caller
   * wanted it carried out no more.
   */
  void onSetBack(NodeName node, Disk after) {
    accepted.forEach(
        (id, by) -> {
          if (by.equals(node)) {
            if (after.intents.containsKey(id)) {
              lost.remove(id);
            } else {
              lost.add(id);
            }
            if (!after.receipts.containsKey(id)) {
              neverCarriedOut.remove(id);
            }
          }
        });
  }

  List<TransactionId> accepted() {
    return List.copyOf(accepted.keySet());
  }

  static boolean isDoomed(PublicCall call) {
    return call.data().toUtf8().startsWith(DOOMED);
  }

  void onAccepted(NodeName node, PublicTransaction transaction) {
    accepted.put(transaction.id(), node);
  }

  /** On final blocks: what was accepted, and once. */
  void onFinal(Block block) {
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        if (result instanceof LedgerReceipt.Called called) {
          var id = sent.get(called.call());
          require(accepted.containsKey(id), "Nobody has accepted the public transaction " + id);
          require(!neverCarriedOut.contains(id), "Cancelled, told so, and carried out: " + id);
          require(
              carriedOut.put(id, receipt) == null, "Carried out twice: public transaction " + id);
        }
      }
    }
  }

  /** Says what the ledger says. */
  void onReceipt(Receipt receipt) {
    var id = receipt.transaction();
    if (!carriedOut.containsKey(id) && cancelled.contains(id)) {
      require(!receipt.success() && receipt.onLedger().isEmpty(), "Was cancelled: " + receipt);
      neverCarriedOut.add(id);
      return;
    }
    require(carriedOut.containsKey(id), "Has a receipt, and is in no final block: " + id);
    var block = carriedOut.get(id);
    var place = receipt.onLedger().orElseThrow();
    require(
        place.hash().equals(block.hash()) && place.block().equals(block.block()),
        "Another place on the ledger: " + receipt);
    boolean success =
        block.results().stream()
            .allMatch(it -> it instanceof LedgerReceipt.Called called && called.success());
    require(receipt.success() == success, "Another end on the ledger: " + receipt);
    require(
        success || receipt.failureMessage().orElse("").contains(SAID.toUtf8()),
        "Without what the contract said: " + receipt);
  }

  /** What was accepted and has no receipt. */
  List<TransactionId> unsettled() {
    var open = new ArrayList<TransactionId>();
    accepted.forEach(
        (id, node) -> {
          if (!lost.contains(id) && !simulation.node(node).disk().receipts.containsKey(id)) {
            open.add(id);
          }
        });
    return open;
  }
}
