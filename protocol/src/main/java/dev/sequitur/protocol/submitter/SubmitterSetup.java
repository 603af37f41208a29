package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerTransaction;
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
   * @param initial what is offered at first
   * @param ceiling never paid more of either
   * @param increasePercent of a replacement; a ledger asks for 10 at least
   * @param limitPercent the gas limit of a transaction, of what it is estimated to use
   * @param overdueAfter pooled for this long and in no block: submitted again for more
   */
  public record Gas(
      Fees initial, Fees ceiling, int increasePercent, int limitPercent, Duration overdueAfter) {
    public static final Gas DEFAULT =
        new Gas(Fees.flat(1_000), Fees.flat(1_000_000), 20, 103, Duration.ofSeconds(30));

    public Gas withOverdueAfter(Duration time) {
      return new Gas(initial, ceiling, increasePercent, limitPercent, time);
    }

    public Fees increased(Fees fees) {
      return new Fees(
          increased(fees.max(), ceiling.max()), increased(fees.priority(), ceiling.priority()));
    }

    private long increased(long price, long most) {
      return Math.min(most, price + Math.max(1, price * increasePercent / 100));
    }

    /** For a transaction that does this. */
    public long limit(LedgerTransaction.Call call) {
      return GasEstimate.of(call) * limitPercent / 100;
    }
  }
}
