package dev.sequitur.persistence.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class BodyTableOverPostgresTest extends BodyStoreContractTest {
  /** Made first: without a PostgreSQL the test is left out. */
  private final OwnSchema schema = new OwnSchema();

  private BodyStore store;

  @BeforeEach
  void open() {
    store = reopened();
  }

  @AfterEach
  void close() {
    schema.close();
  }

  @Override
  BodyStore store() {
    return store;
  }

  @Override
  BodyStore reopened() {
    return QueueStores.in(schema.database(), schema.executor()).bodies();
  }
}
