package dev.sequitur.ledger;

import dev.sequitur.protocol.port.BaseLedger;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;

/** A view without faults. */
class LedgerViewContractTest extends EmbeddedLedgerContract {
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    scheduler.shutdownNow();
  }

  @Override
  protected LedgerStorage storage() {
    return LedgerStorage.inMemory();
  }

  @Override
  protected BaseLedger through(TestNetwork opened) {
    return new LedgerView(opened.ledger, opened.time, scheduler, 1);
  }
}
