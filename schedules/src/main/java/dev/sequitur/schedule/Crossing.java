package dev.sequitur.schedule;

import dev.sequitur.protocol.id.ContractAddress;

/**
 * A payment to an account in another partition of the queue, as it is handed over (SCH-29).
 *
 * @param from the partition that pays
 * @param to that of the account
 * @param number of those from the one to the other, from 0: by it each is taken once
 * @param below the lowest number that had no outcome then: of those before it none comes again that
 *     counts
 */
public record Crossing(int from, int to, long number, long below, AccountId account, Amount amount)
    implements HandedOver {
  public Crossing {
    if (from == to || below < 0 || number < below) {
      throw new IllegalArgumentException(
          "No crossing: " + from + " to " + to + ", " + number + " from " + below);
    }
  }

  /** Those to one partition wait for the room of one another; no contract has such an address. */
  @Override
  public ContractAddress line() {
    return new ContractAddress("0x%040x".formatted(to + 1));
  }
}
