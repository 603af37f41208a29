package dev.sequitur.protocol.schedule;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;

/** What a schedule runs (SCH-17). */
public sealed interface Target {
  /** Runs inside the queue and has its outcome in the same step (SCH-16). */
  sealed interface InQueue extends Target permits Transfer, Notify, Repeat, ByFamily {}

  /** From the schedule's owner to {@code to}, within the queue. */
  record Transfer(AccountId to, Amount amount) implements InQueue {
    public Transfer {
      if (to.isReserved()) {
        throw new IllegalArgumentException("Name an account to pay, not " + to + ".");
      }
    }
  }

  /** Tells the queue's listeners {@code message}, private to them. */
  record Notify(Bytes message) implements InQueue {}

  /** Done by the schedule's own family as it is started; the terms say what. */
  record ByFamily() implements InQueue {}

  /**
   * Runs {@code action} and, if that succeeds, schedules itself anew from inside the execution.
   *
   * @param everyMillis after the time that this one was scheduled for
   * @param more how often it is still to be scheduled anew
   */
  record Repeat(InQueue action, long everyMillis, int more) implements InQueue {
    public Repeat {
      boolean plain =
          switch (action) {
            case Transfer ignored -> true;
            case Notify ignored -> true;
            case Repeat ignored -> false;
            case ByFamily() -> false;
          };
      if (!plain || everyMillis < 1 || more < 0) {
        throw new IllegalArgumentException(
            "A repetition has one plain action, an interval of at least 1 ms, and a count.");
      }
    }
  }

  /**
   * A private transaction of the sequencer; its outcome comes later.
   *
   * @param inputs UTF-8 JSON, private to its group
   */
  record PrivateCall(
      ContractAddress contract, String domain, String function, Identity from, Bytes inputs)
      implements Target {}

  /** How many bytes of content it carries, which a family may limit. */
  default int size() {
    return switch (this) {
      case Notify notify -> notify.message().size();
      case Repeat repeat -> repeat.action().size();
      case PrivateCall call -> call.inputs().size();
      case Transfer ignored -> 0;
      case ByFamily() -> 0;
    };
  }
}
