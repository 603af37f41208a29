package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeyRange;
import dev.sequitur.persistence.journal.KeySpace;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.journal.LevelDb.Order;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The cells of a node that is one JVM, in a {@link LevelDb} that needs not be that of its events.
 */
public final class LevelDbCellStore implements CellStore {
  private final LevelDb levelDb;
  private final Executor executor;

  /**
   * @param executor its threads may wait for the disk
   */
  public LevelDbCellStore(LevelDb levelDb, Executor executor) {
    this.levelDb = levelDb;
    this.executor = executor;
  }

  @Override
  public <T> CompletionStage<T> load(String stream, Supplier<? extends Visitor<T>> visitor) {
    return levelDb
        .afterEarlierWrites()
        .thenApplyAsync(written -> load(stream, visitor.get()), executor);
  }

  /**
   * @throws IllegalStateException if a checkpoint was written meanwhile
   */
  private <T> T load(String stream, Visitor<T> visitor) {
    long version = Layout.number(levelDb.get(version(stream)));
    var prefix = cells(stream);
    int length = prefix.asByteBuffer().remaining();
    levelDb.scan(
        KeyRange.startingWith(prefix),
        Order.ASCENDING,
        (key, value) -> {
          var bytes = key.asByteBuffer().position(length);
          var rest = new byte[bytes.remaining()];
          bytes.get(rest);
          visitor.visit(rest, value);
          return true;
        });
    if (Layout.number(levelDb.get(version(stream))) != version) {
      throw new IllegalStateException(
          "A checkpoint of " + stream + " was written while it was read: read it again.");
    }
    return visitor.finish(version);
  }

  @Override
  public CompletionStage<Boolean> write(String stream, Change change) {
    var stored = new AtomicBoolean();
    return levelDb
        .write(
            batch -> {
              if (Layout.number(batch.get(version(stream))) != change.from()) {
                return;
              }
              change.removed().forEach(key -> batch.delete(cells(stream).raw(key)));
              change
                  .cells()
                  .forEach(cell -> batch.put(cells(stream).raw(cell.key()), cell.value()));
              batch.put(version(stream), Layout.bytes(change.to()));
              stored.set(true);
            })
        .thenApply(done -> stored.get());
  }

  private static Key version(String stream) {
    return Key.in(KeySpace.CELL_VERSION).text(stream);
  }

  private static Key cells(String stream) {
    return Key.in(KeySpace.CELL).text(stream);
  }
}
