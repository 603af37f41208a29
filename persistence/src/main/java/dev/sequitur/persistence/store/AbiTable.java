package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.OrderedMap.Entries;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.AbiKey;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Descriptions of contracts by their owner and hash; beside them what they are listed by, which is
 * short, and how many there are.
 */
record AbiTable(StoredValues values) {
  /** Encoded on the thread that asks. It answers whether it is there now. */
  Function<WriteBatch, Boolean> putting(StoredAbi abi) {
    var key = Layout.abi(abi.owner(), abi.hash());
    var value = values.encode(abi);
    var listed = values.encode(abi.key());
    return store -> {
      if (store.get(key).isPresent()) {
        return true;
      }
      if (count(Layout.ABI_COUNT, store) >= NodeStore.MOST_ABIS
          || count(Layout.abiCount(abi.owner()), store) >= NodeStore.MOST_ABIS_OF_OWNER) {
        return false;
      }
      store.put(key, value);
      store.put(Layout.abiKey(abi.owner(), abi.hash()), listed);
      count(abi.owner(), 1, store);
      return true;
    };
  }

  /** Whether it was there. */
  boolean delete(String owner, Hash hash, WriteBatch store) {
    var key = Layout.abi(owner, hash);
    if (store.get(key).isEmpty()) {
      return false;
    }
    store.delete(key);
    store.delete(Layout.abiKey(owner, hash));
    count(owner, -1, store);
    return true;
  }

  private static long count(Key counter, WriteBatch store) {
    return Layout.number(store.get(counter));
  }

  private static void count(String owner, int more, WriteBatch store) {
    for (var counter : List.of(Layout.ABI_COUNT, Layout.abiCount(owner))) {
      store.put(counter, Layout.bytes(count(counter, store) + more));
    }
  }

  Optional<StoredAbi> find(String owner, Hash hash, Entries stored) {
    return stored.get(Layout.abi(owner, hash)).map(bytes -> values.decode(bytes, StoredAbi.class));
  }

  /** The newest first. */
  List<AbiKey> keys(Entries stored) {
    return stored
        .list(
            KeyRange.startingWith(Layout.ABI_KEYS),
            Order.ASCENDING,
            Integer.MAX_VALUE,
            (key, value) -> values.decode(value, AbiKey.class))
        .stream()
        .sorted(Comparator.comparing(AbiKey::created).reversed())
        .toList();
  }
}
