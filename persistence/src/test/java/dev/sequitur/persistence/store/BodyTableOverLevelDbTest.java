package dev.sequitur.persistence.store;

class BodyTableOverLevelDbTest extends BodyStoreContractTest {
  BodyTableOverLevelDbTest() {
    super(new StoresInLevelDb());
  }
}
