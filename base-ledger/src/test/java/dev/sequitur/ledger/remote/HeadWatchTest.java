package dev.sequitur.ledger.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.protocol.id.BlockHeight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeadWatchTest {
  private final TestNetwork network =
      new TestNetwork(LedgerStorage.inMemory(), LedgerSettings.DEFAULT);
  private final HeadWatch watch = new HeadWatch(network.ledger, Runnable::run, 10);

  @AfterEach
  void close() {
    watch.close();
    network.close();
  }

  @Test
  void closingItEndsTheWaits() {
    var answer = watch.after(BlockHeight.ZERO, Integer.MAX_VALUE);

    watch.close();

    assertThat(answer).isCompletedWithValue(BlockHeight.ZERO);
    assertThat(watch.waiting()).isZero();
  }

  @Test
  void whoComesAfterItsCloseIsAnsweredAtOnce() {
    watch.close();

    assertThat(watch.after(BlockHeight.ZERO, Integer.MAX_VALUE))
        .isCompletedWithValue(BlockHeight.ZERO);
  }
}
