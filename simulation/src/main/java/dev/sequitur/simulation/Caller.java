package dev.sequitur.simulation;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.CanonicalSigning;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.time.Duration;
import java.util.function.Supplier;

/** Submits what was prepared in external submit mode, with a key of its own for each. */
final class Caller {
  private static final Duration TAKES = Duration.ofMillis(300);

  private final Simulation simulation;
  private Supplier<Duration> takes = () -> TAKES;
  private final SimulatedKeys keys = new SimulatedKeys(new NodeName("caller"));

  Caller(Simulation simulation) {
    this.simulation = simulation;
  }

  /** How long callers take from now on. */
  void take(Supplier<Duration> time) {
    takes = time;
  }

  void submit(PreparedTransaction prepared) {
    simulation.after(takes.get(), () -> simulation.ledger().submit(signed(prepared)));
  }

  private SignedLedgerTransaction signed(PreparedTransaction prepared) {
    String key = prepared.transaction().toString();
    var address = SimulatedKeys.SIGNATURES.address(keys.verifier(key));
    var call = LedgerTransaction.Invoke.of(prepared);
    var transaction = new LedgerTransaction(address, 0, Fees.flat(1_000), 0, call);
    return CanonicalSigning.sign(transaction, keys.signer(key));
  }
}
