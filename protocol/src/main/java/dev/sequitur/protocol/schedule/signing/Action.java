package dev.sequitur.protocol.schedule.signing;

import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.Target;
import java.util.List;

/** What a scheduled body does. */
public sealed interface Action {
  /** Money from some accounts to others; checked when it is scheduled. */
  record CryptoTransfer(List<AccountAmount> transfers) implements Action {
    public CryptoTransfer {
      transfers = List.copyOf(transfers);
    }
  }

  /**
   * A new account; its initial balance is the payer's.
   *
   * @param receiverSigRequired whether its key must sign what it is to receive, this too
   */
  record CryptoCreate(Key key, Amount initialBalance, boolean receiverSigRequired, String memo)
      implements Action {}

  /** A private transaction of the sequencer; in the body it is a call of the group's contract. */
  record PrivateTransaction(Target.PrivateCall call) implements Action {}

  /** Something that is no transaction to be scheduled here. */
  record Unschedulable(String what) implements Action {}
}
