package dev.sequitur.persistence.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class CommandTableOverPostgresTest extends CommandStoreContractTest {
  /** Made first: without a PostgreSQL the test is left out. */
  private final OwnSchema schema = new OwnSchema();

  private CommandStore store;

  @BeforeEach
  void open() {
    store = reopened();
  }

  @AfterEach
  void close() {
    schema.close();
  }

  @Override
  CommandStore store() {
    return store;
  }

  @Override
  CommandStore reopened() {
    return QueueStores.in(schema.database(), schema.executor()).commands();
  }
}
