package dev.sequitur.persistence.store;

class CellTableOverPostgresTest extends CellStoreContractTest {
  CellTableOverPostgresTest() {
    super(new StoresInPostgres());
  }
}
