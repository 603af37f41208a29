package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.ChangeStore;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The last change of each group's committee that the operator has agreed to, by contract. */
record ChangeTable(StoredValues values) {
  private static final byte[] NOTHING = {};

  /** On the writer thread: what is there now. */
  Optional<AgreedChange> agree(AgreedChange agreed, WriteBatch store) {
    var open = find(agreed.contract(), store).filter(it -> it.phase().isOpen());
    if (open.isPresent()) {
      return open;
    } else if (Layout.number(store.get(Layout.OPEN_CHANGE_COUNT)) >= ChangeStore.MOST_OPEN) {
      return Optional.empty();
    }
    put(Optional.empty(), agreed, store);
    return Optional.of(agreed);
  }

  /** On the writer thread: what is there now. */
  Optional<AgreedChange> join(AgreedChange now, WriteBatch store) {
    var before = find(now.contract(), store);
    var joined = before.map(it -> it.joined(now));
    if (!joined.equals(before)) {
      put(before, joined.orElseThrow(), store);
    }
    return joined;
  }

  private Optional<AgreedChange> find(ContractAddress contract, WriteBatch store) {
    return store.get(Layout.agreedChange(contract)).map(this::read);
  }

  private void put(Optional<AgreedChange> before, AgreedChange now, WriteBatch store) {
    store.put(Layout.agreedChange(now.contract()), values.encode(now));
    boolean wasOpen = before.filter(it -> it.phase().isOpen()).isPresent();
    boolean isOpen = now.phase().isOpen();
    if (isOpen && !wasOpen) {
      store.put(Layout.openChange(now.contract()), NOTHING);
      count(1, store);
    } else if (wasOpen && !isOpen) {
      store.delete(Layout.openChange(now.contract()));
      count(-1, store);
    }
  }

  private static void count(int more, WriteBatch store) {
    long open = Layout.number(store.get(Layout.OPEN_CHANGE_COUNT));
    store.put(Layout.OPEN_CHANGE_COUNT, Layout.bytes(open + more));
  }

  Optional<AgreedChange> find(ContractAddress contract, Entries stored) {
    return stored.get(Layout.agreedChange(contract)).map(this::read);
  }

  /** In the order of their contracts. */
  List<AgreedChange> open(Entries stored) {
    var keys =
        stored.keys(KeyRange.startingWith(Layout.OPEN_CHANGES), Order.ASCENDING).stream()
            .map(Layout::openChangesContract)
            .map(Layout::agreedChange)
            .toList();
    var found = stored.all(keys);
    return keys.stream().map(found::get).filter(Objects::nonNull).map(this::read).toList();
  }

  private AgreedChange read(byte[] value) {
    return values.decode(value, AgreedChange.class);
  }
}
