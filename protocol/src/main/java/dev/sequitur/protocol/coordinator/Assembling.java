package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatedTransaction.Setbacks;
import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * One assembly after another: the senders take turns, each with a batch of its queue; an assembly
 * goes out while earlier ones are still being endorsed (ASM-1).
 */
final class Assembling {
  private Assembling() {}

  private static boolean isFor(NodeName node, PrivateState state) {
    for (var party : state.distribution()) {
      if (party.node().equals(node)) {
        return true;
      }
    }
    return false;
  }

  /** Lets the next sender assemble, if the slot is free. */
  static void next(CoordinatorStep step) {
    if (step.state().mode() != ContractMode.ACTIVE || step.state().assembling().isPresent()) {
      return;
    }
    for (var sender : turns(step)) {
      var batch =
          step.state().isHeldOff(sender, step.now())
              ? List.<CoordinatedTransaction>of()
              : takeBatch(step, sender);
      if (!batch.isEmpty()) {
        request(step, sender, batch);
        return;
      }
    }
  }

  /** The senders that have something queued, the one after the last served first. */
  static List<NodeName> turns(CoordinatorStep step) {
    var ordered = new TreeSet<>(step.state().waiting().bySender().keySet());
    var last = step.state().waiting().lastServed();
    if (last.isEmpty()) {
      return List.copyOf(ordered);
    }
    var turns = new ArrayList<NodeName>(ordered.tailSet(last.get(), false));
    turns.addAll(ordered.headSet(last.get(), true));
    return turns;
  }

  /** Takes what may be assembled now out of a queue, oldest first. */
  private static List<CoordinatedTransaction> takeBatch(CoordinatorStep step, NodeName sender) {
    var queue = step.state().waiting().bySender().get(sender);
    var batch = new ArrayList<CoordinatedTransaction>();
    TreePMap<Long, IntentKey> rest = queue;
    for (var entry : queue.entrySet()) {
      if (batch.size() == step.setup.settings().limits().assembleBatch()) {
        break;
      }
      var transaction = step.get(entry.getValue());
      if (transaction == null || transaction.state() != CoordinatedState.QUEUED) {
        rest = rest.minus(entry.getKey());
      } else if (!transaction.notBefore().isAfter(step.now())) {
        // It may stand twice in the queue, if it left and was delegated again meanwhile.
        if (!batch.contains(transaction)) {
          batch.add(transaction);
        }
        rest = rest.minus(entry.getKey());
      }
    }
    step.become(step.state().withWaiting(step.state().waiting().with(sender, rest)));
    return batch;
  }

  private static void request(
      CoordinatorStep step, NodeName sender, List<CoordinatedTransaction> batch) {
    for (var transaction : batch) {
      step.move(transaction.key(), CoordinatedEvent.ASSEMBLE_SLOT);
    }
    ask(step, sender, batch.stream().map(CoordinatedTransaction::key).toList(), Optional.empty());
  }

  private static void ask(
      CoordinatorStep step, NodeName sender, List<IntentKey> batch, Optional<Exchange> inPlaceOf) {
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
            .assembling(
                new CoordinatorState.Assembling(
                    requestId,
                    sender,
                    request.stateLocks().created(),
                    TreePVector.from(batch),
                    HashTrie.empty(),
                    false)));
    var requests = step.state().requests();
    var patience = requests.assemblies().patience(sender, delivery.assembleTimeout());
    var asked = Exchange.request(sender, request, delivery.resend(), patience, step.now());
    var goesOut = inPlaceOf.map(asked::inPlaceOf).orElse(asked);
    step.become(
        step.state()
            .withRequests(
                requests.withAssemblies(
                    requests.assemblies().asked(requestId, goesOut, delivery.assembleTimeout()))));
    step.begin(requestId, goesOut, Subject.ASSEMBLY, List.of());
  }

  /** Also an answer for which nobody waits any more tells how long it took. */
  private static void measure(CoordinatorStep step, NodeName from, RequestId request) {
    var requests = step.state().requests();
    var measured = requests.assemblies().answered(request, from, step.now());
    step.become(step.state().withRequests(requests.withAssemblies(measured)));
  }

  private static void measureLate(CoordinatorStep step, NodeName from, RequestId request) {
    if (step.state().assembling().filter(out -> out.request().equals(request)).isEmpty()) {
      measure(step, from, request);
    }
  }

  /** Contents go to nobody outside a state's distribution list (DST-2). */
  private static StateLocks locksFor(CoordinatorStep step, NodeName sender) {
    var locks = step.state().graph().locks();
    if (step.state().graph().isWhollyFor(sender)) {
      // Thousands may be in flight, and most domains tell every state to the whole committee.
      return locks;
    }
    var hidden = new ArrayList<StateId>();
    for (var state : locks.created().values()) {
      if (!isFor(sender, state)) {
        hidden.add(state.id());
      }
    }
    return hidden.isEmpty()
        ? locks
        : new StateLocks(locks.spent(), locks.created().minusAll(hidden));
  }

  /** The delegation ids in a request that is out are no longer the active ones. */
  static void askAgain(CoordinatorStep step, CoordinatedTransaction delegatedAgain) {
    var sender = delegatedAgain.sender();
    var assembling = step.state().assembling();
    if (assembling.isPresent() && assembling.get().sender().equals(sender)) {
      var before = step.state().exchanges().get(assembling.get().request());
      step.end(assembling.get().request());
      // One of them may have been confirmed meanwhile, of another dispatch.
      var still = assembling.get().remaining().stream().filter(id -> step.get(id) != null).toList();
      ask(step, sender, still, before);
    }
  }

  static void onResponse(CoordinatorStep step, Received<AssembleResponse> received) {
    var response = received.message();
    measureLate(step, received.from(), response.assembleRequestId());
    asked(step, received.from(), response.assembleRequestId(), response.transaction())
        .ifPresent(key -> onAnswer(step, key, Optional.of(response.postAssembly())));
  }

  static void onError(CoordinatorStep step, Received<AssembleError> received) {
    var error = received.message();
    measureLate(step, received.from(), error.assembleRequestId());
    asked(step, received.from(), error.assembleRequestId(), error.transaction())
        .ifPresent(key -> onAnswer(step, key, Optional.empty()));
  }

  /** Takes what is next in the order of the request, as far as it has been answered. */
  private static void onAnswer(
      CoordinatorStep step, IntentKey transaction, Optional<PostAssembly> answer) {
    become(step, assembling(step).answered(transaction, answer));
    while (!assembling(step).remaining().isEmpty()) {
      var first = assembling(step).remaining().get(0);
      var taken = assembling(step).early().get(first);
      if (taken == null) {
        return;
      }
      take(step, first, taken);
      become(step, assembling(step).taken(first, taken));
    }
    var ended = assembling(step);
    if (!ended.assembledAny()) {
      var asked = step.state().exchanges().get(ended.request());
      asked.ifPresent(it -> inVain(step, it, step.setup.settings().delivery().assembleTimeout()));
    }
    measure(step, ended.sender(), ended.request());
    step.end(ended.request());
    step.become(step.state().withAssembling(Optional.empty()));
    next(step);
  }

  private static CoordinatorState.Assembling assembling(CoordinatorStep step) {
    return step.state().assembling().orElseThrow();
  }

  private static void become(CoordinatorStep step, CoordinatorState.Assembling next) {
    step.become(step.state().assembling(next));
  }

  private static void take(CoordinatorStep step, IntentKey id, Optional<PostAssembly> assembly) {
    if (assembly.isEmpty()) {
      step.move(id, CoordinatedEvent.ASSEMBLE_ERROR);
    } else if (step.get(id) != null && conflicts(step, assembly.get())) {
      step.move(id, CoordinatedEvent.ASSEMBLY_CONFLICTS);
    } else if (step.move(id, CoordinatedEvent.ASSEMBLED)) {
      lock(step, id, assembly.get());
      Endorsing.begin(step, id);
    }
  }

  /** Somebody else has locked what it uses, or whoever was to make what it uses has left. */
  private static boolean conflicts(CoordinatorStep step, PostAssembly assembly) {
    var graph = step.state().graph();
    var offered = assembling(step).offered();
    return graph.conflict(assembly).isPresent()
        || Stream.concat(assembly.inputIds().stream(), assembly.readIds().stream())
            .anyMatch(used -> offered.containsKey(used) && !graph.madeBy().containsKey(used));
  }

  private static void lock(CoordinatorStep step, IntentKey id, PostAssembly assembly) {
    step.put(step.get(id).withoutConflicts());
    boolean offersOutputs = !step.get(id).isExternal();
    step.become(step.state().withGraph(step.state().graph().add(id, assembly, offersOutputs)));
  }

  private static Optional<IntentKey> asked(
      CoordinatorStep step, NodeName from, RequestId request, TransactionId transaction) {
    return step.state()
        .assembling()
        .filter(assembling -> assembling.request().equals(request))
        .filter(assembling -> assembling.sender().equals(from))
        .flatMap(
            assembling ->
                assembling.remaining().stream()
                    .filter(key -> key.transaction().equals(transaction))
                    .findFirst());
  }

  /**
   * A sender that does not answer must not hold up the others: all it has queued is abandoned
   * (ASM-5).
   */
  static void onTimeout(CoordinatorStep step, Exchange unanswered) {
    var assembling = step.state().assembling().orElseThrow();
    silent(step, unanswered);
    step.become(step.state().withAssembling(Optional.empty()));
    for (var id : assembling.remaining()) {
      step.move(id, CoordinatedEvent.ASSEMBLE_TIMEOUT);
    }
    var queue =
        step.state().waiting().bySender().getOrDefault(assembling.sender(), TreePMap.empty());
    for (var id : queue.values()) {
      var queued = step.get(id);
      if (queued != null && queued.state() == CoordinatedState.QUEUED) {
        step.move(id, CoordinatedEvent.ASSEMBLE_TIMEOUT);
      }
    }
    step.become(
        step.state()
            .withWaiting(step.state().waiting().with(assembling.sender(), TreePMap.empty())));
    next(step);
  }

  /**
   * However often it delegates anew, it holds up the others for less and less of the time (DSP-8).
   * What times out while the sender waits for its turn was asked before that.
   */
  static void silent(CoordinatorStep step, Exchange unanswered) {
    heldUp(step, unanswered.to(), 1);
  }

  /**
   * The answer is a denial, or none of a request is assembled. It was worth waiting for only if it
   * came soon: who was asked twice has held up the others for as long as it took.
   *
   * @param timeout of what was asked
   */
  static void inVain(CoordinatorStep step, Exchange asked, Duration timeout) {
    if (asked.sends() > 1) {
      var took = Duration.between(asked.begun(), step.now());
      heldUp(step, asked.to(), Math.clamp((double) took.toMillis() / timeout.toMillis(), 0, 1));
    }
  }

  /** A coordinator whose own JVM stood still has the answers of others still before it. */
  private static void heldUp(CoordinatorStep step, NodeName sender, double part) {
    var awake = step.state().awake();
    if (!awake.isFor(late(step), step.now()) || step.state().isHeldOff(sender, step.now())) {
      return;
    }
    var shortest = step.setup.settings().delivery().confirmationTimeout();
    var longest = step.setup.settings().retries().refusal().cap();
    var again = new Backoff(shortest, shortest.compareTo(longest) > 0 ? shortest : longest);
    step.become(step.state().heldUp(sender, step.now(), again, part));
  }

  /** A coordinator that is told the time later than that has missed half of the time to answer. */
  static Duration late(CoordinatorStep step) {
    var delivery = step.setup.settings().delivery();
    boolean assembledSooner =
        delivery.assembleTimeout().compareTo(delivery.confirmationTimeout()) < 0;
    var shorter = assembledSooner ? delivery.assembleTimeout() : delivery.confirmationTimeout();
    return shorter.dividedBy(2);
  }

  /** Puts a transaction whose state is queued back into its queue, to be assembled at once. */
  static void requeue(CoordinatorStep step, CoordinatedTransaction queued) {
    requeue(step, queued, queued.setbacks(), step.now());
  }

  /** The same, after a back-off (EDR-5). */
  static void requeueAfterRefusal(CoordinatorStep step, IntentKey id, Setbacks setbacks) {
    var backoff = step.setup.settings().retries().refusal();
    var wait = backoff.wait(setbacks.refusals(), id.hashCode());
    requeue(step, step.get(id), setbacks, step.now().plus(wait));
  }

  /**
   * At once the first time: its sender then goes by newer locks (ASM-6). If that does not help,
   * whatever is in its way must end first.
   */
  static void requeueAfterConflict(CoordinatorStep step, CoordinatedTransaction queued) {
    var setbacks = queued.setbacks().conflicted();
    int again = setbacks.conflicts() - 1;
    var backoff = step.setup.settings().retries().attempt();
    var earliest =
        again == 0 ? step.now() : step.now().plus(backoff.wait(again, queued.key().hashCode()));
    requeue(step, queued, setbacks, earliest);
  }

  private static void requeue(
      CoordinatorStep step, CoordinatedTransaction queued, Setbacks setbacks, Instant earliest) {
    step.endRequests(queued);
    step.put(queued.requeued(setbacks, earliest));
    step.become(
        step.state().withWaiting(step.state().waiting().plus(queued.sender(), queued.key())));
    step.count(Counted.REASSEMBLY);
  }

  /** Ends the assembly that is out, whatever is answered later. */
  static void cancel(CoordinatorStep step) {
    step.state().assembling().ifPresent(assembling -> step.end(assembling.request()));
    step.become(step.state().withAssembling(Optional.empty()));
  }
}
