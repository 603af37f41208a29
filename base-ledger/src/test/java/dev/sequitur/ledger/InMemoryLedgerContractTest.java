package dev.sequitur.ledger;

class InMemoryLedgerContractTest extends EmbeddedLedgerContract {
  @Override
  protected LedgerStorage storage() {
    return LedgerStorage.inMemory();
  }
}
