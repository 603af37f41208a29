package dev.sequitur.node.rpc.method;

import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Descriptions of contracts that were read lately: they are read again for each call else. How much
 * is kept is counted in bytes, since one has a hundred, and another a thousand times as many.
 * Thread-safe.
 */
final class ReadAbis {
  /** Of JSON; what is made of it takes some times as much. */
  static final long MOST_BYTES = 4 * 1024 * 1024;

  // By this.
  private final Map<Hash, Kept> lastUsed = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  private record Kept(ContractAbi abi, int bytes) {}

  ContractAbi read(StoredAbi stored) {
    var known = known(stored.hash());
    if (known.isPresent()) {
      return known.get();
    }
    var abi = ContractAbi.read(stored.json().toUtf8());
    keep(stored.hash(), new Kept(abi, stored.json().size()));
    return abi;
  }

  /** If it was read lately. */
  synchronized Optional<ContractAbi> known(Hash hash) {
    return Optional.ofNullable(lastUsed.get(hash)).map(Kept::abi);
  }

  private synchronized void keep(Hash hash, Kept read) {
    var before = lastUsed.put(hash, read);
    bytes += read.bytes() - (before == null ? 0 : before.bytes());
    var eldest = lastUsed.values().iterator();
    while (bytes > MOST_BYTES) {
      bytes -= eldest.next().bytes();
      eldest.remove();
    }
  }

  /** Of JSON, of what is kept. */
  synchronized long bytes() {
    return bytes;
  }
}
