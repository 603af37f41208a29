package dev.sequitur.persistence.store;

class CellTableOverLevelDbTest extends CellStoreContractTest {
  CellTableOverLevelDbTest() {
    super(new StoresInLevelDb());
  }
}
