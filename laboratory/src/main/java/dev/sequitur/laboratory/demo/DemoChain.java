package dev.sequitur.laboratory.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.Console;
import dev.sequitur.console.WrongOption;
import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChainRpc;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.FactoryDeployment;
import dev.sequitur.ethereum.LocalChain;
import dev.sequitur.node.command.ChainAddress;
import dev.sequitur.node.configuration.LedgerAccess;
import dev.sequitur.node.process.Starter.NetworkLedger;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/** The chain of a demonstration, with contracts of its own on it, where gas costs nothing. */
public final class DemoChain implements AutoCloseable {
  /** As a public chain has. */
  private static final long BLOCK_GAS = 30_000_000;

  private static final double MILLION = 1e6;

  private final Optional<LocalChain> local;
  private final NetworkLedger.Chain ledger;

  private DemoChain(Optional<LocalChain> local, NetworkLedger.Chain ledger) {
    this.local = local;
    this.ledger = ledger;
  }

  /**
   * Returns when the contracts are on the chain.
   *
   * @param rpc of a chain that runs; empty to start one
   * @param blockTime of one that is started, in whole seconds
   * @param directory where the key that signs for the contracts is kept
   * @throws WrongOption with a sentence that says what to do
   */
  public static DemoChain open(
      Optional<URI> rpc, Duration blockTime, Path directory, Console console) {
    var local = rpc.isPresent() ? Optional.<LocalChain>empty() : Optional.of(started(blockTime));
    var address = rpc.orElseGet(() -> local.orElseThrow().rpc());
    console.out().println("Ethereum chain at " + address + ": waiting for the contracts.");
    console.out().flush();
    var threads = Executors.newSingleThreadExecutor();
    try {
      var chain = new ChainRpc(List.of(address), ChainAddress.RPC, threads);
      long chainId = chainId(chain, address);
      var signer = FileKeys.open(directory.resolve("factory-keys")).signer("factory");
      var deployment =
          new FactoryDeployment(chain, chainId, signer, new Secp256k1Signatures(), Fees.flat(0));
      var factory = factory(deployment, address);
      var access = LedgerAccess.Ethereum.of(List.of(address), ChainAddress.RPC, factory);
      return new DemoChain(local, new NetworkLedger.Chain(access, chainId));
    } catch (IOException e) {
      local.ifPresent(LocalChain::close);
      throw new WrongOption("The key of the chain's contracts cannot be kept: " + e.getMessage());
    } catch (RuntimeException e) {
      local.ifPresent(LocalChain::close);
      throw e;
    } finally {
      threads.shutdown();
    }
  }

  private static long chainId(ChainRpc chain, URI address) {
    try {
      return Await.answer(FactoryDeployment.chainId(chain), "the chain's id");
    } catch (DemoFailure e) {
      throw e.getCause() instanceof LedgerUnreachableException unreachable
          ? ChainAddress.noChain(List.of(address), unreachable)
          : e;
    }
  }

  private static LedgerAddress factory(FactoryDeployment deployment, URI address) {
    try {
      return Await.answer(deployment.deploy(), "the contracts of the chain");
    } catch (DemoFailure e) {
      throw e.getCause() instanceof LedgerUnreachableException refused
          ? new WrongOption(
              "The chain at %s does not take the contracts: %s The demonstration offers nothing for gas: name a chain that takes that (anvil with --base-fee 0 --gas-price 0)."
                  .formatted(address, refused.getMessage()))
          : e;
    }
  }

  private static LocalChain started(Duration blockTime) {
    var program =
        LocalChain.installed()
            .orElseThrow(
                () ->
                    new WrongOption(
                        "There is no anvil to start a chain with: install it (npm install -g %s, or npx %s --version), or name a chain that runs with --rpc."
                            .formatted(LocalChain.PACKAGE, LocalChain.PACKAGE)));
    try {
      var seconds = Optional.of((int) Math.max(1, blockTime.toSeconds()));
      return LocalChain.start(
          program, LocalChain.Options.of(BaseLedger.LOCAL_CHAIN, seconds, BLOCK_GAS, List.of()));
    } catch (IOException e) {
      throw new WrongOption(
          "The chain at " + program + " does not start (" + e.getMessage() + "): try it by hand.");
    }
  }

  public NetworkLedger.Chain ledger() {
    return ledger;
  }

  /** As those, and as the chain needs them: with its id, and offering nothing for gas. */
  public NodeSetup.Rules rules(NodeSetup.Rules rules) {
    var gas = rules.gas();
    return rules
        .withChainId(ledger.chainId())
        .withGas(
            new SubmitterSetup.Gas(
                Fees.flat(0),
                Fees.flat(0),
                gas.increasePercent(),
                gas.limitPercent(),
                gas.overdueAfter()));
  }

  /** What the newest blocks have used of their gas, in words. Blocks the caller. */
  public String gasOf(int blocks) {
    var threads = Executors.newSingleThreadExecutor();
    try {
      var chain = new ChainRpc(ledger.access().rpc(), ChainAddress.RPC, threads);
      long head = number(Await.answer(chain.ask("eth_blockNumber"), "the newest block"));
      var asked =
          LongStream.rangeClosed(Math.max(1, head - blocks + 1), head)
              .mapToObj(height -> "0x" + Long.toHexString(height))
              .map(height -> Call.of("eth_getBlockByNumber", height, false))
              .toList();
      var read = Await.answer(chain.results(asked), "the newest blocks");
      var used =
          read.stream().mapToLong(block -> number(block.path("gasUsed"))).summaryStatistics();
      long transactions = read.stream().mapToLong(block -> block.path("transactions").size()).sum();
      return "%.1f million a block, at most %.1f; %.1f transactions a block"
          .formatted(
              used.getAverage() / MILLION,
              used.getMax() / MILLION,
              (double) transactions / read.size());
    } finally {
      threads.shutdown();
    }
  }

  private static long number(JsonNode digits) {
    return Long.decode(digits.asText());
  }

  @Override
  public void close() {
    local.ifPresent(LocalChain::close);
  }
}
