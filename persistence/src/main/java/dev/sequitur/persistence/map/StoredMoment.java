package dev.sequitur.persistence.map;

import dev.sequitur.persistence.map.OrderedMap.Visitor;

/**
 * All that a node keeps, as it was at one moment, while others write on. Of one thread; to be
 * closed soon, since the engine keeps what is replaced meanwhile.
 */
public interface StoredMoment extends AutoCloseable {
  /**
   * Visits the entries of a range from the smallest key on, until the visitor has enough. Waits for
   * the disk or the database.
   *
   * @throws dev.sequitur.protocol.port.StoreException if they can't be read, or the store was
   *     closed meanwhile
   */
  void scan(KeyRange range, Visitor visitor);

  /** Lets the engine forget what was replaced. */
  @Override
  void close();
}
