package dev.sequitur.node.command;

import dev.sequitur.console.WrongOption;
import dev.sequitur.protocol.ledger.Fees;
import picocli.CommandLine.Option;

/** What a command that sends transactions to a chain offers for gas. */
final class FeeOptions {
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

  /** For each unit of gas, in the chain's smallest unit. */
  Fees offered() {
    if (maxFee < 0 || priorityFee < 0 || priorityFee > maxFee) {
      throw new WrongOption("--priority-fee is at least 0 and not above --max-fee.");
    }
    return new Fees(maxFee, priorityFee);
  }
}
