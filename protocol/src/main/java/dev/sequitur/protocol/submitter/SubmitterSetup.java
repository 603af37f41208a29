package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasPrice;
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
   * @param initial what is offered at first; of what follows the ledger's price only the priority
   * @param follows whether the first offer follows what the ledger's blocks charge (SUB-9)
   * @param ceiling never paid more of either
   * @param increasePercent of a replacement; a ledger asks for 10 at least
   * @param limitPercent the gas limit of a transaction, of what it is estimated to use
   * @param overdueAfter pooled for this long and in no block: submitted again for more
   */
  public record Gas(
      Fees initial,
      boolean follows,
      Fees ceiling,
      int increasePercent,
      int limitPercent,
      Duration overdueAfter) {
    public static final Gas DEFAULT =
        new Gas(Fees.flat(1_000), true, Fees.flat(1_000_000), 20, 103, Duration.ofSeconds(30));

    /** That offers the same at first whatever the ledger charges. */
    public Gas(
        Fees initial, Fees ceiling, int increasePercent, int limitPercent, Duration overdueAfter) {
      this(initial, false, ceiling, increasePercent, limitPercent, overdueAfter);
    }

    public Gas withOverdueAfter(Duration time) {
      return new Gas(initial, follows, ceiling, increasePercent, limitPercent, time);
    }

    /** That offers at first what the ledger's blocks charge. */
    public Gas following() {
      return new Gas(initial, true, ceiling, increasePercent, limitPercent, overdueAfter);
    }

    /**
     * What is offered at first; no more than the ceiling, whatever the ledger charges.
     *
     * @param baseFee of the ledger's newest block; 0 if nothing is known of it
     */
    public Fees first(long baseFee) {
      if (!follows) {
        return initial;
      }
      long priority = Math.min(initial.priority(), ceiling.priority());
      return new GasPrice(ceiling.max(), priority)
          .at(baseFee)
          .orElseGet(() -> new Fees(ceiling.max(), priority));
    }

    /** What replaces an offer that no block has taken. */
    public Fees more(Fees offered, long baseFee) {
      var more = increased(offered);
      return follows ? more.orMore(first(baseFee)) : more;
    }

    /**
     * Why it waits, for whoever sent it; both figures.
     *
     * @param asked not covered by the ceiling
     */
    public String tooDear(Fees asked) {
      return asked.max() > ceiling.max()
          ? "the ledger asks for %d for a unit of gas, and this node pays %d at most (ledger.gas.max-fee)"
              .formatted(asked.max(), ceiling.max())
          : "the ledger asks for %d of a unit of gas for whoever makes the block, and this node pays %d at most (ledger.gas.max-priority-fee)"
              .formatted(asked.priority(), ceiling.priority());
    }

    /**
     * Why it waits, though a pool has it at an earlier price.
     *
     * @param asked for what replaces it, not covered by the ceiling
     */
    public String tooDearToReplace(Fees asked) {
      return "a pool has it and no block takes it, and to replace it by a dearer one %s"
          .formatted(tooDear(asked));
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

    /**
     * For a change of a committee.
     *
     * @param former how many members the one before it has
     */
    public long limit(LedgerTransaction.ChangeCommittee call, int former) {
      return GasEstimate.ofChange(call, former) * limitPercent / 100;
    }
  }
}
