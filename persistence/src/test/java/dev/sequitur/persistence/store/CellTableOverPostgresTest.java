package dev.sequitur.persistence.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class CellTableOverPostgresTest extends CellStoreContractTest {
  /** Made first: without a PostgreSQL the test is left out. */
  private final OwnSchema schema = new OwnSchema();

  private CellStore store;

  @BeforeEach
  void open() {
    store = reopened();
  }

  @AfterEach
  void close() {
    schema.close();
  }

  @Override
  CellStore store() {
    return store;
  }

  @Override
  CellStore reopened() {
    return QueueStores.in(schema.database(), schema.executor()).cells();
  }
}
