package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.guard.NamePattern;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.GroupStore.ChangedGroup;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.GroupStore.LocalMember;
import dev.sequitur.protocol.port.GroupStore.Names;
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
 * The groups that this node is a member of, as far as they have concerned this JVM. {@link
 * GroupIndex} keeps a few bytes of each of them; groups in use are kept whole, each with its ring
 * once somebody has asked for that. A group that has not concerned this JVM yet is read from the
 * node store by {@link #seek} before anybody asks for it. Thread-safe.
 */
public final class GroupRegistry {
  /** Groups that are kept though nobody has them, about 1 kB each. */
  private static final int USED = 4_096;

  /** Groups of which it is remembered that their contracts have come to stand. */
  private static final int STANDING = 10_000;

  /** Of these it is remembered that their groups were read; others' are read again. */
  private static final int SOUGHT = 10_000;

  /** Rows of the node store that are read at once. */
  private static final int PAGE = 5_000;

  /** Between a member's name and its node's, as identities are written. */
  private static final char OF_NODE = '@';

  private final SelectionPolicy policy;
  private final Keys keys;
  private final Signatures signatures;
  private final NodeName self;
  private final GroupIndex index = new GroupIndex();

  // Whoever reads or changes one of these four holds the lock of used.
  private final Map<ContractAddress, Entry> used = LimitedMap.ofLastUsed(USED);
  private final Map<ContractAddress, Held> alive = new HashMap<>();
  private final Map<ContractAddress, HeldRing> rings = new HashMap<>();
  private final Map<GroupId, Boolean> standing = LimitedMap.ofNewest(STANDING);

  private final ReferenceQueue<PrivacyGroup> collected = new ReferenceQueue<>();
  private final ReferenceQueue<CoordinatorSelection> collectedRings = new ReferenceQueue<>();

  private volatile Map<LedgerAddress, Identity> publicSigners = Map.of();

  /** Whose groups were read, or are being read; by itself. */
  private final Map<NamePattern, CompletionStage<Void>> soughtOf = LimitedMap.ofLastUsed(SOUGHT);

  private static final class Entry {
    private PrivacyGroup group;
    private CoordinatorSelection selection;

    private Entry(PrivacyGroup group) {
      this.group = group;
    }
  }

  /** The ring of a contract that somebody has: what changes is told to that very one. */
  private static final class HeldRing extends WeakReference<CoordinatorSelection> {
    private final ContractAddress contract;

    private HeldRing(
        ContractAddress contract,
        CoordinatorSelection selection,
        ReferenceQueue<CoordinatorSelection> collected) {
      super(selection, collected);
      this.contract = contract;
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
   * Has what is kept of the groups of some members of this node in memory. They are read once, by
   * the first who needs them: what begins or changes later is added as it does.
   *
   * @param identities of these members
   */
  public CompletionStage<Void> seekOf(NamePattern identities, NodeStore store) {
    synchronized (soughtOf) {
      var reading = soughtOf.get(identities);
      if (reading == null) {
        reading = readOf(identities, store);
        soughtOf.put(identities, reading);
        reading.whenComplete(
            (done, failure) -> {
              if (failure != null) {
                forget(identities);
              }
            });
      }
      return reading;
    }
  }

  private void forget(NamePattern identities) {
    synchronized (soughtOf) {
      soughtOf.remove(identities);
    }
  }

  private CompletionStage<Void> readOf(NamePattern identities, NodeStore store) {
    var begin = identities.beginning();
    int node = begin.indexOf(OF_NODE);
    var names = node < 0 ? Names.thatBegin(begin) : Names.named(begin.substring(0, node));
    return readOf(identities, names, Optional.empty(), store);
  }

  private CompletionStage<Void> readOf(
      NamePattern identities, Names names, Optional<LocalMember> after, NodeStore store) {
    return store
        .groupsOf(names, after, PAGE)
        .thenCompose(
            page ->
                seek(
                        page.stream()
                            .filter(it -> identities.matches(it.name() + OF_NODE + self.value()))
                            .map(LocalMember::contract)
                            .toList(),
                        store)
                    .thenCompose(
                        done ->
                            page.size() < PAGE
                                ? CompletableFuture.completedStage(null)
                                : readOf(identities, names, Optional.of(page.getLast()), store)));
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

  /**
   * A group whose committee has changed (CMT-5). What is in memory of it knows the change before
   * this returns; one that is not is read with it when it is used.
   */
  public void change(PrivacyGroup group) {
    index.put(KnownGroup.of(group, submitter(group.contract()), self));
    synchronized (used) {
      var entry = used.computeIfAbsent(group.contract(), contract -> new Entry(group));
      entry.group = group;
      alive.put(group.contract(), new Held(group, collected));
      ring(group.contract()).ifPresent(ring -> ring.follow(group));
      forgetCollected();
    }
  }

  /** One that begins or has another committee, as the node's indexer tells the JVMs. */
  public void take(PrivacyGroup group) {
    if (!add(group) && group.committees().number() > 0) {
      change(group);
    }
  }

  /**
   * Reads what has begun or changed in blocks that this JVM has missed (CMT-5). What becomes known
   * of a change meanwhile stays.
   *
   * @param above the last block that it has not missed
   */
  public CompletionStage<Void> readMissed(BlockHeight above, BlockHeight upTo, NodeStore store) {
    return readMissed(above, upTo, Optional.empty(), store);
  }

  private CompletionStage<Void> readMissed(
      BlockHeight above, BlockHeight upTo, Optional<ChangedGroup> after, NodeStore store) {
    return store
        .changedGroups(above, upTo, after, PAGE)
        .thenCompose(
            page ->
                readAnew(page.stream().map(ChangedGroup::contract).distinct().toList(), store)
                    .thenCompose(
                        done ->
                            page.size() < PAGE
                                ? CompletableFuture.completedStage(null)
                                : readMissed(above, upTo, Optional.of(page.getLast()), store)));
  }

  private CompletionStage<Void> readAnew(List<ContractAddress> contracts, NodeStore store) {
    return contracts.isEmpty()
        ? CompletableFuture.completedStage(null)
        : store
            .known(contracts)
            .thenCompose(
                found ->
                    Answers.inTurn(
                        found.stream()
                            .filter(it -> !index.add(it))
                            .filter(this::mayHaveChanged)
                            .toList(),
                        it -> store.groupAt(it.contract()).thenAccept(this::followIfNewer)))
            .thenAccept(followed -> {});
  }

  /** Of what is in memory as a whole, more may have changed than is in a row. */
  private boolean mayHaveChanged(KnownGroup stored) {
    return find(stored.contract()).isPresent()
        || !nodes(stored.contract()).equals(Optional.of(Set.copyOf(stored.nodes())))
        || !local(stored.contract()).equals(Optional.of(stored.local()));
  }

  private void followIfNewer(Optional<StoredGroup> stored) {
    synchronized (used) {
      stored
          .flatMap(StoredGroup::group)
          .filter(
              it ->
                  find(it.contract()).map(known -> known.committees().number()).orElse(0)
                      < it.committees().number())
          .ifPresent(this::change);
    }
  }

  /** Called by who holds the lock of {@link #used}. */
  private Optional<CoordinatorSelection> ring(ContractAddress contract) {
    return Optional.ofNullable(rings.get(contract)).map(HeldRing::get);
  }

  /** What somebody holds is found by its contract as long as it is held. */
  private void forgetCollected() {
    for (var gone = collectedRings.poll(); gone != null; gone = collectedRings.poll()) {
      if (gone instanceof HeldRing held) {
        rings.remove(held.contract, held);
      }
    }
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
      var group =
          ring(contract)
              .map(CoordinatorSelection::group)
              .orElseGet(() -> held == null ? null : held.get());
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
        var made = new CoordinatorSelection(entry.group, policy);
        entry.selection = ring(contract).orElse(made);
        if (entry.selection == made) {
          rings.put(contract, new HeldRing(contract, made, collectedRings));
        }
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

  /** Whether it must hear of groups that begin or change. */
  public boolean isInUse() {
    synchronized (soughtOf) {
      return index.size() > 0 || !soughtOf.isEmpty();
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
