package dev.sequitur.persistence.store;

class BodyTableOverPostgresTest extends BodyStoreContractTest {
  BodyTableOverPostgresTest() {
    super(new StoresInPostgres());
  }
}
