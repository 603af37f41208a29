package dev.sequitur.persistence.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class OutcomeTableOverPostgresTest extends OutcomeStoreContractTest {
  /** Made first: without a PostgreSQL the test is left out. */
  private final OwnSchema schema = new OwnSchema();

  private OutcomeStore store;

  @BeforeEach
  void open() {
    store = reopened();
  }

  @AfterEach
  void close() {
    schema.close();
  }

  @Override
  OutcomeStore store() {
    return store;
  }

  @Override
  OutcomeStore reopened() {
    return QueueStores.in(schema.database(), schema.executor()).outcomes();
  }
}
