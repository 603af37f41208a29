package dev.sequitur.simulation;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What must hold after every step. Knows no rules: it only watches. */
final class Invariants {
  private final Map<TransactionId, Accepted> accepted = new LinkedHashMap<>();
  private final Map<TransactionId, Receipt> receipts = new HashMap<>();
  private final Set<TransactionId> fulfilled = new HashSet<>();

  /** Of those, what its own node has seen. */
  private final Set<TransactionId> known = new HashSet<>();

  /** Of what was accepted, what its node was set back behind. */
  private final Set<TransactionId> lost = new HashSet<>();

  private final Set<StateId> spent = new HashSet<>();
  private final Map<StateId, ContractAddress> created = new HashMap<>();
  private final Map<ContractAddress, Set<StateId>> unspent = new HashMap<>();
  private final Set<Place> forged = new HashSet<>();
  private long reverts;

  /** A transition in a base-ledger transaction. */
  private record Place(TransactionHash hash, int index) {}

  record Accepted(NodeName node, PrivateTransaction transaction) {}

  Map<TransactionId, Accepted> accepted() {
    return accepted;
  }

  /** On final blocks. */
  Set<TransactionId> fulfilled() {
    return fulfilled;
  }

  /** Made and not spent, on final blocks. */
  Set<StateId> unspent(ContractAddress contract) {
    return unspent.getOrDefault(contract, Set.of());
  }

  /** Transactions that the ledger has taken and refused, on final blocks. */
  long reverts() {
    return reverts;
  }

  void onAccepted(NodeName node, PrivateTransaction transaction) {
    accepted.put(transaction.id(), new Accepted(node, transaction));
  }

  /**
   * Somebody sends a transition to the ledger with a proof that is not its own.
   *
   * @param index of it in that base-ledger transaction
   */
  void onForged(TransactionHash hash, int index) {
    forged.add(new Place(hash, index));
  }

  /**
   * What a node was given after the copy that it goes on from, it knows no more; what it has seen
   * of the ledger since, it sees again.
   *
   * @param disk as it is now
   */
  void onSetBack(NodeName node, Disk disk) {
    accepted.forEach(
        (id, each) -> {
          if (each.node().equals(node)) {
            var receipt = disk.receipts.get(id);
            if (receipt == null || !receipt.success()) {
              known.remove(id);
            }
            if (disk.intents.containsKey(id)) {
              // A copy that is newer than the one before has it again.
              lost.remove(id);
            } else {
              lost.add(id);
            }
          }
        });
  }

  /** Whether its node has forgotten it with what it was set back behind. */
  boolean isLost(TransactionId id) {
    return lost.contains(id);
  }

  /** What was final is final no more: it is told again. */
  void forget() {
    fulfilled.clear();
    known.clear();
    spent.clear();
    created.clear();
    unspent.clear();
    reverts = 0;
  }

  /** No intent twice, no state twice, nothing out of nothing, nothing by a forged proof. */
  void onFinal(Block block) {
    for (var receipt : block.receipts()) {
      for (int i = 0; i < receipt.results().size(); i++) {
        switch (receipt.results().get(i)) {
          // Two changes of a committee in a row leave what the first one had endorsed behind.
          case LedgerReceipt.Reverted it
              when it.reason() == LedgerReceipt.RevertReason.COMMITTEE_CHANGED -> {}
          case LedgerReceipt.Reverted ignored -> reverts++;
          case LedgerReceipt.Fulfilled done -> {
            require(
                !forged.contains(new Place(receipt.hash(), i)),
                "Fulfilled by a forged proof: " + done.transaction());
            onFulfilled(done);
          }
          // These change no state.
          case LedgerReceipt.Deployed ignored -> {}
          case LedgerReceipt.CommitteeChanged ignored -> {}
          case LedgerReceipt.ChangeRefused ignored -> {}
          case LedgerReceipt.NonceUsed ignored -> {}
          case LedgerReceipt.Called ignored -> {}
        }
      }
    }
  }

  private void onFulfilled(LedgerReceipt.Fulfilled done) {
    require(accepted.containsKey(done.transaction()), "Nobody wanted " + done.transaction());
    require(fulfilled.add(done.transaction()), "Fulfilled twice: " + done.transaction());
    done.spent().forEach(id -> require(created.containsKey(id), "Spent, never made: " + id));
    done.read().forEach(id -> require(!spent.contains(id), "Read, but spent: " + id));
    done.spent().forEach(id -> require(spent.add(id), "Spent twice: " + id));
    done.created().forEach(id -> require(!created.containsKey(id), "Made twice: " + id));
    done.created().forEach(id -> created.put(id, done.contract()));
    var open = unspent.computeIfAbsent(done.contract(), contract -> new HashSet<>());
    open.removeAll(done.spent());
    open.addAll(done.created());
  }

  void onReceipt(Receipt receipt) {
    var id = receipt.transaction();
    require(accepted.containsKey(id), "A receipt for nothing: " + id);
    if (receipt.success()) {
      require(fulfilled.contains(id), "A receipt of success, and not on the ledger: " + id);
    } else {
      require(!known.contains(id), "A receipt of failure, and seen on the ledger: " + id);
    }
    receipts.put(id, receipt);
  }

  /**
   * A node has done with a final block: what of its own that fulfils has a receipt of success, and
   * from now on never another one.
   *
   * @param receipts on the node's disk
   */
  void onIndexed(NodeName node, Block block, Map<TransactionId, Receipt> receipts) {
    for (var each : block.receipts()) {
      for (var result : each.results()) {
        if (result instanceof LedgerReceipt.Fulfilled done
            && accepted.get(done.transaction()).node().equals(node)
            && !lost.contains(done.transaction())) {
          var receipt = receipts.get(done.transaction());
          require(
              receipt != null && receipt.success(),
              node + " has done with a block that fulfils " + done.transaction() + ": " + receipt);
          known.add(done.transaction());
        }
      }
    }
  }

  /** To whoever is on its list, or in a committee, as its sender knows it (DST-2). */
  void onSent(Envelope envelope, NodeLife from) {
    states(envelope.payload())
        .forEach(
            state ->
                require(
                    mayHold(from.group(state.contract()), envelope.to(), state),
                    envelope.to() + " must not see " + state.id()));
  }

  /**
   * Whether a state is for a node.
   *
   * @param group as is known where this is asked
   */
  static boolean mayHold(Optional<PrivacyGroup> group, NodeName node, PrivateState state) {
    return state.distribution().stream().anyMatch(party -> party.node().equals(node))
        || group
            .filter(it -> it.nodes().contains(node))
            .filter(it -> it.committees().hasHad(state.distribution()))
            .isPresent();
  }

  private static Stream<PrivateState> states(Message message) {
    return switch (message) {
      case StateDistribution given -> given.items().stream().map(StateDistribution.Item::state);
      case AssembleRequest request -> request.stateLocks().created().values().stream();
      case AssembleResponse response -> {
        var assembly = response.postAssembly();
        yield Stream.of(assembly.inputs(), assembly.reads(), assembly.outputs())
            .flatMap(List::stream);
      }
      case EndorsementRequest request ->
          request.items().stream()
              .flatMap(
                  item ->
                      Stream.of(item.inputStates(), item.readStates(), item.outputStates())
                          .flatMap(List::stream));
      case PreparedTransactionDistribution prepared -> prepared.outputs().stream();
      case Dispatch dispatch -> dispatch.outputs().stream();
      case Message.OfGroup ignored -> Stream.empty();
      case Message.OfChange ignored -> Stream.empty();
      case DelegationCommand ignored -> Stream.empty();
      case DelegationAccepted ignored -> Stream.empty();
      case DelegationRejected ignored -> Stream.empty();
      case AssembleError ignored -> Stream.empty();
      case EndorsementResponse ignored -> Stream.empty();
      case EndorsementError ignored -> Stream.empty();
      case Message.Heartbeat ignored -> Stream.empty();
      case StartupNotification ignored -> Stream.empty();
      case StartupNotificationAcknowledgement ignored -> Stream.empty();
      case RequestDispatchConfirmation ignored -> Stream.empty();
      case DispatchConfirmationResponse ignored -> Stream.empty();
      case Dispatched ignored -> Stream.empty();
      case TransactionReverted ignored -> Stream.empty();
      case TransactionRevertedAcknowledgement ignored -> Stream.empty();
      case StateDistributionAcknowledgement ignored -> Stream.empty();
      case StateContentsResponse given -> given.states().stream();
      case StateContentsRequest ignored -> Stream.empty();
      case StateErasure ignored -> Stream.empty();
      case StateErasureAnswer ignored -> Stream.empty();
      case Message.ForMessageBook ignored -> Stream.empty();
      case PreparedTransactionAcknowledgement ignored -> Stream.empty();
      case Message.OfTrace ignored -> Stream.empty();
      case Message.OfVerifier ignored -> Stream.empty();
    };
  }

  /**
   * Each accepted intent that the ledger has fulfilled has a receipt of success.
   *
   * @param receipts on a node's disk
   */
  void checkReceipts(NodeName node, Map<TransactionId, Receipt> receipts) {
    accepted.forEach(
        (id, intent) -> {
          var receipt = receipts.get(id);
          boolean told = receipt != null && receipt.success();
          require(
              !intent.node().equals(node) || lost.contains(id) || told == fulfilled.contains(id),
              "The ledger and the receipt say different things of " + id + ": " + receipt);
        });
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
