package dev.sequitur.ledger;

import dev.sequitur.protocol.id.Bytes;
import java.util.Map;
import java.util.Optional;

/** Where a ledger keeps its blocks and its contracts' states: a map that survives the process. */
public interface LedgerStorage extends AutoCloseable {

  /** From any thread; may touch the disk. */
  Optional<Bytes> get(Bytes key);

  /**
   * Stores all changes or none of them; they are on the disk when this returns. One call at a time.
   *
   * @param changes empty for a key to be removed
   * @throws RuntimeException if nothing was stored, so that the call may be made again; or if that
   *     can't be told, and then all later calls fail too
   */
  void write(Map<Bytes, Optional<Bytes>> changes);

  /** Nothing else may be called afterwards, or meanwhile. */
  @Override
  void close();

  /** Forgets everything with the process; for tests and for networks that live as long as it. */
  static LedgerStorage inMemory() {
    return new MemoryStorage();
  }
}
