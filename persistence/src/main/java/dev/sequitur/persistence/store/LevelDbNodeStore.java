package dev.sequitur.persistence.store;

import dev.sequitur.persistence.encryption.Encryption;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbMap;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The node store of a node of one JVM. */
public final class LevelDbNodeStore extends MapNodeStore {
  private final LevelDb db;
  private final Executor executor;

  /**
   * @param db stays its owner's to close, after the last use of this
   * @param executor its threads may wait for the disk; reads run on it, and every future completes
   *     on it, so that nobody's continuation holds up the writer thread
   */
  public LevelDbNodeStore(LevelDb db, ProtocolFormat format, Executor executor) {
    this(db, Encryption.NONE, format, executor);
  }

  /**
   * The same.
   *
   * @param encryption of what the directory has
   */
  public LevelDbNodeStore(
      LevelDb db, Encryption encryption, ProtocolFormat format, Executor executor) {
    super(encryption.over(new LevelDbMap(db, executor)), format);
    this.db = db;
    this.executor = executor;
  }

  /**
   * {@inheritDoc} A failed write is the one thing that opening the directory anew mends. Who writes
   * upon what can't be read does not know what it does: so damage hinders too.
   */
  @Override
  public CompletionStage<Optional<Hindrance>> hindrance() {
    return db.afterEarlierWrites()
        .handleAsync(
            (done, broken) ->
                broken == null
                    ? unwritable()
                    : Optional.of(new Hindrance(broken.getMessage(), true)),
            executor);
  }

  /**
   * {@inheritDoc} What lies under hashes and ids is written all over, so that its marks are merged
   * by and by. What is numbered is written at its end alone: its beginning would stay as it is.
   */
  @Override
  public CompletionStage<Void> tidy() {
    return forgottenRanges().thenAcceptAsync(ranges -> ranges.forEach(db::compact), executor);
  }

  private Optional<Hindrance> unwritable() {
    try {
      db.checkWritable();
      return db.damage().map(damage -> new Hindrance(damage.getMessage(), false));
    } catch (RuntimeException e) {
      return Optional.of(new Hindrance(e.getMessage(), false));
    }
  }
}
