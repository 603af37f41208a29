package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.settings.SequencerSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What does not change while a submitter lives.
 *
 * @param groups finds the committee that heartbeats go to
 */
public record SubmitterSetup(
    NodeName self,
    Function<ContractAddress, Optional<PrivacyGroup>> groups,
    SequencerSettings settings,
    Gas gas) {

  /**
   * @param initialPrice in the ledger's smallest unit
   * @param maxPrice never paid more
   * @param increasePercent of a replacement, at least what the ledger asks for
   * @param overdueAfter pooled for this long and in no block: submitted again at a higher price
   */
  public record Gas(long initialPrice, long maxPrice, int increasePercent, Duration overdueAfter) {
    public static final Gas DEFAULT = new Gas(1_000, 1_000_000, 20, Duration.ofSeconds(30));

    long increased(long price) {
      return Math.min(maxPrice, price + Math.max(1, price * increasePercent / 100));
    }
  }
}
