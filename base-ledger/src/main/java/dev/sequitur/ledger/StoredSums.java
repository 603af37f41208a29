package dev.sequitur.ledger;

import dev.sequitur.ledger.LedgerTable.Only;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * The sums that a ledger with checkpoints keeps beside its tables, written with each change of
 * them. That of the nonces is written last when all are made anew, and deleted first: where it is,
 * all are.
 */
final class StoredSums implements TableSums.Before {
  /** Contracts whose sums are written at once, some 4 KB each. */
  private static final int CONTRACTS_IN_WRITE = 1_000;

  private static final int KEYS_IN_WRITE = 10_000;

  private final LedgerStorage storage;

  StoredSums(LedgerStorage storage) {
    this.storage = storage;
  }

  @Override
  public Optional<ContractSums> of(ContractAddress contract) {
    return storage.get(LedgerTable.SUMS, contract);
  }

  @Override
  public EntriesSum nonces() {
    return storage.get(LedgerTable.NONCE_SUM, Only.ONE).orElseGet(EntriesSum::new);
  }

  @Override
  public void digests(BiConsumer<ContractAddress, Hash> each) {
    storage.scan(
        LedgerTable.DIGESTS.all(),
        (key, value) -> {
          each.accept(LedgerTable.contractOf(key), LedgerTable.DIGESTS.values().decode(value));
          return true;
        });
  }

  boolean areThere() {
    return storage.get(LedgerTable.NONCE_SUM, Only.ONE).isPresent();
  }

  /** Counts all entries of the tables. Nothing else may write meanwhile. */
  void make() {
    drop();
    var contracts = new ArrayList<ContractAddress>();
    storage.scan(
        LedgerTable.CONTRACTS.all(), (key, value) -> contracts.add(LedgerTable.contractOf(key)));
    for (int from = 0; from < contracts.size(); from += CONTRACTS_IN_WRITE) {
      int until = Math.min(contracts.size(), from + CONTRACTS_IN_WRITE);
      var sums = new TableSums(TableSums.NOTHING);
      for (var contract : contracts.subList(from, until)) {
        for (var range : LedgerTable.rangesOf(contract)) {
          count(range, sums);
        }
      }
      store(sums);
    }
    var sums = new TableSums(TableSums.NOTHING);
    count(LedgerTable.NONCES.all(), sums);
    store(sums);
  }

  private void count(KeyRange range, TableSums sums) {
    storage.scan(
        range,
        (key, value) -> {
          sums.follow(key, Optional.empty(), Optional.of(value));
          return true;
        });
  }

  private void store(TableSums sums) {
    var batch = new HashMap<Key, Optional<byte[]>>();
    sums.addTo(batch);
    storage.write(batch);
  }

  /** Deletes all, as nothing follows the changes any more. */
  void drop() {
    delete(List.of(LedgerTable.NONCE_SUM.at(Only.ONE)));
    for (var range : List.of(LedgerTable.SUMS.all(), LedgerTable.DIGESTS.all())) {
      var keys = new ArrayList<Key>();
      storage.scan(range, (key, value) -> keys.add(key));
      for (int from = 0; from < keys.size(); from += KEYS_IN_WRITE) {
        delete(keys.subList(from, Math.min(keys.size(), from + KEYS_IN_WRITE)));
      }
    }
  }

  private void delete(List<Key> keys) {
    var batch = new HashMap<Key, Optional<byte[]>>();
    keys.forEach(key -> batch.put(key, Optional.empty()));
    storage.write(batch);
  }

  /**
   * Whether the tables hold what the sums say, as both are at one moment: others may write
   * meanwhile. Reads every entry once.
   *
   * @param goOn looked at with each entry
   * @return true also if it did not go on
   */
  boolean matchTables(BooleanSupplier goOn) {
    var balance = new EntriesSum();
    var ended = new boolean[] {true};
    storage.scan(
        LedgerTable.fromContractsToStates(),
        (key, value) -> {
          count(balance, key, value);
          ended[0] = goOn.getAsBoolean();
          return ended[0];
        });
    return !ended[0] || balance.isEmpty();
  }

  private static void count(EntriesSum balance, Key key, byte[] value) {
    if (LedgerTable.SUMS.holds(key)) {
      LedgerTable.SUMS.values().decode(value).addTo(balance, LedgerTable.contractOf(key));
    } else if (LedgerTable.NONCE_SUM.holds(key)) {
      balance.addAll(LedgerTable.NONCE_SUM.values().decode(value));
    } else if (LedgerTable.NONCES.holds(key)) {
      balance.remove(key, value);
    } else if (LedgerTable.DIGESTS.holds(key) || TableSums.isOfContract(key)) {
      ContractSums.counted(balance, key, value);
    }
  }
}
