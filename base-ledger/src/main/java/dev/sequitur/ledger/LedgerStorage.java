package dev.sequitur.ledger;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.protocol.id.Bytes;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

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

  /**
   * A directory of the ledger's own, which is made if it is missing; fsynced, 16 MB of write
   * buffer, 32 MB of cache, and refusing writes while the disk has less than 64 MB left.
   *
   * @throws dev.sequitur.persistence.leveldb.LevelDbException if it can't be opened, with a
   *     sentence for the operator
   */
  static LedgerStorage levelDb(Path directory) {
    return levelDb(directory, new LevelDbSettings(true, 16, 16 << 20, 32 << 20, 64 << 20));
  }

  /**
   * As {@link #levelDb(Path)}.
   *
   * @param settings with fsync, or a power cut may lose blocks that were shown
   */
  static LedgerStorage levelDb(Path directory, LevelDbSettings settings) {
    return new LevelDbStorage(LevelDb.open(directory, settings));
  }

  /** Forgets everything with the process; for tests and for networks that live as long as it. */
  static LedgerStorage inMemory() {
    return new MemoryStorage();
  }

  /** Keeps its content over {@link #close}, so that a test may open it again. */
  final class MemoryStorage implements LedgerStorage {
    private final Map<Bytes, Bytes> content = new ConcurrentHashMap<>();

    @Override
    public Optional<Bytes> get(Bytes key) {
      return Optional.ofNullable(content.get(key));
    }

    @Override
    public void write(Map<Bytes, Optional<Bytes>> changes) {
      changes.forEach(
          (key, value) ->
              value.ifPresentOrElse(
                  present -> content.put(key, present), () -> content.remove(key)));
    }

    @Override
    public void close() {}
  }
}
