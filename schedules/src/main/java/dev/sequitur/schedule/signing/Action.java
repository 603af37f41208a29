package dev.sequitur.schedule.signing;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
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
  record CryptoCreate(
      AccountKey key, Amount initialBalance, boolean receiverSigRequired, String memo)
      implements Action {}

  /** What an account is told to be from then on; its key signs it, and so does a new key. */
  record CryptoUpdate(EntityId account, AccountChange change) implements Action {}

  /**
   * A private transaction of the sequencer; in the body it is a call of the group's contract.
   *
   * @param retry beyond the text, in the body too, so that all who sign agree to it
   */
  record PrivateTransaction(Target.PrivateCall call, RetryPolicy retry) implements Action {
    /** As the text has it: what failed is not tried again. */
    public static PrivateTransaction once(Target.PrivateCall call) {
      return new PrivateTransaction(call, RetryPolicy.NEVER);
    }
  }

  /** Something that is no transaction to be scheduled here: its creation is refused. */
  record Unschedulable(String what) implements Action {
    /** What to throw where only what was scheduled comes. */
    public IllegalStateException neverScheduled() {
      return new IllegalStateException("Not to be executed: " + this);
    }
  }
}
