package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.LevelDbFixture.key;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.value;
import static dev.sequitur.persistence.leveldb.Stages.await;
import static dev.sequitur.persistence.leveldb.Stages.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.map.Key;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@link LevelDbTest} cannot see of the thread that writes. */
class GroupCommitTest {
  private final Memory memory = new Memory();
  private final GroupCommit writes =
      new GroupCommit("writes-of-a-test", 10, memory, () -> new LevelDbException("closed"));

  @AfterEach
  void close() {
    writes.close();
  }

  @Test
  void aWriteThatFailsByAnErrorFailsAloneToo() {
    var failing =
        writes.submit(
            batch -> {
              throw new StackOverflowError("its own fault");
            });
    var next = writes.submit(batch -> batch.put(key("a"), value("1")));

    await(next);

    assertThat(failure(failing)).hasRootCauseInstanceOf(StackOverflowError.class);
    assertThat(memory.values).containsOnlyKeys(key("a"));
  }

  @Test
  void whoeverIsInterruptedWhileItClosesWaitsForTheRestAndStaysInterrupted() {
    var closing = Thread.currentThread();
    var interrupted = new CountDownLatch(1);
    var waiting =
        writes.submit(
            batch -> {
              await(interrupted);
              // Until closing has met the interruption; it still waits then.
              while (closing.isInterrupted()) {
                Thread.onSpinWait();
              }
              batch.put(key("a"), value("1"));
            });
    closing.interrupt();
    interrupted.countDown();

    writes.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(waiting.toCompletableFuture()).isCompleted();
    assertThat(memory.values).containsOnlyKeys(key("a"));
  }

  @Test
  void itsThreadBearsItsNameAndKeepsNoProcessFromEnding() {
    var threads = Collections.synchronizedList(new ArrayList<Thread>());

    await(writes.submit(batch -> threads.add(Thread.currentThread())));

    assertThat(threads)
        .singleElement()
        .satisfies(
            thread -> {
              assertThat(thread.getName()).isEqualTo("writes-of-a-test");
              assertThat(thread.isDaemon()).isTrue();
            });
  }

  /** Read when the writer's thread is at rest. */
  private static final class Memory implements GroupCommit.Storage {
    private final Map<Key, byte[]> values = Collections.synchronizedMap(new HashMap<>());

    @Override
    public Optional<byte[]> get(Key key) {
      return Optional.ofNullable(values.get(key));
    }

    @Override
    public void store(Map<Key, Optional<byte[]>> changes) {
      changes.forEach(
          (key, value) ->
              value.ifPresentOrElse(it -> values.put(key, it), () -> values.remove(key)));
    }

    @Override
    public void checkWritable() {}
  }
}
