package dev.sequitur.persistence.store;

class OutcomeTableOverLevelDbTest extends OutcomeStoreContractTest {
  OutcomeTableOverLevelDbTest() {
    super(new StoresInLevelDb());
  }
}
