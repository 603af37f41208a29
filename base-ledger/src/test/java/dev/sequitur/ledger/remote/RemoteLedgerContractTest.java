package dev.sequitur.ledger.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.EmbeddedLedgerContract;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.protocol.port.BaseLedger;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

class RemoteLedgerContractTest extends EmbeddedLedgerContract {
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private TestNetwork network;
  private LedgerServer server;

  @AfterEach
  void stop() {
    ledger().close();
    server.close();
    executor.shutdownNow();
  }

  @Override
  protected LedgerStorage storage() {
    return LedgerStorage.inMemory();
  }

  @Override
  protected BaseLedger through(TestNetwork opened) {
    network = opened;
    server = LedgerServer.start(opened.ledger, LedgerServerSettings.loopback(0));
    return RemoteLedger.at(server.uri(), Optional.empty(), executor);
  }

  /** The head is followed, and not asked for each time. */
  @Override
  protected void cut() {
    super.cut();
    Awaitility.await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(await(ledger().head()).value()).isEqualTo(network.head()));
  }
}
