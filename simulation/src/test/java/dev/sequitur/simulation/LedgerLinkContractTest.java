package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BaseLedgerContract;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The simulated ledger as the machines of a node reach it. */
class LedgerLinkContractTest extends BaseLedgerContract {
  /** So that no invariant looks at what no node has asked for. */
  private static final int NOTHING_IS_FINAL = 1_000_000;

  private final Simulation network =
      new Simulation(SimulationSetup.of(2).withConfirmations(NOTHING_IS_FINAL));
  private final Keys keys = new SimulatedKeys(new NodeName("test"));
  private final BaseLedger ledger = new LedgerLink(network.node("a").running(), call -> {});

  @Override
  protected BaseLedger ledger() {
    return ledger;
  }

  @Override
  protected Keys keys() {
    return keys;
  }

  @Override
  protected LedgerAddress address(Signer signer) {
    return SimulatedKeys.SIGNATURES.address(signer.verifier());
  }

  @Override
  protected ContractAddress contract() {
    return network.contract();
  }

  @Override
  protected List<Signature> endorsements(Hash digest) {
    return network.groups().iterator().next().committee().members().stream()
        .map(
            member ->
                new Signature(
                    member.identity(),
                    member.verifier(),
                    network.node(member.identity().node()).keys().sign(Simulation.MEMBER, digest)))
        .toList();
  }

  @Override
  protected void cut() {
    long before = network.ledger().head();
    network.runUntil(() -> network.ledger().head() > before, Scenario.SOON);
  }

  @Override
  protected void replaceNewest() {
    network.ledger().takeBack(1);
    cut();
  }

  @Override
  protected <T> T await(CompletionStage<T> answer) {
    var future = answer.toCompletableFuture();
    network.runUntil(future::isDone, Duration.ofSeconds(10));
    return future.getNow(null);
  }
}
