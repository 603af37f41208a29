package dev.sequitur.sequencer.setup;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The groups that this node is a member of, with what is computed from them once. Bounded by their
 * number; thread-safe.
 */
public final class GroupRegistry {
  private final SelectionPolicy policy;
  private final Keys keys;
  private final Signatures signatures;
  private final Map<ContractAddress, Entry> entries = new ConcurrentHashMap<>();
  private final Map<LedgerAddress, ContractAddress> submitters = new ConcurrentHashMap<>();

  private volatile Map<LedgerAddress, Identity> publicSigners = Map.of();

  private static final class Entry {
    private final PrivacyGroup group;
    private volatile CoordinatorSelection selection;

    private Entry(PrivacyGroup group) {
      this.group = group;
    }
  }

  public GroupRegistry(SelectionPolicy policy, Keys keys, Signatures signatures) {
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

  /** Whether it was new. */
  public boolean add(PrivacyGroup group) {
    boolean fresh = entries.putIfAbsent(group.contract(), new Entry(group)) == null;
    if (fresh) {
      var verifier = keys.verifier(NodeKeyNames.submitter(group.contract()));
      submitters.put(signatures.address(verifier), group.contract());
    }
    return fresh;
  }

  public Optional<PrivacyGroup> find(ContractAddress contract) {
    return Optional.ofNullable(entries.get(contract)).map(entry -> entry.group);
  }

  /**
   * The contract's ring, made when it is first asked for: an idle contract costs none.
   *
   * @throws IllegalArgumentException if the group is unknown
   */
  public CoordinatorSelection selection(ContractAddress contract) {
    var entry = entries.get(contract);
    if (entry == null) {
      throw new IllegalArgumentException("This node is in no group with contract " + contract);
    }
    var selection = entry.selection;
    if (selection == null) {
      selection = new CoordinatorSelection(contract, entry.group.committee().identities(), policy);
      entry.selection = selection;
    }
    return selection;
  }

  public List<PrivacyGroup> all() {
    return entries.values().stream()
        .map(entry -> entry.group)
        .sorted(Comparator.comparing(PrivacyGroup::contract))
        .toList();
  }

  /**
   * Says whose public transactions have no receipt, in place of what was said before. Called before
   * a block is read, so that whoever has a transaction in it is known.
   *
   * @return their signers
   */
  public Set<LedgerAddress> publicSenders(Set<Identity> pending) {
    var signers = new HashMap<LedgerAddress, Identity>();
    pending.forEach(from -> signers.put(signatures.address(keys.verifier(from.name())), from));
    publicSigners = Map.copyOf(signers);
    return publicSigners.keySet();
  }

  /** Whose public transactions a signer of the base ledger signs, as far as they are pending. */
  public Optional<Identity> publicSender(LedgerAddress signer) {
    return Optional.ofNullable(publicSigners.get(signer));
  }

  /** Whose transactions a signer of the base ledger submits, if it is this node's. */
  public Optional<ContractAddress> contractOf(LedgerAddress signer) {
    return Optional.ofNullable(submitters.get(signer));
  }
}
