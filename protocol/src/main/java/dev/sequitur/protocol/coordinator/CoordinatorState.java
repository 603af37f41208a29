package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.assembly.AssemblyGraph;
import dev.sequitur.protocol.exchange.Exchanges;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.selection.Availability;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PVector;
import org.pcollections.TreePMap;

/**
 * All that a coordinator knows of one contract, in memory only.
 *
 * @param sequence of its newest heartbeat; the incarnation tells one start of it from another
 * @param transactions that are coordinated
 * @param queues what waits for assembly, by sender, in order of arrival
 * @param arrivals counts queued transactions, so that they keep their order
 * @param lastServed whose transactions were assembled last: the next sender's turn follows
 * @param assembling the one assembly that is out (A25)
 * @param exchanges requests and notifications not yet answered
 * @param purposes what each open exchange is about
 * @param handed dispatches that the submitter has not yet committed, by order
 * @param nextRequest numbers requests within this incarnation
 * @param startupSentAt when this node last announced itself for this contract
 */
public record CoordinatorState(
    ContractMode mode,
    HeartbeatSequence sequence,
    BlockHeight height,
    Availability availability,
    PMap<IntentKey, CoordinatedTransaction> transactions,
    PMap<NodeName, TreePMap<Long, IntentKey>> queues,
    long arrivals,
    Optional<NodeName> lastServed,
    Optional<Assembling> assembling,
    AssemblyGraph graph,
    Exchanges<RequestId> exchanges,
    PMap<RequestId, Purpose> purposes,
    TreePMap<Long, Handed> handed,
    long nextRequest,
    Optional<Instant> lastHeartbeat,
    Optional<Instant> startupSentAt) {

  /**
   * An assemble request that is out. Answers may overtake each other, yet each assembly comes upon
   * those before it: they are taken in the order of the request.
   *
   * @param offered states that the request offered, and that those before have made
   * @param remaining whose answers are not taken yet, in order
   * @param early answers of some of them; empty is an error
   */
  public record Assembling(
      RequestId request,
      NodeName sender,
      PMap<StateId, PrivateState> offered,
      PVector<IntentKey> remaining,
      PMap<IntentKey, Optional<PostAssembly>> early) {
    Assembling answered(IntentKey transaction, Optional<PostAssembly> answer) {
      return new Assembling(request, sender, offered, remaining, early.plus(transaction, answer));
    }

    Assembling taken(IntentKey first, Optional<PostAssembly> answer) {
      var next = offered;
      for (var output : answer.map(PostAssembly::outputs).orElse(List.of())) {
        next = next.plus(output.id(), output);
      }
      return new Assembling(request, sender, next, remaining.minus(0), early.minus(first));
    }
  }

  /** What an exchange is about. */
  public enum Subject {
    ASSEMBLY,
    ENDORSEMENT,
    CONFIRMATION,
    NOTIFICATION,
    /** Whether a member lives of which somebody else says so. */
    LIVENESS
  }

  public record Purpose(Subject subject, Optional<IntentKey> transaction) {}

  /**
   * @param resendAt when it is handed over again if it is not committed by then
   */
  public record Handed(Dispatch dispatch, Instant resendAt) {}

  /**
   * @param incarnation greater than that of every earlier start on this node
   */
  public static CoordinatorState initial(long incarnation, BlockHeight height) {
    return new CoordinatorState(
        ContractMode.INACTIVE,
        new HeartbeatSequence(incarnation, 0),
        height,
        Availability.UNKNOWN,
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        AssemblyGraph.EMPTY,
        Exchanges.none(),
        HashTreePMap.empty(),
        TreePMap.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** Nothing here would be missed. */
  public boolean isIdle() {
    return mode == ContractMode.INACTIVE && exchanges.open().isEmpty() && handed.isEmpty();
  }

  CoordinatorState with(ContractMode newMode) {
    return new CoordinatorState(
        newMode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState with(HeartbeatSequence newSequence, Instant heartbeatAt) {
    return new CoordinatorState(
        mode,
        newSequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        Optional.of(heartbeatAt),
        startupSentAt);
  }

  CoordinatorState with(BlockHeight newHeight) {
    return new CoordinatorState(
        mode,
        sequence,
        newHeight,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState with(Availability newAvailability) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        newAvailability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState with(AssemblyGraph newGraph) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        newGraph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withAssembling(Optional<Assembling> newAssembling) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        newAssembling.map(Assembling::sender).or(() -> lastServed),
        newAssembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withTransactions(PMap<IntentKey, CoordinatedTransaction> next) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        next,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withExchanges(Exchanges<RequestId> next, PMap<RequestId, Purpose> nextPurposes) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        next,
        nextPurposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withHanded(TreePMap<Long, Handed> next) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        next,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withNextRequest(long next) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        next,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withStartupSentAt(Instant when) {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        Optional.of(when));
  }

  /** Puts a transaction at the end of its sender's queue. */
  CoordinatorState enqueue(NodeName sender, IntentKey transaction) {
    var queue = queues.getOrDefault(sender, TreePMap.empty()).plus(arrivals, transaction);
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        queues.plus(sender, queue),
        arrivals + 1,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withQueue(NodeName sender, TreePMap<Long, IntentKey> queue) {
    var next = queue.isEmpty() ? queues.minus(sender) : queues.plus(sender, queue);
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        next,
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }

  CoordinatorState withoutQueues() {
    return new CoordinatorState(
        mode,
        sequence,
        height,
        availability,
        transactions,
        HashTreePMap.empty(),
        arrivals,
        lastServed,
        assembling,
        graph,
        exchanges,
        purposes,
        handed,
        nextRequest,
        lastHeartbeat,
        startupSentAt);
  }
}
