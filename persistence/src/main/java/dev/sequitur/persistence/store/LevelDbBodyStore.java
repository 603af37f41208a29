package dev.sequitur.persistence.store;

import dev.sequitur.persistence.journal.Key;
import dev.sequitur.persistence.journal.KeySpace;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.protocol.id.Hash;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The executed bodies of a node that is one JVM: a key each, without a value. */
final class LevelDbBodyStore implements BodyStore {
  private static final byte[] NOTHING = {};

  private final LevelDb levelDb;
  private final Executor executor;

  /**
   * @param executor its threads may wait for the disk
   */
  LevelDbBodyStore(LevelDb levelDb, Executor executor) {
    this.levelDb = levelDb;
    this.executor = executor;
  }

  @Override
  public CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies) {
    return levelDb.write(
        batch -> {
          bodies.forEach(body -> batch.put(key(queue, body), NOTHING));
          Layout.raise(batch, count(queue), upTo);
        });
  }

  @Override
  public CompletionStage<Long> storedUpTo(String queue) {
    return levelDb
        .afterEarlierWrites()
        .thenApplyAsync(written -> Layout.number(levelDb.get(count(queue))), executor);
  }

  @Override
  public CompletionStage<Boolean> contains(String queue, Hash body) {
    return CompletableFuture.supplyAsync(() -> levelDb.get(key(queue, body)).isPresent(), executor);
  }

  private static Key count(String queue) {
    return Key.in(KeySpace.EXECUTED_BODY_COUNT).text(queue);
  }

  private static Key key(String queue, Hash body) {
    return Key.in(KeySpace.EXECUTED_BODY).text(queue).raw(body.toByteArray());
  }
}
