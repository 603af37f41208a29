package dev.sequitur.ledger;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.protocol.id.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** A ledger's LevelDB directory, which nothing else writes to. */
final class LevelDbStorage implements LedgerStorage {
  private final LevelDb db;

  LevelDbStorage(LevelDb db) {
    this.db = db;
  }

  @Override
  public Optional<Bytes> get(Bytes key) {
    return db.get(at(key)).map(Bytes::of);
  }

  /** Waits for the disk: the block maker has a thread that may. */
  @Override
  public void write(Map<Bytes, Optional<Bytes>> changes) {
    var stored =
        db.write(
            batch ->
                changes.forEach(
                    (key, value) ->
                        value.ifPresentOrElse(
                            present -> batch.put(at(key), present.toByteArray()),
                            () -> batch.delete(at(key)))));
    try {
      stored.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static Key at(Bytes key) {
    return Key.in(KeySpace.BASE_LEDGER).raw(key.toByteArray());
  }

  @Override
  public void close() {
    db.close();
  }
}
