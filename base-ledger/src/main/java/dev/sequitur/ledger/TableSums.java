package dev.sequitur.ledger;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The digest over a ledger's tables of contracts, committees, states, intents and nonces, which
 * follows what blocks and reorganisations change. What it takes depends on the number of changes
 * and, where the digest is asked for, on the number of contracts; never on that of states. Confined
 * to one thread at a time.
 */
final class TableSums {
  /** What counted before. */
  interface Before {
    Optional<ContractSums> of(ContractAddress contract);

    EntriesSum nonces();

    /** The digests of all contracts that there are. */
    void digests(BiConsumer<ContractAddress, Hash> each);
  }

  /** Of a ledger that begins. */
  static final Before NOTHING =
      new Before() {
        @Override
        public Optional<ContractSums> of(ContractAddress contract) {
          return Optional.empty();
        }

        @Override
        public EntriesSum nonces() {
          return new EntriesSum();
        }

        @Override
        public void digests(BiConsumer<ContractAddress, Hash> each) {}
      };

  private final Before before;
  private final Map<ContractAddress, ContractSums> changed = new HashMap<>();
  private Optional<EntriesSum> changedNonces = Optional.empty();

  TableSums(Before before) {
    this.before = before;
  }

  /** All that is changed there. */
  void follow(Overlay state) {
    var below = state.undo();
    state.changes().forEach((key, value) -> follow(key, below.get(key), value));
  }

  <K, V> void follow(LedgerTable<K, V> table, K key, Optional<V> old, Optional<V> now) {
    var values = table.values();
    follow(table.at(key), old.map(values::encode), now.map(values::encode));
  }

  /** An entry of any table has changed. */
  void follow(Key key, Optional<byte[]> old, Optional<byte[]> now) {
    if (LedgerTable.NONCES.holds(key)) {
      var sum = changedNonces.orElseGet(before::nonces);
      sum.replace(key, old, now);
      changedNonces = Optional.of(sum);
    } else if (isOfContract(key)) {
      changed
          .computeIfAbsent(
              LedgerTable.contractOf(key), it -> before.of(it).orElseGet(ContractSums::new))
          .follow(key, old, now);
    }
  }

  /** Whether the table is one of those that hold something of a contract. */
  static boolean isOfContract(Key key) {
    return Stream.of(
            LedgerTable.CONTRACTS, LedgerTable.COMMITTEES, LedgerTable.STATES, LedgerTable.INTENTS)
        .anyMatch(table -> table.holds(key));
  }

  /** Over the nonces, and over all contracts in the order of their addresses. */
  Hash digest() {
    var digests = new TreeMap<ContractAddress, Hash>();
    before.digests(digests::put);
    changed.forEach(
        (contract, sums) -> {
          if (sums.isMade()) {
            digests.put(contract, sums.digest());
          } else {
            digests.remove(contract);
          }
        });
    var all = new CanonicalDigest().add(changedNonces.orElseGet(before::nonces).digest());
    digests.forEach((contract, digest) -> all.add(contract.value()).add(digest));
    return all.finish();
  }

  /** Adds what has to be stored beside the changes. */
  void addTo(Map<Key, Optional<byte[]>> batch) {
    changed.forEach(
        (contract, sums) -> {
          if (sums.isMade()) {
            LedgerTable.SUMS.put(contract, sums, batch);
            LedgerTable.DIGESTS.put(contract, sums.digest(), batch);
          } else {
            batch.put(LedgerTable.SUMS.at(contract), Optional.empty());
            batch.put(LedgerTable.DIGESTS.at(contract), Optional.empty());
          }
        });
    changedNonces.ifPresent(sum -> LedgerTable.NONCE_SUM.put(LedgerTable.Only.ONE, sum, batch));
  }
}
