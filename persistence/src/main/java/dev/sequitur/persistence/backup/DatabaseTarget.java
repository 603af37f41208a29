package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.postgres.EntryLoad;
import dev.sequitur.persistence.postgres.PostgresDatabase;

/** The schema of a node with a database, in one transaction. */
public final class DatabaseTarget implements RestoreTarget {
  private final PostgresDatabase database;

  /**
   * @param database stays its owner's to close
   */
  public DatabaseTarget(PostgresDatabase database) {
    this.database = database;
  }

  @Override
  public BackupManifest.Engine engine() {
    return BackupManifest.Engine.POSTGRESQL;
  }

  @Override
  public void fill(Entries entries) {
    boolean wasEmpty = EntryLoad.into(database, taker -> entries.each(taker::accept));
    if (!wasEmpty) {
      throw new BackupException(
          "The schema %s is not empty: restore into one that no node has used, by postgresql.schema."
              .formatted(database.schema()));
    }
  }
}
