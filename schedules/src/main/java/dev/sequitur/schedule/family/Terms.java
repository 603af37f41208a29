package dev.sequitur.schedule.family;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import java.util.Map;
import java.util.TreeMap;

/** The part of a schedule that only its family understands. */
public interface Terms {
  FamilyKind family();

  /** After how many runs in a row that have failed the schedule is paused; 0 if it never is. */
  default int pauseAfter() {
    return 0;
  }

  /**
   * What a run moves: what each of these accounts gets, or gives if it is negative.
   *
   * @param proposal of these terms
   */
  default Map<AccountId, Long> moves(Proposal proposal) {
    return proposal
        .target()
        .payment()
        .map(transfer -> moves(proposal.owner(), transfer.to(), transfer.amount()))
        .orElse(Map.of());
  }

  /** Of a payment; of one to oneself nothing is left. */
  static Map<AccountId, Long> moves(AccountId from, AccountId to, Amount amount) {
    var moved = new TreeMap<AccountId, Long>();
    moved.merge(from, -amount.units(), Long::sum);
    moved.merge(to, amount.units(), Long::sum);
    return moved;
  }

  /** Whether what a run does to money is told by its family's notices, and not by its outcome. */
  default boolean isTold() {
    return false;
  }
}
