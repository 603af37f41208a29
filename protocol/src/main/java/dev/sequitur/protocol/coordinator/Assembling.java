package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.StateLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.pcollections.HashTreePSet;
import org.pcollections.TreePMap;

/**
 * One assembly after another: the senders take turns, each with a batch of its queue; an assembly
 * goes out while earlier ones are still being endorsed (A25).
 */
final class Assembling {
  private Assembling() {}

  /** Lets the next sender assemble, if the slot is free. */
  static void next(CoordinatorStep step) {
    if (step.state().mode() != ContractMode.ACTIVE || step.state().assembling().isPresent()) {
      return;
    }
    for (var sender : turns(step)) {
      var batch = takeBatch(step, sender);
      if (!batch.isEmpty()) {
        request(step, sender, batch);
        return;
      }
    }
  }

  /** The senders that have something queued, the one after the last served first. */
  private static List<NodeName> turns(CoordinatorStep step) {
    var ordered = new TreeSet<>(step.state().queues().keySet());
    var last = step.state().lastServed();
    if (last.isEmpty()) {
      return List.copyOf(ordered);
    }
    var turns = new ArrayList<NodeName>(ordered.tailSet(last.get(), false));
    turns.addAll(ordered.headSet(last.get(), true));
    return turns;
  }

  /** Takes what may be assembled now out of a queue, oldest first. */
  private static List<CoordinatedTransaction> takeBatch(CoordinatorStep step, NodeName sender) {
    var queue = step.state().queues().get(sender);
    var batch = new ArrayList<CoordinatedTransaction>();
    TreePMap<Long, TransactionId> rest = queue;
    for (var entry : queue.entrySet()) {
      if (batch.size() == step.setup.settings().limits().assembleBatch()) {
        break;
      }
      var transaction = step.get(entry.getValue());
      if (transaction == null || transaction.state() != CoordinatedState.QUEUED) {
        rest = rest.minus(entry.getKey());
      } else if (!transaction.notBefore().isAfter(step.now())) {
        batch.add(transaction);
        rest = rest.minus(entry.getKey());
      }
    }
    step.become(step.state().withQueue(sender, rest));
    return batch;
  }

  private static void request(
      CoordinatorStep step, NodeName sender, List<CoordinatedTransaction> batch) {
    for (var transaction : batch) {
      step.move(transaction.id(), CoordinatedEvent.ASSEMBLE_SLOT);
    }
    ask(step, sender, batch.stream().map(CoordinatedTransaction::id).toList());
  }

  private static void ask(CoordinatorStep step, NodeName sender, List<TransactionId> batch) {
    var requestId = step.newRequestId();
    var items =
        batch.stream()
            .map(step::get)
            .map(
                transaction ->
                    new AssembleRequest.Item(
                        transaction.id(),
                        transaction.delegation(),
                        transaction.transaction().inputs(),
                        Bytes.EMPTY))
            .toList();
    var request =
        new AssembleRequest(
            requestId,
            step.setup.group().contract(),
            step.state().height(),
            locksFor(step, sender),
            items);
    var delivery = step.setup.settings().delivery();
    step.become(
        step.state()
            .withAssembling(
                Optional.of(
                    new CoordinatorState.Assembling(requestId, sender, HashTreePSet.from(batch)))));
    step.begin(
        requestId,
        Exchange.request(
            sender, request, delivery.resend(), delivery.assembleTimeout(), step.now()),
        Subject.ASSEMBLY,
        Optional.empty());
  }

  /** Contents go to nobody outside a state's distribution list (A24). */
  private static StateLocks locksFor(CoordinatorStep step, NodeName sender) {
    var locks = step.state().graph().locks();
    var hidden = new ArrayList<StateId>();
    for (var state : locks.created().values()) {
      if (state.distribution().stream().noneMatch(party -> party.node().equals(sender))) {
        hidden.add(state.id());
      }
    }
    return hidden.isEmpty()
        ? locks
        : new StateLocks(locks.spent(), locks.created().minusAll(hidden));
  }

  /** The delegation ids in a request that is out are no longer the active ones. */
  static void askAgain(CoordinatorStep step, NodeName sender) {
    var assembling = step.state().assembling();
    if (assembling.isPresent() && assembling.get().sender().equals(sender)) {
      step.end(assembling.get().request());
      ask(step, sender, List.copyOf(new TreeSet<>(assembling.get().remaining())));
    }
  }

  static void onResponse(CoordinatorStep step, Received<AssembleResponse> received) {
    var response = received.message();
    if (!answers(step, received.from(), response.assembleRequestId(), response.transaction())) {
      return;
    }
    if (step.state().graph().conflict(response.postAssembly()).isPresent()) {
      step.move(response.transaction(), CoordinatedEvent.ASSEMBLY_CONFLICTS);
      requeue(step, response.transaction(), false);
    } else if (step.move(response.transaction(), CoordinatedEvent.ASSEMBLED)) {
      lock(step, response.transaction(), response.postAssembly());
      Endorsing.begin(step, response.transaction());
    }
    answered(step, response.transaction());
  }

  private static void lock(CoordinatorStep step, TransactionId id, PostAssembly assembly) {
    boolean offersOutputs = !step.get(id).isExternal();
    step.become(step.state().with(step.state().graph().add(id, assembly, offersOutputs)));
  }

  static void onError(CoordinatorStep step, Received<AssembleError> received) {
    var error = received.message();
    if (answers(step, received.from(), error.assembleRequestId(), error.transaction())) {
      step.move(error.transaction(), CoordinatedEvent.ASSEMBLE_ERROR);
      answered(step, error.transaction());
    }
  }

  private static boolean answers(
      CoordinatorStep step, NodeName from, RequestId request, TransactionId transaction) {
    return step.state()
        .assembling()
        .filter(assembling -> assembling.request().equals(request))
        .filter(assembling -> assembling.sender().equals(from))
        .filter(assembling -> assembling.remaining().contains(transaction))
        .isPresent();
  }

  private static void answered(CoordinatorStep step, TransactionId transaction) {
    var assembling = step.state().assembling().orElseThrow();
    var remaining = assembling.remaining().minus(transaction);
    if (remaining.isEmpty()) {
      step.end(assembling.request());
      step.become(step.state().withAssembling(Optional.empty()));
      next(step);
    } else {
      step.become(
          step.state()
              .withAssembling(
                  Optional.of(
                      new CoordinatorState.Assembling(
                          assembling.request(), assembling.sender(), remaining))));
    }
  }

  /** A sender that does not answer must not hold up the others: all it has queued is abandoned. */
  static void onTimeout(CoordinatorStep step) {
    var assembling = step.state().assembling().orElseThrow();
    step.become(step.state().withAssembling(Optional.empty()));
    for (var id : assembling.remaining()) {
      step.move(id, CoordinatedEvent.ASSEMBLE_TIMEOUT);
    }
    var queue = step.state().queues().getOrDefault(assembling.sender(), TreePMap.empty());
    for (var id : queue.values()) {
      step.move(id, CoordinatedEvent.ASSEMBLE_TIMEOUT);
    }
    step.become(step.state().withQueue(assembling.sender(), TreePMap.empty()));
    next(step);
  }

  /** Puts a transaction whose state is queued back into its queue. */
  static void requeue(CoordinatorStep step, TransactionId id, boolean refused) {
    var transaction = step.get(id);
    transaction.requests().values().forEach(step::end);
    transaction.confirmation().ifPresent(step::end);
    int refusals = transaction.refusals() + (refused ? 1 : 0);
    var backoff = step.setup.settings().retries().refusal();
    var earliest = refused ? step.now().plus(backoff.wait(refusals, id.hashCode())) : step.now();
    step.put(transaction.requeued(refusals, earliest, step.now()));
    step.become(step.state().enqueue(transaction.sender(), id));
    step.count(Counted.REASSEMBLY);
  }

  /** Ends the assembly that is out, whatever is answered later. */
  static void cancel(CoordinatorStep step) {
    step.state().assembling().ifPresent(assembling -> step.end(assembling.request()));
    step.become(step.state().withAssembling(Optional.empty()));
  }
}
