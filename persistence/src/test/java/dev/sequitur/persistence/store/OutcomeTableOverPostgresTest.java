package dev.sequitur.persistence.store;

class OutcomeTableOverPostgresTest extends OutcomeStoreContractTest {
  OutcomeTableOverPostgresTest() {
    super(new StoresInPostgres());
  }
}
