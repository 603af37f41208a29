package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.LevelDbFixture.SETTINGS;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.key;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.numbers;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.read;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.value;
import static dev.sequitur.persistence.leveldb.Stages.await;
import static dev.sequitur.persistence.leveldb.Stages.failure;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.map.StoreObserver;
import dev.sequitur.persistence.map.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

final class LevelDbTest {
  private static final long ASKING_FAILS = -1;

  @TempDir private Path directory;
  private final ObservedDb observed = new ObservedDb();
  private final AtomicLong freeDiskBytes = new AtomicLong(Long.MAX_VALUE);
  private final CountDownLatch writerMayGoOn = new CountDownLatch(1);
  private LevelDb levelDb;

  @BeforeEach
  void open() {
    levelDb = open(SETTINGS);
  }

  @AfterEach
  void close() {
    writerMayGoOn.countDown();
    levelDb.close();
  }

  @Test
  void readsWhatWasWritten() {
    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));

    assertThat(read(levelDb, key("a"))).contains("1");
    assertThat(read(levelDb, key("b"))).isEmpty();
  }

  @Test
  void keepsWhatWasWrittenWhenClosedAndOpenedAgain() {
    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));

    reopen(SETTINGS);

    assertThat(read(levelDb, key("a"))).contains("1");
  }

  @Test
  void keepsWhatWasAcknowledgedWhenNobodyCloses(@TempDir Path elsewhere) {
    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));

    Path copy = LevelDbFixture.copyWithoutClosing(directory, elsewhere.resolve("copy"));

    try (LevelDb survivor = LevelDb.open(copy, SETTINGS)) {
      assertThat(read(survivor, key("a"))).contains("1");
    }
  }

  @Test
  void scansARangeUpwardsAndDownwards() {
    await(
        levelDb.write(
            batch -> {
              for (long number = 0; number < 1_000; number += 100) {
                batch.put(key(number), value("x"));
              }
            }));

    assertThat(numbers(levelDb, 150, 400, Order.ASCENDING)).containsExactly(200L, 300L, 400L);
    assertThat(numbers(levelDb, 150, 400, Order.DESCENDING)).containsExactly(400L, 300L, 200L);
    assertThat(numbers(levelDb, 800, Long.MAX_VALUE, Order.DESCENDING)).containsExactly(900L, 800L);
    assertThat(numbers(levelDb, 0, 50, Order.DESCENDING)).containsExactly(0L);
    assertThat(numbers(levelDb, 901, Long.MAX_VALUE, Order.DESCENDING)).isEmpty();
    assertThat(numbers(levelDb, 5, 4, Order.ASCENDING)).isEmpty();
  }

  @Test
  void findsTheLastEntryOfAllWhenScanningDownwards() {
    Key last = Key.in(KeySpace.NODE_STORE).octet(0xFF);
    await(levelDb.write(batch -> batch.put(last, value("x"))));
    List<Key> found = new ArrayList<>();

    levelDb.scan(
        KeyRange.startingWith(Key.in(KeySpace.NODE_STORE)),
        Order.DESCENDING,
        (key, value) -> found.add(key));

    assertThat(found).containsExactly(last);
  }

  @Test
  void stopsAScanWhenTheVisitorHasEnough() {
    await(
        levelDb.write(
            batch -> {
              batch.put(key(1), value("x"));
              batch.put(key(2), value("x"));
            }));
    List<Key> found = new ArrayList<>();

    levelDb.scan(
        new KeyRange(key(0), key(9)),
        Order.ASCENDING,
        (key, value) -> {
          found.add(key);
          return false;
        });

    assertThat(found).containsExactly(key(1));
  }

  @Test
  void saysThatADamagedBlockCannotBeRead() throws IOException {
    var random = new Random(1);
    await(
        levelDb.write(
            batch -> {
              for (long number = 0; number < 1_000; number++) {
                byte[] incompressible = new byte[1_024];
                random.nextBytes(incompressible);
                batch.put(key(number), incompressible);
              }
            }));
    // The next start writes to a table what the first has left in its log.
    reopen(SETTINGS);
    levelDb.close();
    damageTables();
    levelDb = open(SETTINGS);
    var heard = new Heard();
    levelDb.observe(heard);
    assertThat(levelDb.damage()).isEmpty();

    for (var order : Order.values()) {
      assertThatThrownBy(() -> numbers(levelDb, 0, 999, order))
          .isInstanceOf(LevelDbException.class)
          .hasMessageContaining(directory.getFileName().toString())
          .hasMessageContaining("can't be read");
    }
    assertThatThrownBy(() -> LongStream.range(0, 1_000).forEach(n -> levelDb.get(key(n))))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining("can't be read");
    assertThat(heard.unread).isEqualTo(3);
    assertThat(levelDb.damage().orElseThrow())
        .hasMessageContaining("can't be read")
        .hasMessageContaining("check-store");
    // What else can be read is no reason to forget it.
    assertThat(levelDb.get(key("nothing"))).isEmpty();
    assertThat(levelDb.damage()).isPresent();
  }

  /** In the middle, where nothing is that it is opened by. */
  private void damageTables() throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
        byte[] content = Files.readAllBytes(file);
        for (int i = content.length / 2; i < content.length / 2 + 64; i++) {
          content[i] ^= 0x55;
        }
        Files.write(file, content);
      }
    }
  }

  @Test
  void whatAVisitorThrowsReachesWhoScansAsItIs() {
    await(levelDb.write(batch -> batch.put(key(1), value("x"))));

    for (var its :
        List.of(
            new RuntimeException("mine"),
            new RuntimeException("mine", new IllegalStateException("no disk")),
            new UncheckedIOException(new IOException("a disk of its own")))) {
      assertThatThrownBy(
              () ->
                  levelDb.scan(
                      new KeyRange(key(0), key(9)),
                      Order.ASCENDING,
                      (key, value) -> {
                        throw its;
                      }))
          .isSameAs(its);
    }
  }

  @Test
  void writesEverythingThatWaitsAtOnce() {
    occupyWriter();
    List<CompletionStage<Void>> waiting = new ArrayList<>();
    for (long number = 1; number <= 100; number++) {
      Key key = key(number);
      waiting.add(levelDb.write(batch -> batch.put(key, value("x"))));
    }

    writerMayGoOn.countDown();
    waiting.forEach(Stages::await);

    assertThat(observed.writes()).hasSize(1);
    assertThat(numbers(levelDb, 1, 100, Order.ASCENDING)).hasSize(100);
  }

  @Test
  void writesALargeGroupInSeveralGoes() {
    occupyWriter();
    List<CompletionStage<Void>> waiting = new ArrayList<>();
    for (long number = 1; number <= 9; number++) {
      Key key = key(number);
      waiting.add(levelDb.write(batch -> batch.put(key, new byte[2 * 1024 * 1024])));
    }

    writerMayGoOn.countDown();
    waiting.forEach(Stages::await);

    assertThat(observed.writes()).hasSize(3);
  }

  @Test
  void letsAWriteSeeTheEarlierOnesOfItsGroup() {
    occupyWriter();
    levelDb.write(batch -> batch.put(key("a"), value("1")));
    levelDb.write(batch -> batch.put(key("a"), value(soFar(batch, "a") + "2")));
    CompletionStage<Void> last =
        levelDb.write(
            batch -> {
              batch.put(key("a"), value(soFar(batch, "a") + "3"));
              batch.put(key("a"), value(soFar(batch, "a") + "4"));
            });

    writerMayGoOn.countDown();
    await(last);

    assertThat(read(levelDb, key("a"))).contains("1234");
  }

  @Test
  void letsAWriteSeeWhatIsStored() {
    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));

    await(levelDb.write(batch -> batch.put(key("b"), value(soFar(batch, "a") + "2"))));

    assertThat(read(levelDb, key("b"))).contains("12");
  }

  @Test
  void letsAWriteSeeWhatAnEarlierOneDeleted() {
    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
    occupyWriter();
    levelDb.write(batch -> batch.delete(key("a")));
    CompletionStage<Void> last =
        levelDb.write(batch -> batch.put(key("b"), value("" + batch.get(key("a")).isPresent())));

    writerMayGoOn.countDown();
    await(last);

    assertThat(read(levelDb, key("b"))).contains("false");
    assertThat(read(levelDb, key("a"))).isEmpty();
  }

  @Test
  void storesNothingOfAWriteThatThrows() {
    occupyWriter();
    CompletionStage<Void> thrower =
        levelDb.write(
            batch -> {
              batch.put(key("a"), value("1"));
              throw new IllegalStateException("no");
            });
    CompletionStage<Void> neighbour = levelDb.write(batch -> batch.put(key("b"), value("1")));

    writerMayGoOn.countDown();
    await(neighbour);

    assertThat(failure(thrower)).isInstanceOf(IllegalStateException.class).hasMessage("no");
    assertThat(read(levelDb, key("a"))).isEmpty();
    assertThat(read(levelDb, key("b"))).contains("1");
  }

  @Test
  void refusesAWriteWhenTheQueueIsFull() {
    reopen(new LevelDbSettings(true, 2, 1 << 20, 1 << 20, 0));
    occupyWriter();
    CompletionStage<Void> first = levelDb.write(batch -> batch.put(key("a"), value("1")));
    CompletionStage<Void> second = levelDb.write(batch -> batch.put(key("b"), value("1")));

    CompletionStage<Void> third = levelDb.write(batch -> batch.put(key("c"), value("1")));

    assertThat(failure(third))
        .isInstanceOf(LevelDbException.WriteQueueFull.class)
        .hasMessageContaining("2 writes already wait")
        .hasMessageContaining("2 writes already wait for the disk");
    writerMayGoOn.countDown();
    await(first);
    await(second);
    assertThat(read(levelDb, key("c"))).isEmpty();
  }

  @Test
  void asksForAnFsyncUnlessToldNotTo() {
    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
    reopen(new LevelDbSettings(false, 10, 1 << 20, 1 << 20, 0));
    await(levelDb.write(batch -> batch.put(key("a"), value("2"))));

    assertThat(observed.writes()).containsExactly(true, false);
  }

  @Test
  void touchesTheDiskOnlyForChanges() {
    await(levelDb.afterEarlierWrites());

    assertThat(observed.writes()).isEmpty();
  }

  @Test
  void failsAllWritesAfterOneTheDiskFailed() {
    observed.failNextWrite("IO error: no space");
    CompletionStage<Void> failed = levelDb.write(batch -> batch.put(key("a"), value("1")));

    assertThat(failure(failed))
        .isInstanceOf(LevelDbException.class)
        .hasMessageContaining(directory.getFileName().toString())
        .hasMessageContaining("IO error: no space");
    assertThat(failure(levelDb.write(batch -> batch.put(key("b"), value("1")))))
        .hasMessageContaining("IO error: no space");
    assertThat(observed.writes()).hasSize(1);
  }

  @Test
  void whoObservesHearsOfEachGroupOnceAndOfNothingThatChangesNothing() {
    var heard = new Heard();
    levelDb.observe(heard);
    long begun = System.nanoTime();
    occupyWriter();
    var first = levelDb.write(batch -> batch.put(key("a"), value("1")));
    var second = levelDb.write(batch -> batch.put(key("b"), value("1")));
    var failing =
        levelDb.write(
            batch -> {
              throw new IllegalStateException("its own fault");
            });

    writerMayGoOn.countDown();
    await(first);
    await(second);
    failure(failing);
    await(levelDb.afterEarlierWrites());

    assertThat(heard.stored).containsExactly(2);
    assertThat(heard.bytes).isPositive();
    assertThat(heard.nanos).isPositive().isLessThanOrEqualTo(System.nanoTime() - begun);
    assertThat(heard.failed).isZero();
  }

  @Test
  void whoObservesHearsOfEachWriteThatIsNotStored() {
    var heard = new Heard();
    levelDb.observe(heard);
    observed.failNextWrite("IO error: no space");
    failure(levelDb.write(batch -> batch.put(key("a"), value("1"))));
    failure(levelDb.write(batch -> batch.put(key("b"), value("1"))));
    failure(levelDb.write(batch -> batch.put(key("c"), value("1"))));
    failure(levelDb.afterEarlierWrites());

    assertThat(heard.failed).isEqualTo(3);
    assertThat(heard.stored).isEmpty();
  }

  /** Told on the writer's thread, before whoever waits for the write. */
  private static final class Heard implements StoreObserver {
    private final List<Integer> stored = new ArrayList<>();
    private long bytes;
    private long nanos;
    private int failed;
    private int unread;

    @Override
    public void stored(int writes, long size, long took) {
      stored.add(writes);
      bytes += size;
      nanos += took;
    }

    @Override
    public void failed(int writes) {
      failed += writes;
    }

    @Override
    public void unread() {
      unread++;
    }
  }

  @Test
  void refusesWritesWhileTheDiskIsNearlyFull() {
    reopen(new LevelDbSettings(true, 10, 1 << 20, 1 << 20, 1_000));
    freeDiskBytes.set(999);
    Throwable refused = failure(levelDb.write(batch -> batch.put(key("a"), value("1"))));
    freeDiskBytes.set(1_000);
    await(levelDb.write(batch -> batch.put(key("b"), value("1"))));

    assertThat(refused).isInstanceOf(LevelDbException.class).hasMessageContaining("999 bytes free");
    assertThat(read(levelDb, key("a"))).isEmpty();
  }

  @Test
  void saysWhichKeyKeepsTheDiskFreeIfThereIsOne() {
    reopen(
        new LevelDbSettings(
            true, 10, 1 << 20, 1 << 20, 1_000, Optional.of("node.min-free-disk-bytes")));
    freeDiskBytes.set(999);

    assertThat(failure(levelDb.write(batch -> batch.put(key("a"), value("1")))))
        .isInstanceOf(LevelDbException.DiskFull.class)
        .hasMessageContaining("below 1000 bytes (node.min-free-disk-bytes)");
    assertThat(catchThrowable(levelDb::checkWritable))
        .isInstanceOf(LevelDbException.DiskFull.class);
    freeDiskBytes.set(1_000);
    levelDb.checkWritable();
  }

  /** Each write tells its caller; the log would be as full as the disk. */
  @Test
  void theOperatorIsToldOnceWhatHindersAllWritesAndOnceThatItDoesNoMore() {
    reopen(new LevelDbSettings(true, 10, 1 << 20, 1 << 20, 1_000));
    var log = (Logger) LoggerFactory.getLogger(LevelDb.class);
    var told = new ListAppender<ILoggingEvent>();
    told.start();
    log.addAppender(told);
    log.setLevel(Level.INFO);
    try {
      freeDiskBytes.set(999);
      failure(levelDb.write(batch -> batch.put(key("a"), value("1"))));
      freeDiskBytes.set(998);
      failure(levelDb.write(batch -> batch.put(key("a"), value("1"))));
      freeDiskBytes.set(1_000);
      await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
      await(levelDb.write(batch -> batch.put(key("a"), value("2"))));
    } finally {
      log.detachAppender(told);
      log.setLevel(null);
    }

    assertThat(told.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .satisfiesExactly(
            first -> assertThat(first).contains("999 bytes free"),
            then -> assertThat(then).contains("is written again"));
  }

  @Test
  void waitsForEarlierWritesEvenIfTheQueueOrTheDiskIsFull() {
    reopen(new LevelDbSettings(true, 1, 1 << 20, 1 << 20, 1_000));
    freeDiskBytes.set(0);
    occupyWriter();
    CompletionStage<Void> earlier = levelDb.write(batch -> batch.put(key("a"), value("1")));
    CompletionStage<Void> after = levelDb.afterEarlierWrites();

    writerMayGoOn.countDown();
    await(after);

    assertThat(earlier).isCompletedExceptionally();
  }

  @Test
  void goesOnWhenTheFreeSpaceCouldNotBeAsked() {
    freeDiskBytes.set(ASKING_FAILS);
    assertThat(failure(levelDb.write(batch -> batch.put(key("a"), value("1")))))
        .isInstanceOf(UncheckedIOException.class);
    freeDiskBytes.set(1_000);

    await(levelDb.write(batch -> batch.put(key("a"), value("1"))));
  }

  @Test
  void storesWhatWaitsBeforeItCloses() {
    occupyWriter();
    CompletionStage<Void> waiting = levelDb.write(batch -> batch.put(key("a"), value("1")));

    writerMayGoOn.countDown();
    levelDb.close();

    await(waiting);
    reopen(SETTINGS);
    assertThat(read(levelDb, key("a"))).contains("1");
  }

  @Test
  void answersNothingOnceClosed() {
    levelDb.close();

    assertThatThrownBy(() -> levelDb.get(key("a"))).hasMessageContaining("is closed");
    assertThat(failure(levelDb.write(batch -> {}))).hasMessageContaining("is closed");
    levelDb.close();
  }

  /** Whose thread it is makes no difference: it need not be the one that closed it. */
  @Test
  void letsNobodyWaitWhoReadsWhatIsClosed() {
    levelDb.close();

    var reading =
        CompletableFuture.supplyAsync(
            () -> catchThrowable(() -> levelDb.get(key("a"))), Thread::startVirtualThread);

    assertThat(await(reading)).hasMessageContaining("is closed");
  }

  private LevelDb open(LevelDbSettings settings) {
    DataDirectory opened = DataDirectory.open(directory, settings);
    return new LevelDb(opened.path(), observed.around(opened.db()), settings, this::freeDiskBytes);
  }

  private long freeDiskBytes() {
    if (freeDiskBytes.get() == ASKING_FAILS) {
      throw new UncheckedIOException(new IOException("no such disk"));
    }
    return freeDiskBytes.get();
  }

  private void reopen(LevelDbSettings settings) {
    levelDb.close();
    levelDb = open(settings);
  }

  /** Returns when the writer thread is busy with a write that changes nothing. */
  private void occupyWriter() {
    CountDownLatch busy = new CountDownLatch(1);
    levelDb.write(
        batch -> {
          busy.countDown();
          await(writerMayGoOn);
        });
    await(busy);
  }

  private static String soFar(WriteBatch batch, String name) {
    return batch.get(key(name)).map(bytes -> new String(bytes, UTF_8)).orElse("");
  }
}
