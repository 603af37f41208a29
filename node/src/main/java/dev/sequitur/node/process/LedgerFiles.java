package dev.sequitur.node.process;

import dev.sequitur.ledger.LedgerStorage;
import java.nio.file.Path;

/** Where a ledger of this process keeps its blocks. */
final class LedgerFiles {
  private LedgerFiles() {}

  static LedgerStorage open(Path directory) {
    return LedgerStorage.levelDb(directory);
  }
}
