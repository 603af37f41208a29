package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a node owes the others before the ledger would have to say no: it is the last guard, and
 * must not be the only one. Watched as it happens.
 */
final class Conduct {
  private final Map<Speaker, Map<TransactionId, DelegationId>> delegated = new HashMap<>();
  private final Set<Leave> granted = new HashSet<>();
  private final Set<Leave> taken = new HashSet<>();
  private final Map<Commanded, DelegationCommand> commands = new HashMap<>();
  // in the order of dispatch
  private final Map<Slot, Dispatch> dispatched = new LinkedHashMap<>();
  private final Map<Carrier, List<IntentKey>> packed = new HashMap<>();
  private final Map<Lock, TransactionId> spending = new HashMap<>();
  private final Set<StateId> made = new HashSet<>();
  private final Set<IntentKey> refused = new HashSet<>();
  private final Set<TransactionId> reverted = new HashSet<>();
  private final Map<NodeName, Set<StateId>> contents = new HashMap<>();
  private final Map<TransactionId, Integer> attempts = new HashMap<>();

  private final SimulatedDomain domain;
  private final int refusals;

  /**
   * @param refusals of endorsers that a coordinator tells of together
   */
  Conduct(SimulatedDomain domain, int refusals) {
    this.domain = domain;
    this.refusals = refusals;
  }

  private record Commanded(ContractAddress contract, DelegationId delegation) {}

  private record Leave(TransactionId transaction, NodeName coordinator) {}

  record Slot(NodeName node, IntentKey intent) {}

  /** Each node has one signing key for each contract. */
  record Carrier(NodeName node, ContractAddress contract, long nonce) {}

  record Lock(NodeName node, StateId state) {}

  /** What was seen of one node. */
  record OfNode(
      Map<Slot, Dispatch> dispatched,
      Map<Carrier, List<IntentKey>> packed,
      Map<Lock, TransactionId> spending) {}

  /** What is seen of a node now. */
  OfNode of(NodeName node) {
    var slots = new LinkedHashMap<>(dispatched);
    slots.keySet().removeIf(slot -> !slot.node().equals(node));
    var carriers = new HashMap<>(packed);
    carriers.keySet().removeIf(carrier -> !carrier.node().equals(node));
    var locks = new HashMap<>(spending);
    locks.keySet().removeIf(lock -> !lock.node().equals(node));
    return new OfNode(slots, carriers, locks);
  }

  /**
   * What a node does from now on follows from an older copy of its records. What it has told others
   * counts all the same: no id of it may mean something else.
   *
   * @param then what was seen of it when the copy was made
   */
  void onSetBack(NodeName node, OfNode then, Disk before, Disk after) {
    dispatched.keySet().removeIf(slot -> slot.node().equals(node));
    dispatched.putAll(then.dispatched());
    packed.keySet().removeIf(carrier -> carrier.node().equals(node));
    packed.putAll(then.packed());
    spending.keySet().removeIf(lock -> lock.node().equals(node));
    spending.putAll(then.spending());
    before.intents.keySet().forEach(attempts::remove);
    var kept = new HashSet<StateId>();
    for (var journals : after.journals.values()) {
      for (var event : journals.sender()) {
        switch (event) {
          case SenderEvent.AttemptFailed failed ->
              attempts.put(failed.transaction(), failed.attempts());
          case SenderEvent.Ended ended -> attempts.remove(ended.transaction());
          case SenderEvent.EpochBegun ignored -> {}
          case SenderEvent.Parked ignored -> {}
          case SenderEvent.Resumed ignored -> {}
        }
      }
      for (var event : journals.states()) {
        kept.addAll(contentsOf(event));
      }
    }
    contents.put(node, kept);
  }

  /** Of these states a node stores the contents with the event, also of those it asked for. */
  private static List<StateId> contentsOf(StateStoreEvent event) {
    return switch (event) {
      case StateStoreEvent.StatesStored stored ->
          stored.items().stream().map(StateStoreEvent.Item::state).toList();
      case StateStoreEvent.ContentsGiven given -> given.states();
      default -> List.of();
    };
  }

  /** What a node knew of its delegations is gone with its memory. */
  void onStarted(NodeName node) {
    delegated.keySet().removeIf(speaker -> speaker.node().equals(node));
  }

  /** A JVM that is left out goes on with what it knows, and hears no more of the others'. */
  void onParted(Speaker all, Speaker parted) {
    delegated.put(parted, new HashMap<>(delegated.getOrDefault(all, Map.of())));
  }

  /** A sender gives leave only to the delegate it has now (DSP-2). */
  void onSent(Envelope envelope, Speaker from) {
    if (envelope.payload() instanceof DelegationCommand command) {
      var sentBefore =
          commands.put(new Commanded(command.contract(), command.delegationId()), command);
      require(
          sentBefore == null || sentBefore.equals(command),
          envelope.from() + " uses the delegation id " + command.delegationId() + " twice");
      var newest = delegated.computeIfAbsent(from, speaker -> new HashMap<>());
      command
          .transactions()
          .forEach(id -> newest.merge(id, command.delegationId(), Conduct::later));
    } else if (envelope.payload() instanceof DispatchConfirmationResponse leave) {
      var newest = delegated.getOrDefault(from, Map.of());
      for (var each : leave.granted()) {
        require(
            each.delegationId().equals(newest.get(each.transaction())),
            envelope.from() + " gave leave to a stale delegation of " + each.transaction());
        granted.add(new Leave(each.transaction(), envelope.to()));
      }
    } else if (envelope.payload() instanceof Dispatched told) {
      for (var transaction : told.transactions()) {
        require(
            taken.contains(new Leave(transaction, envelope.from())),
            envelope.from() + " says that its submitter has " + transaction);
      }
    }
  }

  private static DelegationId later(DelegationId one, DelegationId other) {
    return other.isLaterThan(one) ? other : one;
  }

  void onCommitted(NodeName node, ContractAddress contract, List<?> events) {
    for (var event : events) {
      if (event instanceof SubmitterEvent.DispatchesAccepted accepted) {
        accepted.dispatches().forEach(each -> onDispatch(node, each));
      } else if (event instanceof SubmitterEvent.Packed(var loads, var fees)) {
        loads.forEach(load -> onPacked(new Carrier(node, contract, load.nonce()), load));
        requireOrder(node, loads.stream().flatMap(load -> load.transactions().stream()).toList());
      } else if (event instanceof SubmitterEvent.Notifying(var to, var told)) {
        require(
            !told.reason().startsWith("The base ledger refused it")
                || reverted.contains(told.transaction()),
            node + " tells " + to + " of a revert that is none: " + told);
      } else if (event instanceof SubmitterEvent.Abandoned abandoned) {
        packed.remove(new Carrier(node, contract, abandoned.nonce()));
      } else if (event instanceof SubmitterEvent.Refused gone) {
        // If nothing fulfils it after all, its node lets go of what builds upon it.
        refused.addAll(packed.getOrDefault(new Carrier(node, contract, gone.nonce()), List.of()));
      } else if (event instanceof SubmitterEvent.Settled settled) {
        for (long nonce : settled.nonces()) {
          var carried = packed.remove(new Carrier(node, contract, nonce));
          if (carried != null) {
            carried.forEach(intent -> release(new Slot(node, intent)));
          }
        }
      } else if (event instanceof StateStoreEvent states) {
        contents.computeIfAbsent(node, n -> new HashSet<>()).addAll(contentsOf(states));
      } else if (event instanceof SenderEvent.AttemptFailed failed) {
        int before = attempts.getOrDefault(failed.transaction(), 0);
        int tries = failed.attempts() - before;
        require(
            tries == 1 || tries == refusals,
            node
                + " counts "
                + failed.attempts()
                + " tries after "
                + before
                + " of "
                + failed.transaction());
        attempts.put(failed.transaction(), failed.attempts());
      } else if (event instanceof SenderEvent.Ended ended) {
        // A crash before its receipt is on the disk has it begin anew: nobody was told.
        attempts.remove(ended.transaction());
      }
    }
  }

  /** Contents come to a node's disk. */
  void onKept(NodeLife node, List<PrivateState> states) {
    for (var state : states) {
      require(
          Invariants.mayHold(node.group(state.contract()), node.name(), state),
          node.name() + " keeps " + state.id() + ", which is not for it");
      require(domain.isGenuine(state), node.name() + " keeps a false " + state.id());
    }
  }

  /** With leave, and spending nothing that another dispatch of the same node is spending. */
  private void onDispatch(NodeName node, Dispatch dispatch) {
    var id = dispatch.prepared().transaction();
    taken.add(new Leave(id, node));
    require(granted.contains(new Leave(id, node)), node + " dispatched " + id + " without leave");
    for (var input : dispatch.prepared().inputs()) {
      var other = spending.put(new Lock(node, input), id);
      require(
          other == null || other.equals(id),
          node + " dispatched " + id + " and " + other + ", which spend the same state");
    }
    var before = tooEarly(node, dispatch);
    require(
        before.isEmpty(),
        node + " dispatched " + before + " before " + id + ", which makes what it spends");
    dispatched.put(new Slot(node, dispatch.prepared().intent()), dispatch);
  }

  /** Nothing goes under two nonces at once, and no nonce has two loads. */
  private void onPacked(Carrier carrier, SubmitterEvent.Load load) {
    require(
        packed.entrySet().stream()
            .filter(other -> other.getKey().node().equals(carrier.node()))
            .noneMatch(other -> !Collections.disjoint(other.getValue(), load.transactions())),
        carrier.node() + " packs again what is under way: " + load);
    require(packed.put(carrier, load.transactions()) == null, carrier + " is used twice");
  }

  /** What goes together goes in the order of dispatch. */
  private void requireOrder(NodeName node, List<IntentKey> intents) {
    var order =
        dispatched.keySet().stream()
            .filter(slot -> slot.node().equals(node))
            .map(Slot::intent)
            .filter(intents::contains)
            .toList();
    require(order.equals(intents), node + " packs in another order than dispatched: " + intents);
  }

  /** What reaches the ledger before {@code dispatch}, which makes what it spends (DSP-6). */
  private List<TransactionId> tooEarly(NodeName node, Dispatch dispatch) {
    // The first version of a record has the same id whoever makes it, and however often.
    var outputs = dispatch.prepared().outputs().stream().filter(made::add).toList();
    return dispatched.entrySet().stream()
        .filter(each -> each.getKey().node().equals(node))
        .map(each -> each.getValue().prepared())
        .filter(
            other ->
                other.inputs().stream()
                    .anyMatch(
                        input ->
                            outputs.contains(input)
                                && other.transaction().equals(spending.get(new Lock(node, input)))))
        .map(PreparedTransaction::transaction)
        .toList();
  }

  /** Until its node knows that it was refused, it may dispatch what builds upon it. */
  private void release(Slot slot) {
    var gone = dispatched.remove(slot);
    if (gone != null && refused.remove(gone.prepared().intent())) {
      unlockWithDependants(slot.node(), gone);
    } else if (gone != null) {
      unlock(slot.node(), gone);
    }
  }

  private void unlock(NodeName node, Dispatch dispatch) {
    var id = dispatch.prepared().transaction();
    dispatch.prepared().inputs().forEach(input -> spending.remove(new Lock(node, input), id));
  }

  /** What the ledger has refused spends nothing, and neither does what builds upon it. */
  void onFinal(Block block) {
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        switch (result) {
          // What a caller has submitted was dispatched by nobody.
          case LedgerReceipt.Fulfilled done -> {
            require(
                domain.hasAssembled(done), "Nobody assembled what fulfils " + done.transaction());
            made.addAll(done.created());
          }
          case LedgerReceipt.Reverted reverted -> {
            // Of a call that came to nothing as a whole, each goes on alone.
            boolean goesOn = receipt.isRevertedAsAWhole() && receipt.results().size() > 1;
            if (!goesOn && !receipt.signer().equals(Stranger.ADDRESS)) {
              onReverted(reverted.intent());
            }
          }
          // These are about no intent.
          case LedgerReceipt.Deployed ignored -> {}
          case LedgerReceipt.CommitteeChanged ignored -> {}
          case LedgerReceipt.ChangeRefused ignored -> {}
          case LedgerReceipt.NonceUsed ignored -> {}
          case LedgerReceipt.Called ignored -> {}
        }
      }
    }
  }

  private void onReverted(IntentKey intent) {
    refused.add(intent);
    reverted.add(intent.transaction());
    for (var entry : List.copyOf(dispatched.entrySet())) {
      if (entry.getValue().prepared().intent().equals(intent)) {
        unlockWithDependants(entry.getKey().node(), entry.getValue());
      }
    }
  }

  private void unlockWithDependants(NodeName node, Dispatch dispatch) {
    unlock(node, dispatch);
    var outputs = Set.copyOf(dispatch.prepared().outputs());
    for (var entry : dispatched.entrySet()) {
      var inputs = entry.getValue().prepared().inputs();
      boolean held =
          inputs.stream()
              .anyMatch(
                  input -> outputs.contains(input) && spending.containsKey(new Lock(node, input)));
      if (held && entry.getKey().node().equals(node)) {
        unlockWithDependants(node, entry.getValue());
      }
    }
  }

  /**
   * A state on the ledger whose content nobody has would be lost; an endorsement of something else
   * would be refused.
   */
  void onSubmitting(NodeName node, Disk disk, LedgerTransaction.Call call) {
    if (call instanceof LedgerTransaction.Invoke invoke) {
      var intents = invoke.transitions().stream().map(PreparedTransaction::intent).toList();
      // What has ended meanwhile may be on its way once more.
      requireOrder(
          node, intents.stream().filter(id -> dispatched.containsKey(new Slot(node, id))).toList());
      invoke.transitions().forEach(prepared -> onSubmitting(node, disk, prepared));
    }
  }

  private void onSubmitting(NodeName node, Disk disk, PreparedTransaction prepared) {
    var digest = prepared.endorsed(BaseLedger.LOCAL_CHAIN);
    for (var each : prepared.proof().signatures()) {
      require(
          SimulatedKeys.SIGNATURES.verify(each.verifier(), digest, each.value()),
          node + " submitted an endorsement of something else by " + each.party());
    }
    var known = contents.getOrDefault(node, Set.of());
    for (var output : prepared.outputs()) {
      require(
          known.contains(output) && disk.contents.containsKey(output),
          node + " submitted " + prepared.transaction() + " before storing " + output);
    }
  }
}
