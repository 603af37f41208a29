package dev.sequitur.protocol.assembly;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.TreePMap;

/**
 * The transactions that a coordinator has assembled, with the states they lock (ASM-2). A
 * transaction <em>depends on</em> those in flight whose outputs it spends or reads; it comes
 * <em>after</em> those that read what it spends. A confirmed transaction stays as a lock for some
 * blocks more (CNF-5), since other nodes may index its block later; it binds nobody any longer.
 *
 * <p>Immutable: a change gives a new graph, which shares what did not change.
 *
 * @param nodes by transaction
 * @param spentBy who spends a state
 * @param readBy who reads a state
 * @param madeBy who makes a state
 * @param locks what an assembly may not spend and what it may spend beyond the confirmed states
 * @param audiences how many states made here have this distribution list
 * @param settled what each block has confirmed, while its locks are kept
 */
@Copyable
public record AssemblyGraph(
    PMap<IntentKey, Node> nodes,
    PMap<StateId, IntentKey> spentBy,
    PMap<StateId, PSet<IntentKey>> readBy,
    PMap<StateId, IntentKey> madeBy,
    StateLocks locks,
    PMap<List<Identity>, Integer> audiences,
    TreePMap<BlockHeight, PSet<IntentKey>> settled)
    implements AssemblyGraphBuilder.With {
  public static final AssemblyGraph EMPTY =
      new AssemblyGraph(
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.empty(),
          HashTrie.empty(),
          StateLocks.NONE,
          HashTrie.empty(),
          TreePMap.empty());

  /**
   * @param dependsOn in flight; without them this can never be fulfilled
   * @param after must reach the ledger before this, but may leave without harm
   * @param settledAt the block that confirmed it, while its locks are kept
   * @param offersOutputs whether others may spend its outputs before they are confirmed
   */
  @Copyable
  public record Node(
      IntentKey transaction,
      PostAssembly assembly,
      PSet<IntentKey> dependsOn,
      PSet<IntentKey> after,
      PSet<IntentKey> dependants,
      Optional<BlockHeight> settledAt,
      boolean offersOutputs)
      implements AssemblyGraphNodeBuilder.With {

    private Node withDependant(IntentKey dependant) {
      return withDependants(dependants.plus(dependant));
    }

    private Node without(IntentKey other) {
      return with()
          .dependsOn(dependsOn.minus(other))
          .after(after.minus(other))
          .dependants(dependants.minus(other))
          .build();
    }

    private Node settled(BlockHeight height) {
      return new Node(
          transaction,
          assembly,
          HashTrie.emptySet(),
          HashTrie.emptySet(),
          HashTrie.emptySet(),
          Optional.of(height),
          offersOutputs);
    }

    /** All that must reach the ledger before this. */
    public Set<IntentKey> predecessors() {
      return after.isEmpty() ? dependsOn : dependsOn.plusAll(after);
    }
  }

  public Optional<Node> node(IntentKey transaction) {
    return Optional.ofNullable(nodes.get(transaction));
  }

  /**
   * The transaction that stands in the way of {@code assembly}: it spends what {@code assembly}
   * spends or reads, or makes what it makes.
   */
  public Optional<IntentKey> conflict(PostAssembly assembly) {
    for (var id : assembly.inputIds()) {
      if (spentBy.containsKey(id)) {
        return Optional.of(spentBy.get(id));
      }
    }
    for (var id : assembly.readIds()) {
      if (spentBy.containsKey(id)) {
        return Optional.of(spentBy.get(id));
      }
    }
    for (var id : assembly.outputIds()) {
      if (madeBy.containsKey(id)) {
        return Optional.of(madeBy.get(id));
      }
    }
    return Optional.empty();
  }

  /** Those that need one of the former states unspent, or one of the latter not to be there. */
  public Set<IntentKey> needing(List<StateId> spent, List<StateId> created) {
    var found = new LinkedHashSet<IntentKey>();
    for (var id : spent) {
      Optional.ofNullable(spentBy.get(id)).ifPresent(found::add);
      found.addAll(readBy.getOrDefault(id, HashTrie.emptySet()));
    }
    for (var id : created) {
      Optional.ofNullable(madeBy.get(id)).ifPresent(found::add);
    }
    return found;
  }

  /**
   * @param offersOutputs whether others may spend the outputs before they are confirmed; false
   *     where nobody here decides when the transaction reaches the ledger (EXT-4)
   * @throws IllegalStateException if the transaction is here already or its assembly conflicts
   */
  public AssemblyGraph add(IntentKey transaction, PostAssembly assembly, boolean offersOutputs) {
    if (nodes.containsKey(transaction) || conflict(assembly).isPresent()) {
      throw new IllegalStateException("Cannot add " + transaction + ": " + conflict(assembly));
    }
    var dependsOn = inFlightMakersOf(assembly);
    var after = readersOf(assembly, transaction);
    var nextNodes = nodes;
    for (var predecessor : dependsOn.plusAll(after)) {
      nextNodes =
          nextNodes.plus(predecessor, nextNodes.get(predecessor).withDependant(transaction));
    }
    var node =
        new Node(
            transaction,
            assembly,
            dependsOn,
            after,
            HashTrie.emptySet(),
            Optional.empty(),
            offersOutputs);
    return new AssemblyGraph(
        nextNodes.plus(transaction, node),
        plusAll(spentBy, assembly.inputIds(), transaction),
        plusReaders(assembly, transaction),
        plusAll(madeBy, assembly.outputIds(), transaction),
        offersOutputs ? locks.with(assembly) : locks.withoutOutputs(assembly),
        audiencesWith(assembly, 1),
        settled);
  }

  private PMap<List<Identity>, Integer> audiencesWith(PostAssembly assembly, int more) {
    var next = audiences;
    for (var output : assembly.outputs()) {
      int count = next.getOrDefault(output.distribution(), 0) + more;
      next =
          count == 0 ? next.minus(output.distribution()) : next.plus(output.distribution(), count);
    }
    return next;
  }

  /**
   * Whether all states made here may be told to {@code node}: then none of them has to be hidden.
   */
  public boolean isWhollyFor(NodeName node) {
    for (var audience : audiences.keySet()) {
      if (audience.stream().noneMatch(party -> party.node().equals(node))) {
        return false;
      }
    }
    return true;
  }

  private PSet<IntentKey> inFlightMakersOf(PostAssembly assembly) {
    PSet<IntentKey> makers = HashTrie.emptySet();
    for (var used : List.of(assembly.inputIds(), assembly.readIds())) {
      for (var id : used) {
        var maker = madeBy.get(id);
        if (maker != null && nodes.get(maker).settledAt().isEmpty()) {
          makers = makers.plus(maker);
        }
      }
    }
    return makers;
  }

  private PSet<IntentKey> readersOf(PostAssembly assembly, IntentKey self) {
    PSet<IntentKey> readers = HashTrie.emptySet();
    for (var id : assembly.inputIds()) {
      for (var reader : readBy.getOrDefault(id, HashTrie.emptySet())) {
        if (!reader.equals(self) && nodes.get(reader).settledAt().isEmpty()) {
          readers = readers.plus(reader);
        }
      }
    }
    return readers;
  }

  private PMap<StateId, PSet<IntentKey>> plusReaders(PostAssembly assembly, IntentKey transaction) {
    var next = readBy;
    for (var id : assembly.readIds()) {
      next = next.plus(id, next.getOrDefault(id, HashTrie.emptySet()).plus(transaction));
    }
    return next;
  }

  /** A transaction and everything that depends on it, each after what it depends on. */
  public List<IntentKey> withDependants(IntentKey transaction) {
    var found = new LinkedHashSet<IntentKey>();
    var open = new ArrayDeque<IntentKey>(List.of(transaction));
    while (!open.isEmpty()) {
      var next = open.poll();
      var node = nodes.get(next);
      if (node == null || !found.add(next)) {
        continue;
      }
      for (var dependant : node.dependants()) {
        if (nodes.get(dependant).dependsOn().contains(next)) {
          open.add(dependant);
        }
      }
    }
    return List.copyOf(found);
  }

  /**
   * Takes out one transaction and unlocks what it had locked. Whoever depends on it must be taken
   * out too: see {@link #withDependants}.
   */
  public AssemblyGraph remove(IntentKey transaction) {
    var node = nodes.get(transaction);
    if (node == null) {
      return this;
    }
    var nextNodes = detach(node).minus(transaction);
    var assembly = node.assembly();
    var nextSpentBy = spentBy.minusAll(assembly.inputIds());
    var nextMadeBy = madeBy.minusAll(assembly.outputIds());
    // What a transaction in flight had made for this one can be spent by another again.
    var created = locks.created().minusAll(assembly.outputIds());
    for (var input : assembly.inputIds()) {
      var maker = nextMadeBy.get(input);
      if (maker != null && nodes.get(maker).offersOutputs()) {
        // The maker's own content counts, not what the spender said of it.
        for (var output : nodes.get(maker).assembly().outputs()) {
          created = output.id().equals(input) ? created.plus(input, output) : created;
        }
      }
    }
    return new AssemblyGraph(
        nextNodes,
        nextSpentBy,
        minusReader(node),
        nextMadeBy,
        new StateLocks(locks.spent().minusAll(assembly.inputIds()), created),
        audiencesWith(assembly, -1),
        settledWithout(node));
  }

  /**
   * Of one that is on its way to the ledger though what it depends on leaves: its inputs stay
   * locked, since the ledger may have them from elsewhere, and nobody builds upon it.
   */
  public AssemblyGraph withhold(IntentKey transaction) {
    var node = nodes.get(transaction);
    if (node == null) {
      return this;
    }
    var created = locks.created().minusAll(node.assembly().outputIds());
    return with()
        .nodes(nodes.plus(transaction, node.withOffersOutputs(false)))
        .locks(new StateLocks(locks.spent(), created))
        .build();
  }

  /** Confirmed: binds nobody any longer, its locks stay until {@link #forgetSettled}. */
  public AssemblyGraph settle(IntentKey transaction, BlockHeight height) {
    var node = nodes.get(transaction);
    if (node == null || node.settledAt().isPresent()) {
      return this;
    }
    var together = settled.getOrDefault(height, HashTrie.emptySet()).plus(transaction);
    return with()
        .nodes(detach(node).plus(transaction, node.settled(height)))
        .settled(settled.plus(height, together))
        .build();
  }

  private TreePMap<BlockHeight, PSet<IntentKey>> settledWithout(Node node) {
    if (node.settledAt().isEmpty()) {
      return settled;
    }
    var height = node.settledAt().get();
    var others = settled.get(height).minus(node.transaction());
    return others.isEmpty() ? settled.minus(height) : settled.plus(height, others);
  }

  /** Drops the locks of what was confirmed at {@code upTo} or before. */
  public AssemblyGraph forgetSettled(BlockHeight upTo) {
    var next = this;
    for (var together : settled.headMap(upTo, true).values()) {
      for (var transaction : together) {
        next = next.forget(nodes.get(transaction));
      }
    }
    return next;
  }

  private AssemblyGraph forget(Node node) {
    var assembly = node.assembly();
    return new AssemblyGraph(
        nodes.minus(node.transaction()),
        spentBy.minusAll(assembly.inputIds()),
        minusReader(node),
        madeBy.minusAll(assembly.outputIds()),
        new StateLocks(
            locks.spent().minusAll(assembly.inputIds()),
            locks.created().minusAll(assembly.outputIds())),
        audiencesWith(assembly, -1),
        settledWithout(node));
  }

  private PMap<IntentKey, Node> detach(Node node) {
    var next = nodes;
    for (var neighbour : node.dependsOn().plusAll(node.after()).plusAll(node.dependants())) {
      var other = next.get(neighbour);
      if (other != null) {
        next = next.plus(neighbour, other.without(node.transaction()));
      }
    }
    return next;
  }

  private PMap<StateId, PSet<IntentKey>> minusReader(Node node) {
    var next = readBy;
    for (var id : node.assembly().readIds()) {
      var rest = next.getOrDefault(id, HashTrie.emptySet()).minus(node.transaction());
      next = rest.isEmpty() ? next.minus(id) : next.plus(id, rest);
    }
    return next;
  }

  private static PMap<StateId, IntentKey> plusAll(
      PMap<StateId, IntentKey> map, List<StateId> keys, IntentKey value) {
    var next = map;
    for (var key : keys) {
      next = next.plus(key, value);
    }
    return next;
  }
}
