package dev.sequitur.persistence.store;

class CommandTableOverPostgresTest extends CommandStoreContractTest {
  CommandTableOverPostgresTest() {
    super(new StoresInPostgres());
  }
}
