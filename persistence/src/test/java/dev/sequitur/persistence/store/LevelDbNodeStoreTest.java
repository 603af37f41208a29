package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import dev.sequitur.persistence.leveldb.ObservedDb;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance.Accepted;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LevelDbNodeStoreTest extends NodeStoreContractTest {
  private static final ProtocolFormat FORMAT = new ProtocolFormat();
  private static final LevelDbSettings SETTINGS =
      new LevelDbSettings(true, 10_000, 1 << 20, 1 << 20, 0);

  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  @TempDir private Path directory;
  private LevelDb db;
  private LevelDbNodeStore store;

  @BeforeEach
  void open() {
    open(directory.resolve("data"));
  }

  private void open(Path data) {
    db = LevelDb.open(data, SETTINGS);
    store = new LevelDbNodeStore(db, FORMAT, executor);
  }

  @AfterEach
  void close() {
    db.close();
    executor.shutdown();
  }

  @Override
  protected NodeStore store() {
    return store;
  }

  @Override
  protected ListenerStore listeners() {
    return store.listeners();
  }

  @Test
  void everythingIsThereAfterARestart() {
    var body = hash();
    var ended = intent("k", body);
    var pending = intent(hash());
    accepted(ended, pending);
    var receipts = get(store.complete(List.of(reverted(ended))));
    get(store.putIndexedTo(new IndexedTo(new BlockHeight(9), body)));

    db.close();
    open(directory.resolve("data"));

    assertThat(get(store.receipts(0, 10))).isEqualTo(receipts);
    assertThat(get(store.pending(pending.privately().orElseThrow().contract(), 0, 10)))
        .containsExactly(at(2, pending));
    assertThat(get(store.indexedTo())).contains(new IndexedTo(new BlockHeight(9), body));
    assertThat(accepted(intent("k", body)).ids()).containsExactly(id(ended));
    assertThat(accepted(intent(hash())).fresh().get(0).order()).isEqualTo(3);
    assertThat(get(store.complete(List.of(confirmed(pending)))).get(0).sequence()).isEqualTo(2);
  }

  @Test
  void whatWasAnsweredIsInTheFilesAtThatMoment() throws IOException {
    var answered = new ArrayList<Intent>();
    for (int i = 0; i < 50; i++) {
      answered.addAll(accepted(intent("k" + i, hash()), intent(hash())).fresh());
    }
    var numbered =
        get(store.complete(answered.subList(0, 30).stream().map(this::confirmed).toList()));
    // As kill -9 leaves them: the store is still open, and what it has not written is lost.
    var copy = copyOfFiles();

    db.close();
    open(copy);

    assertThat(get(store.intents(Optional.empty(), 1_000)))
        .containsExactlyInAnyOrderElementsOf(answered);
    assertThat(get(store.receipts(0, 1_000))).isEqualTo(numbered);
    assertThat(get(store.intentByIdempotencyKey(key("k7")))).contains(id(answered.get(14)));
  }

  @Test
  void aCopyTakenInTheMiddleHoldsEachBatchWholeOrNotAtAll() throws IOException {
    var stages = new ArrayList<CompletionStage<?>>();
    for (int i = 0; i < 300; i++) {
      stages.add(store.accept(List.of(intent(hash()), intent(hash()), intent(hash()))));
    }
    var copy = copyOfFiles();
    stages.forEach(NodeStoreContractTest::get);

    db.close();
    open(copy);

    var intents = get(store.intents(Optional.empty(), 10_000));
    assertThat(intents.size() % 3).isZero();
    assertThat(intents).allMatch(intent -> get(store.intent(id(intent))).isPresent());
    assertThat(intents)
        .allMatch(
            intent ->
                get(store.pending(intent.privately().orElseThrow().contract(), 0, 10))
                    .contains(intent));
    assertThat(accepted(intent(hash())).fresh().get(0).order()).isEqualTo(intents.size() + 1L);
  }

  @Test
  void aLongHistoryIsReadPageByPage() {
    var receipts = new ArrayList<Receipt>();
    for (int i = 0; i < 5_000; i++) {
      receipts.add(confirmed(intent(hash())));
    }
    get(store.complete(receipts));

    var sequences = new ArrayList<Long>();
    for (var page = get(store.receipts(0, 700)); !page.isEmpty(); ) {
      page.stream().map(NumberedReceipt::sequence).forEach(sequences::add);
      page = get(store.receipts(sequences.get(sequences.size() - 1), 700));
    }

    assertThat(sequences).hasSize(5_000).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void nobodysContinuationRunsOnTheWriterThread() {
    // One that is done already continues on the caller's own thread.
    var thread =
        get(store.accept(List.of(intent(hash()))).thenApply(a -> Thread.currentThread().getName()));

    assertThat(thread).doesNotStartWith("sequitur-writer");
  }

  @Test
  void aClosedDirectoryAndAStoppedExecutorFailTheFutureAndNotTheCaller() {
    db.close();
    assertThatThrownBy(() -> get(store.accept(List.of(intent(hash())))))
        .hasRootCauseInstanceOf(LevelDbException.class);
    executor.shutdown();
    var read = store.indexedTo();
    assertThatThrownBy(() -> get(read)).hasRootCauseInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void acceptingIsAnsweredWithTheIntentsAsTheyAreStored() {
    var accepted = (Accepted) get(store.accept(List.of(intent("k", hash()))));

    assertThat(get(store.intents(Optional.empty(), 1))).isEqualTo(accepted.fresh());
  }

  @Test
  void nothingHindersAStoreThatCanBeWritten() {
    accepted(intent(hash()));

    assertThat(get(store.hindrance())).isEmpty();
  }

  @Test
  void aDiskWithoutRoomHindersUntilItHasRoomAgain() {
    db.close();
    db =
        LevelDb.open(
            directory.resolve("data"),
            new LevelDbSettings(true, 10_000, 1 << 20, 1 << 20, Long.MAX_VALUE));
    store = new LevelDbNodeStore(db, FORMAT, executor);

    var hindrance = get(store.hindrance()).orElseThrow();

    assertThat(hindrance.sentence()).contains("bytes free").contains("data");
    assertThat(hindrance.endsWithRestart()).isFalse();
  }

  @Test
  void aDirectoryThatIsGoneHindersUntilItIsBack() throws IOException {
    Files.move(directory.resolve("data"), directory.resolve("moved"));

    var hindrance = get(store.hindrance()).orElseThrow();

    assertThat(hindrance.sentence()).contains("was deleted or replaced");
    assertThat(hindrance.endsWithRestart()).isFalse();
    Files.move(directory.resolve("moved"), directory.resolve("data"));
    assertThat(get(store.hindrance())).isEmpty();
  }

  @Test
  void aWriteThatTheDiskFailedHindersUntilTheDirectoryIsOpenedAnew() {
    db.close();
    db = ObservedDb.failingOnce(directory.resolve("data"), SETTINGS, "IO error: bad sector");
    store = new LevelDbNodeStore(db, FORMAT, executor);
    assertThat(get(store.hindrance())).isEmpty();
    assertThatThrownBy(() -> accepted(intent(hash()))).hasStackTraceContaining("bad sector");

    var hindrance = get(store.hindrance()).orElseThrow();

    assertThat(hindrance.sentence()).contains("it must be opened anew").contains("bad sector");
    assertThat(hindrance.endsWithRestart()).isTrue();
    db.close();
    open(directory.resolve("data"));
    assertThat(get(store.hindrance())).isEmpty();
    accepted(intent(hash()));
  }

  /** A flipped byte is found by who reads it, long after the start; health asks here. */
  @Test
  void whatCannotBeReadHindersThoughItCanBeWritten() throws IOException {
    for (int each = 0; each < 200; each++) {
      accepted(intent(hash()));
    }
    db.close();
    // The next start writes to a table what the first has left in its log.
    open(directory.resolve("data"));
    db.close();
    try (var files = Files.list(directory.resolve("data"))) {
      for (var table : files.filter(file -> file.toString().endsWith(".sst")).toList()) {
        var bytes = Files.readAllBytes(table);
        bytes[bytes.length / 3] ^= 0x10;
        Files.write(table, bytes);
      }
    }
    open(directory.resolve("data"));
    assertThat(get(store.hindrance())).isEmpty();

    assertThatThrownBy(
            () ->
                db.scan(
                    KeyRange.startingWith(Key.in(KeySpace.NODE_STORE)),
                    Order.ASCENDING,
                    (key, value) -> true))
        .hasMessageContaining("can't be read");

    var hindrance = get(store.hindrance()).orElseThrow();
    assertThat(hindrance.sentence()).contains("can't be read", "check-store");
    assertThat(hindrance.endsWithRestart()).isFalse();
    accepted(intent(hash()));
  }

  private Path copyOfFiles() throws IOException {
    var copy = Files.createDirectory(directory.resolve("copy"));
    try (var files = Files.list(directory.resolve("data"))) {
      for (var file : files.filter(f -> !f.endsWith("LOCK")).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }
}
