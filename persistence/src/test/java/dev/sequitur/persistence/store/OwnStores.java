package dev.sequitur.persistence.store;

import java.nio.file.Path;

/** The stores of schedule queues in one of the engines, where nobody else's are: a test's own. */
interface OwnStores extends AutoCloseable {
  /**
   * Before anything else.
   *
   * @param directory of the test; an engine may not need it
   */
  void open(Path directory);

  QueueStores stores();

  /** From now on as they are after a restart, or in another JVM. */
  void reopen();

  @Override
  void close();
}
