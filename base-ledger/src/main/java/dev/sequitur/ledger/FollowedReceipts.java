package dev.sequitur.ledger;

import dev.sequitur.ledger.LedgerTable.Fulfilment;
import dev.sequitur.ledger.LedgerTable.Standing;
import dev.sequitur.ledger.LedgerTable.Within;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Called;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The sums of a ledger's tables as its receipts alone leave them: for whoever reads blocks and has
 * no tables. Confined to one thread at a time.
 */
final class FollowedReceipts {
  private final TableSums sums;
  private final Function<ContractAddress, Optional<CommitteeStanding>> before;
  private final Map<ContractAddress, CommitteeStanding> committees = new HashMap<>();

  /**
   * @param sums are changed
   * @param before the committees that a contract had as this began
   */
  FollowedReceipts(TableSums sums, Function<ContractAddress, Optional<CommitteeStanding>> before) {
    this.sums = sums;
    this.before = before;
  }

  /** Of a ledger's first block on. */
  static FollowedReceipts fromTheFirst() {
    return new FollowedReceipts(new TableSums(TableSums.NOTHING), contract -> Optional.empty());
  }

  TableSums sums() {
    return sums;
  }

  /** The committees of contracts that were made or have changed since this began. */
  Map<ContractAddress, CommitteeStanding> committees() {
    return committees;
  }

  void follow(LedgerReceipt receipt) {
    long nonce = receipt.nonce();
    follow(
        LedgerTable.NONCES,
        receipt.signer(),
        nonce == 0 ? Optional.empty() : Optional.of(nonce),
        nonce + 1);
    receipt.results().forEach(result -> follow(receipt, result));
  }

  private void follow(LedgerReceipt receipt, LedgerReceipt.Result result) {
    switch (result) {
      case Deployed(var contract, var domain, var genesis) -> {
        follow(LedgerTable.CONTRACTS, contract, Optional.empty(), new Deploy(domain, genesis));
        commit(contract, CommitteeStanding.of(genesis.quorum()));
      }
      case CommitteeChanged(var contract, var change) ->
          committee(contract)
              .ifPresent(old -> commit(contract, old.after(change, receipt.block())));
      case Fulfilled fulfilled -> follow(fulfilled);
      // Nothing is left of these but the nonce.
      case ChangeRefused ignored -> {}
      case Reverted ignored -> {}
      case NonceUsed ignored -> {}
      case Called ignored -> {}
    }
  }

  private void follow(Fulfilled fulfilled) {
    var contract = fulfilled.contract();
    var intent = new Within<>(contract, fulfilled.intent());
    follow(LedgerTable.INTENTS, intent, Optional.empty(), Fulfilment.DONE);
    for (var id : fulfilled.spent()) {
      state(contract, id, Optional.of(Standing.UNSPENT), Standing.SPENT);
    }
    for (var id : fulfilled.created()) {
      state(contract, id, Optional.empty(), Standing.UNSPENT);
    }
  }

  private void state(ContractAddress contract, StateId id, Optional<Standing> old, Standing now) {
    follow(LedgerTable.STATES, new Within<>(contract, id), old, now);
  }

  private void commit(ContractAddress contract, CommitteeStanding now) {
    follow(LedgerTable.COMMITTEES, contract, committee(contract), now);
    committees.put(contract, now);
  }

  private Optional<CommitteeStanding> committee(ContractAddress contract) {
    return Optional.ofNullable(committees.get(contract)).or(() -> before.apply(contract));
  }

  private <K, V> void follow(LedgerTable<K, V> table, K key, Optional<V> old, V now) {
    sums.follow(table, key, old, Optional.of(now));
  }
}
