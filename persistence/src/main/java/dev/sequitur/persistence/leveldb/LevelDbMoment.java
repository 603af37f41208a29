package dev.sequitur.persistence.leveldb;

import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Visitor;
import dev.sequitur.persistence.map.StoredMoment;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** That of a node of one JVM, of both its LevelDBs at the same moment. */
public final class LevelDbMoment implements StoredMoment {
  private record Part(KeyRange range, LevelDb.Snapshot snapshot) {}

  private final List<Part> parts;

  private LevelDbMoment(LevelDb.Snapshot records, LevelDb.Snapshot checkpoints) {
    var all = KeySpace.ofNode();
    var queues = KeySpace.ofQueues();
    this.parts =
        List.of(
            new Part(new KeyRange(all.from(), queues.from()), records),
            new Part(queues, checkpoints),
            new Part(new KeyRange(queues.until(), all.until()), records));
  }

  /**
   * Takes it between two writes of the checkpoints. Those stand still for as long as it takes to
   * note two numbers, while records are written on: so a checkpoint and the events that it has made
   * superfluous, which are deleted after it, are of one moment.
   *
   * @return completes on the writer's thread; to be closed
   */
  public static CompletionStage<StoredMoment> of(LevelDb records, LevelDb checkpoints) {
    var taken = new AtomicReference<StoredMoment>();
    return checkpoints
        .write(unchanged -> taken.set(taken(records, checkpoints)))
        .thenApply(done -> taken.get());
  }

  private static StoredMoment taken(LevelDb records, LevelDb checkpoints) {
    var first = records.snapshot();
    try {
      return new LevelDbMoment(first, checkpoints.snapshot());
    } catch (RuntimeException e) {
      first.close();
      throw e;
    }
  }

  @Override
  public void scan(KeyRange range, Visitor visitor) {
    var goesOn = new AtomicBoolean(true);
    for (var part : parts) {
      if (goesOn.get()) {
        part.snapshot()
            .scan(
                part.range().within(range),
                (key, value) -> {
                  goesOn.set(visitor.visit(key, value));
                  return goesOn.get();
                });
      }
    }
  }

  @Override
  public void close() {
    parts.forEach(part -> part.snapshot().close());
  }
}
