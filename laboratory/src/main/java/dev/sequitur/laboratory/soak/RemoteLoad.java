package dev.sequitur.laboratory.soak;

import dev.sequitur.client.NodeCalls;
import dev.sequitur.laboratory.demo.Intents;
import dev.sequitur.laboratory.demo.NodeOperations;
import dev.sequitur.laboratory.load.NodeLoad;
import dev.sequitur.laboratory.load.RemoteEntrance;
import dev.sequitur.laboratory.load.Totals;
import dev.sequitur.laboratory.load.Totals.Outcome;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A load on all nodes by JSON-RPC, whatever happens to them: what is not answered or refused is
 * asked again. Confined to one thread.
 */
final class RemoteLoad implements AutoCloseable {
  /** In flight at one node; what is due beyond it is sent later, and its wait is counted. */
  private static final int MOST_OPEN = 5_000;

  private final int size;
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Totals totals = new Totals(Set.of(), outcomes::add);
  private final List<Share> shares = new ArrayList<>();

  /** One node's part. */
  private record Share(RemoteEntrance entrance, NodeLoad load, NodeOperations operations) {
    boolean isDone() {
      return operations.isDone() && load.outstanding() == 0;
    }
  }

  /**
   * What was sent, and what came of it.
   *
   * @param due how many operations
   * @param accepted all ids that callers were given
   */
  record Sent(long due, Set<TransactionId> accepted, List<Outcome> outcomes) {
    Sent plus(Sent more) {
      var ids = new HashSet<>(accepted);
      ids.addAll(more.accepted);
      var all = new ArrayList<>(outcomes);
      all.addAll(more.outcomes);
      return new Sent(due + more.due, ids, all);
    }
  }

  /**
   * @param rate of all operations together, a second; 0 if all are due at once
   */
  RemoteLoad(
      Map<NodeName, NodeCalls> nodes, NodeOperations.All operations, Intents intents, int rate) {
    this.size = operations.size();
    nodes.forEach(
        (node, calls) -> {
          var entrance = new RemoteEntrance(List.of(calls), NodeCalls.MOST);
          shares.add(
              new Share(
                  entrance,
                  new NodeLoad(node.value(), entrance, entrance, totals, true),
                  new NodeOperations(node, operations, intents, rate)));
        });
  }

  void step() {
    shares.forEach(
        share -> share.load.step(share.operations, MOST_OPEN - share.load.outstanding()));
  }

  /** Whether every operation has its receipt. */
  boolean isDone() {
    return shares.stream().allMatch(Share::isDone);
  }

  Totals totals() {
    return totals;
  }

  Sent sent() {
    return new Sent(size, totals.accepted(), outcomes);
  }

  /** Ends what is not done. */
  @Override
  public void close() {
    shares.forEach(share -> share.entrance.close());
  }
}
