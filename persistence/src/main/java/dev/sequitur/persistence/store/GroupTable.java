package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.GroupStore.ChangedGroup;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.protocol.port.GroupStore.LocalMember;
import dev.sequitur.protocol.port.GroupStore.Names;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Privacy groups by id, with what finds them otherwise, and how many of each giver are awaited. */
final class GroupTable {
  private static final byte[] NOTHING = {};

  private final StoredValues values;

  GroupTable(StoredValues values) {
    this.values = values;
  }

  /** On the writer thread. */
  Void put(WriteBatch store, StoredGroup group) {
    var key = Layout.group(group.id());
    var before = store.get(key).map(this::read);
    var known = before.map(b -> b.joined(group)).orElse(group);
    store.put(key, values.encode(known));
    var id = known.id().value().toByteArray();
    known.group().ifPresent(it -> store.put(Layout.groupContract(it.contract()), id));
    known.deployment().ifPresent(it -> store.put(Layout.groupDeployment(it.call().hash()), id));
    known.genesisTransaction().ifPresent(it -> store.put(Layout.groupTransaction(it), id));
    if (before.isEmpty()) {
      store.put(Layout.groupAge(known), NOTHING);
    }
    boolean wasUnfinished = before.filter(StoredGroup::isUnfinished).isPresent();
    if (known.isUnfinished()) {
      store.put(Layout.unfinishedGroup(known.id()), NOTHING);
    } else if (wasUnfinished) {
      store.delete(Layout.unfinishedGroup(known.id()));
    }
    count(store, before.flatMap(StoredGroup::awaitedOf), known.awaitedOf());
    if (before.flatMap(StoredGroup::withdrawnBy).isEmpty()) {
      known.withdrawnBy().ifPresent(giver -> queue(store, giver, id));
    }
    return null;
  }

  /** Those that were withdrawn stand in their order; the first leaves where there are too many. */
  private void queue(WriteBatch store, NodeName giver, byte[] id) {
    long place = Layout.number(store.get(Layout.withdrawn(giver))) + 1;
    store.put(Layout.withdrawn(giver), Layout.bytes(place));
    store.put(Layout.withdrawn(giver).number(place), id);
    if (place > NodeStore.MOST_WITHDRAWN) {
      var first = Layout.withdrawn(giver).number(place - NodeStore.MOST_WITHDRAWN);
      store.get(first).map(Hash::of).map(GroupId::new).ifPresent(it -> forget(store, it));
      store.delete(first);
    }
  }

  /** Unless its contract has come late. */
  private void forget(WriteBatch store, GroupId id) {
    store
        .get(Layout.group(id))
        .map(this::read)
        .filter(group -> group.withdrawnBy().isPresent())
        .ifPresent(
            group -> {
              store.delete(Layout.group(id));
              store.delete(Layout.groupAge(group));
              group
                  .deployment()
                  .ifPresent(it -> store.delete(Layout.groupDeployment(it.call().hash())));
            });
  }

  /** On the writer thread: what is there now. */
  Optional<StoredGroup> putGiven(WriteBatch store, StoredGroup group) {
    var before = store.get(Layout.group(group.id())).map(this::read);
    if (before.isPresent()) {
      return before;
    }
    if (group.awaitedOf().filter(giver -> isFull(store, giver)).isPresent()) {
      return Optional.empty();
    }
    put(store, group);
    return Optional.of(group);
  }

  private static boolean isFull(WriteBatch store, NodeName giver) {
    return awaited(store, giver) >= NodeStore.MOST_AWAITED;
  }

  private static void count(WriteBatch store, Optional<NodeName> before, Optional<NodeName> now) {
    if (!before.equals(now)) {
      before.ifPresent(giver -> putAwaited(store, giver, Math.max(0, awaited(store, giver) - 1)));
      now.ifPresent(giver -> putAwaited(store, giver, awaited(store, giver) + 1));
    }
  }

  private static long awaited(WriteBatch store, NodeName giver) {
    return Layout.number(store.get(Layout.awaited(giver)));
  }

  private static void putAwaited(WriteBatch store, NodeName giver, long count) {
    store.put(Layout.awaited(giver), Layout.bytes(count));
  }

  Optional<StoredGroup> find(GroupId id, Entries stored) {
    return stored.get(Layout.group(id)).map(this::read);
  }

  Optional<StoredGroup> at(ContractAddress contract, Entries stored) {
    return by(Layout.groupContract(contract), stored);
  }

  Optional<StoredGroup> of(Hash deploy, Entries stored) {
    return by(Layout.groupDeployment(deploy), stored);
  }

  private Optional<StoredGroup> by(Key index, Entries stored) {
    return stored.get(index).flatMap(id -> find(new GroupId(Hash.of(id)), stored));
  }

  Optional<StoredGroup> madeBy(TransactionId genesis, Entries stored) {
    return by(Layout.groupTransaction(genesis), stored);
  }

  /** The newest first. */
  List<StoredGroup> before(Optional<StoredGroup> last, int limit, Entries stored) {
    var all = KeyRange.startingWith(Layout.GROUP_AGES);
    var until = last.map(Layout::groupAge).orElse(all.until());
    return these(
        stored.list(
            new KeyRange(all.from(), until),
            Order.DESCENDING,
            limit,
            (key, value) -> Layout.agedGroup(key)),
        stored);
  }

  List<StoredGroup> unfinished(Entries stored) {
    return these(
        stored.keys(KeyRange.startingWith(Layout.UNFINISHED_GROUPS), Order.ASCENDING).stream()
            .map(Layout::unfinishedGroup)
            .toList(),
        stored);
  }

  /** Those that are there still, in the order given. */
  private List<StoredGroup> these(List<GroupId> ids, Entries stored) {
    var found = stored.all(ids.stream().map(Layout::group).toList());
    return ids.stream()
        .map(id -> found.get(Layout.group(id)))
        .filter(Objects::nonNull)
        .map(this::read)
        .toList();
  }

  /** On the writer thread. */
  Void putKnown(WriteBatch store, StoredGroup group, KnownGroup known, BlockHeight at) {
    var key = Layout.knownGroup(known.contract());
    var before = store.getRare(key).map(it -> values.decode(it, KnownGroup.class));
    if (before.isEmpty()) {
      store.next(Layout.KNOWN_GROUP_COUNT);
    }
    before.stream()
        .flatMap(it -> it.members().stream())
        .forEach(left -> store.delete(Layout.localGroup(left)));
    known.members().forEach(member -> store.put(Layout.localGroup(member), NOTHING));
    store.put(Layout.changedGroup(new ChangedGroup(at, known.contract())), NOTHING);
    var value = values.encode(known);
    store.put(key, value);
    store.put(Layout.submitter(known.submitter()), value);
    known.local().forEach(name -> store.put(Layout.localMember(name), NOTHING));
    return put(store, group);
  }

  List<KnownGroup> known(Collection<ContractAddress> contracts, Entries stored) {
    return knownAt(contracts.stream().map(Layout::knownGroup).toList(), stored);
  }

  List<KnownGroup> submittedBy(Collection<LedgerAddress> submitters, Entries stored) {
    return knownAt(submitters.stream().map(Layout::submitter).toList(), stored);
  }

  private List<KnownGroup> knownAt(List<Key> keys, Entries stored) {
    return stored.all(keys).values().stream()
        .map(value -> values.decode(value, KnownGroup.class))
        .toList();
  }

  static long countKnown(Entries stored) {
    return Layout.number(stored.get(Layout.KNOWN_GROUP_COUNT));
  }

  static List<String> localMembers(Optional<String> after, int limit, Entries stored) {
    var all = KeyRange.startingWith(Layout.LOCAL_MEMBERS);
    // No name has a zero in it: it comes first of all that begin as the last one did.
    var from = after.map(name -> Layout.localMember(name).octet(0)).orElse(all.from());
    return stored.list(
        new KeyRange(from, all.until()),
        Order.ASCENDING,
        limit,
        (key, value) -> Layout.localMember(key));
  }

  /** In the order of names. */
  static List<LocalMember> groupsOf(
      Names names, Optional<LocalMember> after, int limit, Entries stored) {
    var all = KeyRange.startingWith(Layout.localGroups(names));
    var from =
        after
            .map(last -> KeyRange.startingWith(Layout.localGroup(last)).until())
            .orElse(all.from());
    return stored.list(
        new KeyRange(from, all.until()),
        Order.ASCENDING,
        limit,
        (key, value) -> Layout.localGroup(key));
  }

  /** In the order of blocks. */
  static List<ChangedGroup> changed(
      BlockHeight above,
      BlockHeight upTo,
      Optional<ChangedGroup> after,
      int limit,
      Entries stored) {
    var all = KeyRange.numbered(Layout.CHANGED_GROUPS, above.value() + 1, upTo.value());
    var from =
        after
            .map(last -> KeyRange.startingWith(Layout.changedGroup(last)).until())
            .orElse(all.from());
    return stored.list(
        new KeyRange(from, all.until()),
        Order.ASCENDING,
        limit,
        (key, value) -> Layout.changedGroup(key));
  }

  /** In the order of their contracts. */
  List<KnownGroup> known(Optional<ContractAddress> after, int limit, Entries stored) {
    var all = KeyRange.startingWith(Layout.KNOWN_GROUPS);
    var from =
        after
            .map(contract -> KeyRange.startingWith(Layout.knownGroup(contract)).until())
            .orElse(all.from());
    return stored.list(
        new KeyRange(from, all.until()),
        Order.ASCENDING,
        limit,
        (key, value) -> values.decode(value, KnownGroup.class));
  }

  private StoredGroup read(byte[] value) {
    return values.decode(value, StoredGroup.class);
  }
}
