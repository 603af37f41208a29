package dev.sequitur.persistence.store;

import java.nio.file.Path;

/** As the next process finds them, when they are opened again. */
final class StoresInLevelDb implements OwnStores {
  private OwnLevelDb own;

  @Override
  public void open(Path directory) {
    own = new OwnLevelDb(directory.resolve("data"));
  }

  @Override
  public QueueStores stores() {
    return QueueStores.in(own.db(), own.executor());
  }

  @Override
  public void reopen() {
    own.reopen();
  }

  @Override
  public void close() {
    own.close();
  }
}
