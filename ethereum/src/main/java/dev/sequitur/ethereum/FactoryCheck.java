package dev.sequitur.ethereum;

import dev.sequitur.protocol.id.LedgerAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether there is a contract where the configuration has the factory: else what makes groups is
 * sent to nobody, and nobody says so. Asked until there is one. Thread-safe; blocks nobody.
 */
final class FactoryCheck {
  private final ChainRpc rpc;
  private final LedgerAddress factory;
  private final AtomicBoolean mayAsk = new AtomicBoolean(true);
  private volatile boolean missing;

  FactoryCheck(ChainRpc rpc, LedgerAddress factory) {
    this.rpc = rpc;
    this.factory = factory;
  }

  /** One question at a time, and none once it was found. */
  void look() {
    if (mayAsk.compareAndSet(true, false)) {
      var unused =
          rpc.ask("eth_getCode", factory.value(), "latest")
              .thenAccept(code -> missing = code.asText().length() <= "0x".length())
              .whenComplete((done, failure) -> mayAsk.set(failure != null || missing));
    }
  }

  /** A sentence for the operator. */
  Optional<String> remark() {
    return missing
        ? Optional.of(
            "There is no contract at %s on this chain, so no privacy group can be made: correct ledger.ethereum.factory, or run sequitur deploy-factory."
                .formatted(factory))
        : Optional.empty();
  }
}
