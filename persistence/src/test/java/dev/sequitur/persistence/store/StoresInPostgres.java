package dev.sequitur.persistence.store;

import java.nio.file.Path;

/** As another JVM has them, when they are opened again. */
final class StoresInPostgres implements OwnStores {
  /** Made first: without a PostgreSQL the test is left out. */
  private final OwnSchema schema = new OwnSchema();

  private QueueStores stores;

  @Override
  public void open(Path directory) {
    reopen();
  }

  @Override
  public QueueStores stores() {
    return stores;
  }

  @Override
  public void reopen() {
    stores = QueueStores.in(schema.database(), schema.executor());
  }

  @Override
  public void close() {
    schema.close();
  }
}
