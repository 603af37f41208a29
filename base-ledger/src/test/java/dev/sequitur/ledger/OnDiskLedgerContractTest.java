package dev.sequitur.ledger;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class OnDiskLedgerContractTest extends EmbeddedLedgerContract {
  @TempDir private Path directory;

  @Override
  protected LedgerStorage storage() {
    return LedgerStorage.levelDb(directory);
  }
}
