package dev.sequitur.node.command;

import dev.sequitur.console.WrongOption;
import dev.sequitur.node.configuration.ChainCalls;
import dev.sequitur.protocol.ledger.Fees;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** By which nodes a chain is reached, and what is paid there. */
final class ChainOptions {
  @Option(
      names = ChainAddress.RPC,
      required = true,
      paramLabel = "URL",
      converter = ChainAddress.class,
      description =
          "The JSON-RPC of a node of the chain; named again, the next is asked where it does not"
              + " answer.")
  private List<URI> rpc;

  @Option(
      names = "--max-fee",
      paramLabel = "WEI",
      defaultValue = "0",
      description = "The most to be paid for each unit of gas (default: 0).")
  private long maxFee;

  @Option(
      names = "--priority-fee",
      paramLabel = "WEI",
      defaultValue = "0",
      description = "How much of it goes to whoever makes the block, at most (default: 0).")
  private long priorityFee;

  @Option(
      names = "--access",
      paramLabel = "FILE",
      description =
          "What the chain's nodes are shown: a configuration with ledger.ethereum.access, such as a"
              + " node's own (default: what stands in the URL).")
  private Path access;

  List<URI> rpc() {
    return rpc;
  }

  /** How they are called; reads a file. */
  ChainCalls calls() {
    return access == null ? ChainCalls.OPEN : ChainCalls.ofFile(access, rpc, ChainAddress.RPC);
  }

  Fees fees() {
    if (maxFee < 0 || priorityFee < 0 || priorityFee > maxFee) {
      throw new WrongOption("--priority-fee is at least 0 and not above --max-fee.");
    }
    return new Fees(maxFee, priorityFee);
  }
}
