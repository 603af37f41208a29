package dev.sequitur.persistence.store;

class CommandTableOverLevelDbTest extends CommandStoreContractTest {
  CommandTableOverLevelDbTest() {
    super(new StoresInLevelDb());
  }
}
