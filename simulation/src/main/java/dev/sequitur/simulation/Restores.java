package dev.sequitur.simulation;

import static dev.sequitur.simulation.Invariants.require;

import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.OlderRecords;
import dev.sequitur.protocol.indexing.OlderRecords.Done;
import dev.sequitur.protocol.indexing.OlderRecords.Known;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.transaction.PrivateState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Nodes that are set back to older copies of their records, in the middle of everything, once and
 * again, each to whichever of its copies. What a node has forgotten so, it reads from the ledger or
 * asks of the other members; what its callers gave it, it knows no more, and says so (RCV-7).
 *
 * <p>Contents that no other node has would be lost for good, and what depends on them would wait
 * for ever: no rule can bring them back. They are handed to the node by its operator, as if from
 * what is left of its disk.
 */
final class Restores {
  private static final int COPIES = 2;
  private static final int RESTORES = 3;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Simulation simulation;
  private RandomGenerator random;
  private final Map<SimulatedNode, List<Copy>> copies = new LinkedHashMap<>();
  private final Map<SimulatedNode, Map<StateId, Content>> nobodyElses = new LinkedHashMap<>();
  private final Map<NodeName, Set<StateId>> lost = new HashMap<>();
  private boolean calm;

  /** A backup, with what those who check had seen of the node then. */
  private record Copy(Disk disk, Conduct.OfNode conduct) {}

  record Content(ContractAddress contract, TransactionId producedBy, PrivateState state) {}

  Restores(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Of one node, or of two. */
  void start(Duration within) {
    random = new SplittableRandom(simulation.setup().seed() * 103);
    var nodes = new ArrayList<>(simulation.nodes());
    int many = 1 + random.nextInt(2);
    for (int i = 0; i < many; i++) {
      var node = nodes.remove(random.nextInt(nodes.size()));
      for (int copy = 0; copy < COPIES; copy++) {
        at(random.nextLong(within.toMillis() / 2), () -> backUp(node));
      }
      for (int restore = 0; restore < RESTORES; restore++) {
        at(within.toMillis() / 6 + random.nextLong(within.toMillis() * 5 / 6), () -> setBack(node));
      }
    }
    handIn();
  }

  private void at(long millis, Runnable what) {
    simulation.after(Duration.ofMillis(millis), what);
  }

  void calm() {
    calm = true;
  }

  private void backUp(SimulatedNode node) {
    copies
        .computeIfAbsent(node, any -> new ArrayList<>())
        .add(new Copy(node.disk().copy(), simulation.conduct().of(node.name())));
  }

  private void setBack(SimulatedNode node) {
    var own = copies.getOrDefault(node, List.of());
    if (calm || own.isEmpty()) {
      return;
    }
    simulation.injected(Fault.SET_BACK);
    var copy = own.get(random.nextInt(own.size()));
    var before = node.disk();
    // A clock that is set back as well is another fault: its operator sees to it.
    node.setClockRight();
    node.setBack(copy.disk(), Duration.ofMillis(200 + random.nextInt(4_000)));
    keepWhatNobodyElseHas(node, before);
    simulation.conduct().onSetBack(node.name(), copy.conduct(), before, node.disk());
    simulation.invariants().onSetBack(node.name(), node.disk());
    simulation.publics().onSetBack(node.name(), node.disk());
    requireTold(node);
  }

  /** Whether it had kept this state's contents before it was set back. */
  boolean hasLost(NodeName node, StateId state) {
    return lost.getOrDefault(node, Set.of()).contains(state);
  }

  private void keepWhatNobodyElseHas(SimulatedNode node, Disk before) {
    lost.computeIfAbsent(node.name(), any -> new HashSet<>()).addAll(before.contents.keySet());
    var kept = nobodyElses.computeIfAbsent(node, any -> new LinkedHashMap<>());
    before.journals.forEach(
        (contract, journals) -> {
          for (var event : journals.states()) {
            if (event instanceof StateStoreEvent.StatesStored stored) {
              for (var item : stored.items()) {
                var content = before.contents.get(item.state());
                if (content != null
                    && !node.disk().contents.containsKey(item.state())
                    && isNobodyElses(node, item.state())) {
                  kept.put(item.state(), new Content(contract, item.producedBy(), content));
                }
              }
            }
          }
        });
  }

  private boolean isNobodyElses(SimulatedNode node, StateId state) {
    return simulation.nodes().stream()
        .noneMatch(other -> other != node && other.disk().state(state).isPresent());
  }

  /** Until they are on the disk. */
  private void handIn() {
    nobodyElses.forEach(
        (node, contents) -> {
          contents.keySet().removeIf(node.disk().contents::containsKey);
          if (node.isUp()) {
            contents.values().forEach(content -> handIn(node, content));
          }
        });
    simulation.after(AGAIN, this::handIn);
  }

  static void handIn(SimulatedNode node, Content content) {
    var item = new StateDistribution.Item(content.producedBy(), content.state());
    var given =
        new StateDistribution(
            new RequestId("by hand " + content.state().id()), content.contract(), List.of(item));
    var id = new MessageId(new UUID(0, 0));
    node.running()
        .entities(content.contract())
        .states()
        .tell(new StateStore.Input.Given(new Received<>(node.name(), id, given)));
  }

  /** RCV-7: what the final blocks show of it and its records do not have, it finds. */
  private void requireTold(SimulatedNode node) {
    var disk = node.disk();
    var own = new Own(node);
    var shown = new ArrayList<Done>();
    for (long height = disk.indexedTo.height().value() + 1;
        height <= simulation.finalHeight();
        height++) {
      shown.addAll(OlderRecords.shown(simulation.ledger().block(height), own));
    }
    var unknown =
        new HashSet<>(
            OlderRecords.unknown(shown, new Known(Map.of(), Set.copyOf(disk.intents.keySet()))));
    for (var done : shown) {
      require(
          !(done instanceof OlderRecords.Sent)
              || !simulation.invariants().isLost(done.transaction())
              || unknown.contains(done),
          node.name() + " does not know that it has lost " + done);
    }
  }

  /** How a node knows its own again, as the network knows it. */
  private final class Own implements OlderRecords.Own {
    private final SimulatedNode node;

    Own(SimulatedNode node) {
      this.node = node;
    }

    @Override
    public boolean isSubmitter(LedgerAddress signer, ContractAddress contract) {
      return false;
    }

    @Override
    public boolean isSender(ContractAddress contract, IntentKey intent) {
      return Optional.ofNullable(simulation.invariants().accepted().get(intent.transaction()))
          .filter(it -> it.node().equals(node.name()))
          .filter(it -> it.transaction().key().equals(intent))
          .isPresent();
    }
  }
}
