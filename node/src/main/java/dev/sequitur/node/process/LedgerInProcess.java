package dev.sequitur.node.process;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerRuntime;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.ledger.LedgerView;
import dev.sequitur.persistence.leveldb.LevelDbException;
import dev.sequitur.protocol.id.NodeName;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A ledger in this process, with the threads that it needs. */
final class LedgerInProcess implements AutoCloseable {
  private final EmbeddedLedger ledger;
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);

  private LedgerInProcess(LedgerStorage storage, LedgerSettings settings) {
    var runtime =
        new LedgerRuntime(new Secp256k1Signatures(), InstantSource.system(), scheduler, threads);
    ledger = EmbeddedLedger.open(storage, settings, runtime);
    ledger.start();
  }

  /**
   * Opens the ledger of a directory, which is made if it is not there, and lets it cut blocks.
   *
   * @throws StartFailure with a sentence that says what to do
   */
  static LedgerInProcess open(Path directory, LedgerSettings settings) {
    var blocks = ProcessDirectory.make(directory).resolve("leveldb");
    try {
      return new LedgerInProcess(LedgerStorage.levelDb(blocks), settings);
    } catch (LevelDbException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  /** A view of the ledger for one node. */
  LedgerView view(NodeName node) {
    return new LedgerView(ledger, InstantSource.system(), scheduler, node.hashCode());
  }

  EmbeddedLedger embedded() {
    return ledger;
  }

  @Override
  public void close() {
    ledger.close();
    scheduler.shutdownNow();
    threads.shutdown();
  }
}
