package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The groups that this node is a member of, as far as they have concerned this JVM: of each of them
 * what {@link GroupIndex} keeps, and whole those that are in use, with what is computed from them
 * once. Whoever asks for another one has it {@linkplain #seek sought} before. Thread-safe.
 */
public final class GroupRegistry {
  /** Groups that are kept though nobody has them, about 1 kB each. */
  private static final int USED = 4_096;

  private static final int STANDING = 10_000;

  /** What is kept of groups, read at once by who needs it of all of them. */
  private static final int PAGE = 5_000;

  private final SelectionPolicy policy;
  private final Keys keys;
  private final Signatures signatures;
  private final NodeName self;
  private final GroupIndex index = new GroupIndex();

  // All three by used.
  private final Map<ContractAddress, Entry> used = LimitedMap.ofLastUsed(USED);
  private final Map<ContractAddress, Held> alive = new HashMap<>();
  private final Map<GroupId, Boolean> standing = LimitedMap.ofNewest(STANDING);

  private final ReferenceQueue<PrivacyGroup> collected = new ReferenceQueue<>();

  private volatile Map<LedgerAddress, Identity> publicSigners = Map.of();

  /** What is kept of each is in memory, or about to be; by itself. */
  private Optional<CompletionStage<Void>> all = Optional.empty();

  private static final class Entry {
    private final PrivacyGroup group;
    private CoordinatorSelection selection;

    private Entry(PrivacyGroup group) {
      this.group = group;
    }
  }

  /** A group that is in use as long as somebody has it. */
  private static final class Held extends WeakReference<PrivacyGroup> {
    private final ContractAddress contract;

    private Held(PrivacyGroup group, ReferenceQueue<PrivacyGroup> collected) {
      super(group, collected);
      this.contract = group.contract();
    }
  }

  public GroupRegistry(NodeName self, SelectionPolicy policy, Keys keys, Signatures signatures) {
    this.self = self;
    this.policy = policy;
    this.keys = keys;
    this.signatures = signatures;
  }

  /** With what the node was told, as its store keeps it, of those that were not indexed. */
  public KnownGroups known(NodeStore store) {
    return new OfNode(this, store);
  }

  private record OfNode(GroupRegistry indexed, NodeStore store) implements KnownGroups {
    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return indexed.find(contract);
    }

    @Override
    public CompletionStage<Set<LedgerAddress>> publicSigners() {
      return store.sendersWithPublicPending().thenApply(indexed::publicSenders);
    }

    @Override
    public CompletionStage<Optional<LedgerTransaction.Deploy>> genesis(Hash hash) {
      return store
          .groupOf(hash)
          .thenApply(group -> group.flatMap(StoredGroup::deployment).map(Deployment::call));
    }
  }

  /**
   * Has what is kept of the groups with these contracts in memory, as far as this node is in them;
   * the groups themselves are read when they are used.
   */
  public CompletionStage<Void> seek(Collection<ContractAddress> contracts, NodeStore store) {
    var sought = contracts.stream().filter(contract -> !isKnown(contract)).distinct().toList();
    return sought.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : store.known(sought).thenAccept(found -> found.forEach(index::add));
  }

  /** As {@link #seek}, of those whose transactions these keys submit. */
  public CompletionStage<Void> seekSubmitters(Collection<LedgerAddress> keys, NodeStore store) {
    var sought = keys.stream().filter(key -> contractOf(key).isEmpty()).distinct().toList();
    return sought.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : store.submittedBy(sought).thenAccept(found -> found.forEach(index::add));
  }

  /**
   * Has what is kept of every group in memory. It is read once, by the first who needs it: who
   * begins later than that is added as it begins.
   */
  public synchronized CompletionStage<Void> seekAll(NodeStore store) {
    var reading = all.orElseGet(() -> seekFrom(Optional.empty(), store));
    all = Optional.of(reading);
    reading.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            forget(reading);
          }
        });
    return reading;
  }

  private synchronized void forget(CompletionStage<Void> reading) {
    all = all.filter(it -> it != reading);
  }

  private CompletionStage<Void> seekFrom(Optional<ContractAddress> after, NodeStore store) {
    return store
        .knownGroups(after, PAGE)
        .thenCompose(
            page -> {
              page.forEach(index::add);
              return page.size() < PAGE
                  ? CompletableFuture.completedStage(null)
                  : seekFrom(Optional.of(page.getLast().contract()), store);
            });
  }

  /**
   * A group that is in use, or begins to stand on the ledger.
   *
   * @return whether it was new
   */
  public boolean add(PrivacyGroup group) {
    boolean fresh =
        !index.isKnown(group.contract())
            && index.add(KnownGroup.of(group, submitter(group.contract()), self));
    synchronized (used) {
      used.putIfAbsent(group.contract(), new Entry(group));
      alive.put(group.contract(), new Held(group, collected));
      standing.put(group.id(), true);
      forgetCollected();
    }
    return fresh;
  }

  /** What somebody holds is found by its contract as long as it is held. */
  private void forgetCollected() {
    for (var gone = collected.poll(); gone != null; gone = collected.poll()) {
      if (gone instanceof Held held) {
        alive.remove(held.contract, held);
      }
    }
  }

  /** The key that submits the group's transactions: it is derived, which takes 0.1 ms. */
  public LedgerAddress submitter(ContractAddress contract) {
    return signatures.address(keys.verifier(NodeKeyNames.submitter(contract)));
  }

  /** Whether this node is in a group with this contract, of those that are in memory. */
  public boolean isKnown(ContractAddress contract) {
    return index.isKnown(contract);
  }

  /** The nodes of a group's members. */
  public Optional<Set<NodeName>> nodes(ContractAddress contract) {
    return index.nodes(contract);
  }

  /** The names of a group's members of this node. */
  public Optional<List<String>> local(ContractAddress contract) {
    return index.local(contract);
  }

  /** A group that is in memory: each that an entity of this JVM has, and those used last. */
  public Optional<PrivacyGroup> find(ContractAddress contract) {
    synchronized (used) {
      return entry(contract).map(entry -> entry.group);
    }
  }

  /** By {@link #used}. */
  private Optional<Entry> entry(ContractAddress contract) {
    var entry = used.get(contract);
    if (entry == null) {
      var held = alive.get(contract);
      var group = held == null ? null : held.get();
      if (group != null) {
        entry = new Entry(group);
        used.put(contract, entry);
      }
    }
    return Optional.ofNullable(entry);
  }

  /** As {@link #find}, or read in the node store if this node is in it. */
  public CompletionStage<Optional<PrivacyGroup>> load(ContractAddress contract, NodeStore store) {
    var found = find(contract);
    return found.isPresent()
        ? CompletableFuture.completedFuture(found)
        : seek(List.of(contract), store)
            .thenCompose(
                sought ->
                    isKnown(contract)
                        ? store.groupAt(contract)
                        : CompletableFuture.completedFuture(Optional.empty()))
            .thenApply(
                stored -> {
                  var group = stored.flatMap(StoredGroup::group);
                  group.ifPresent(this::add);
                  return group;
                });
  }

  /**
   * The contract's ring, made when it is first asked for: an idle contract costs none.
   *
   * @throws IllegalArgumentException if the group is not in memory
   */
  public CoordinatorSelection selection(ContractAddress contract) {
    synchronized (used) {
      var entry =
          entry(contract)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "This node is in no group with contract " + contract));
      if (entry.selection == null) {
        entry.selection = new CoordinatorSelection(entry.group, policy);
      }
      return entry.selection;
    }
  }

  /** Whether the contract of a group has come to stand while this JVM ran, among the last. */
  public boolean stands(GroupId id) {
    synchronized (used) {
      return standing.containsKey(id);
    }
  }

  /** How many groups have concerned this JVM. */
  public int size() {
    return index.size();
  }

  /**
   * Says whose public transactions have no receipt, in place of what was said before. Called before
   * a block is read, so that whoever has a transaction in it is known.
   *
   * @return their signers
   */
  public Set<LedgerAddress> publicSenders(Set<Identity> pending) {
    var signers = new HashMap<LedgerAddress, Identity>();
    publicSigners.forEach(
        (signer, from) -> {
          if (pending.contains(from)) {
            signers.put(signer, from);
          }
        });
    // Who was pending at the block before has an address already: deriving one takes 0.1 ms.
    var fresh = new HashSet<>(pending);
    fresh.removeAll(signers.values());
    fresh.forEach(from -> signers.put(signatures.address(keys.account(from.name())), from));
    publicSigners = Map.copyOf(signers);
    return publicSigners.keySet();
  }

  /** Whose public transactions a signer of the base ledger signs, as far as they are pending. */
  public Optional<Identity> publicSender(LedgerAddress signer) {
    return Optional.ofNullable(publicSigners.get(signer));
  }

  /** Whose transactions a signer of the base ledger submits, if it is this node's. */
  public Optional<ContractAddress> contractOf(LedgerAddress signer) {
    return index.contractOf(signer);
  }
}
