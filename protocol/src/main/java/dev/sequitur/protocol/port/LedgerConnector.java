package dev.sequitur.protocol.port;

/**
 * A base ledger that nobody reads yet. Whoever wants to read it says first which groups the node
 * takes part in: a ledger that has only addresses takes the blocks of all others for strangers'.
 */
@FunctionalInterface
public interface LedgerConnector extends AutoCloseable {
  /** Called once. What it returns is closed with this. */
  BaseLedger connect(KnownGroups groups);

  @Override
  default void close() {}

  /** A ledger that keeps all that it needs of a group itself. */
  static LedgerConnector of(BaseLedger ledger) {
    return new LedgerConnector() {
      @Override
      public BaseLedger connect(KnownGroups groups) {
        return ledger;
      }

      @Override
      public void close() {
        ledger.close();
      }
    };
  }
}
