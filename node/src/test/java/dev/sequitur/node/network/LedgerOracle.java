package dev.sequitur.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.EthereumLedger;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.ledger.AuditReport;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.ledger.LedgerAudit.Keeper;
import dev.sequitur.ledger.remote.RemoteLedger;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.KnownGroups;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;

/**
 * What stands in the ledger's blocks, whatever the nodes say.
 *
 * @param fulfilled how often each transaction stands there
 */
public record LedgerOracle(AuditReport audit, Map<String, Integer> fulfilled) {
  /** Reads all blocks. */
  public static LedgerOracle read(URI ledger) {
    var threads = Executors.newFixedThreadPool(2);
    try (var remote = RemoteLedger.at(ledger, Optional.empty(), threads)) {
      return read(remote, Keeper.OURS);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * As {@link #read(URI)}, of a chain.
   *
   * @param factory of all groups
   * @param made the terms of all groups that the test has made, by their hash
   */
  public static LedgerOracle read(URI rpc, LedgerAddress factory, Map<Hash, Deploy> made) {
    var threads = Executors.newFixedThreadPool(2);
    try (var chain =
        new EthereumLedger(
            new ChainRpc(List.of(rpc), threads),
            new EthereumLedger.Settings(BaseLedger.LOCAL_CHAIN, factory, Head.LATEST),
            new Secp256k1Signatures(),
            new Made(made))) {
      return read(chain, Keeper.CHAIN);
    } finally {
      threads.shutdownNow();
    }
  }

  private static LedgerOracle read(BaseLedger ledger, Keeper keeper) {
    var count = new Count(new HashMap<>());
    var head = ledger.head().toCompletableFuture().join();
    var report = new LedgerAudit(count, keeper, Set.of()).read(ledger, head).report();
    return new LedgerOracle(report, Map.copyOf(count.fulfilled));
  }

  /** A chain has no more of a group than its hash, and what it calls one is judged by the rest. */
  private record Made(Map<Hash, Deploy> made) implements KnownGroups {
    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return Optional.empty();
    }

    @Override
    public CompletionStage<Optional<Deploy>> genesis(Hash hash) {
      return CompletableFuture.completedFuture(Optional.ofNullable(made.get(hash)));
    }

    @Override
    public CompletionStage<Set<LedgerAddress>> publicSigners() {
      return CompletableFuture.completedFuture(Set.of());
    }
  }

  private record Count(Map<String, Integer> fulfilled) implements Conservation {
    @Override
    public Optional<String> complaint(Fulfilled intent) {
      fulfilled.merge(intent.transaction().toString(), 1, Integer::sum);
      return Optional.empty();
    }
  }

  /** These and no others were fulfilled, each once, and no state was spent twice. */
  public void assertEachOnce(Collection<String> transactions) {
    assertThat(audit.holds()).as(audit.toString()).isTrue();
    assertThat(fulfilled.keySet()).containsExactlyInAnyOrderElementsOf(transactions);
    assertThat(fulfilled.values()).allMatch(times -> times == 1);
  }

  /** Whether it stands in a block, seen by nodes or not. */
  public boolean has(String transaction) {
    return fulfilled.containsKey(transaction);
  }
}
