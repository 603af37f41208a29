package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;

/**
 * What a sender's identity has does not suffice while others of its own transactions are under way:
 * it waits for these, and is refused once none is (SND-7). That they are slow counts as no try.
 */
final class OwnFirst {
  private OwnFirst() {}

  static void onInsufficient(SenderStep step, SenderTransaction transaction, String reason) {
    var id = transaction.id();
    if (isUnderWay(step, transaction)) {
      step.become(step.state().withAfterOwn(step.state().afterOwn().plus(id)));
      step.move(id, TransactionEvent.ASSEMBLE_FAILED, reason);
    } else if (waits(step, id)) {
      Ending.revert(step, id, reason);
    } else {
      step.move(id, TransactionEvent.ASSEMBLE_FAILED, reason);
    }
  }

  static boolean waits(SenderStep step, TransactionId id) {
    return step.state().afterOwn().contains(id);
  }

  /** It waits for others no more, whatever comes of it. */
  static void waitsNoMore(SenderStep step, TransactionId id) {
    if (waits(step, id)) {
      step.become(step.state().withAfterOwn(step.state().afterOwn().minus(id)));
    }
  }

  /** One has ended: those that wait for it are tried at once. */
  static void onEnded(SenderStep step, SenderTransaction ended) {
    waitsNoMore(step, ended.id());
    if (!Relinquishing.isUnderWay(step, ended.id())) {
      hasten(step, ended.transaction().from());
    }
  }

  /** Something of that identity holds nothing any more. */
  static void hasten(SenderStep step, Identity from) {
    for (var id : step.state().afterOwn()) {
      var waiting = step.get(id);
      if (waiting != null && waiting.transaction().from().equals(from)) {
        step.put(waiting.retried(waiting.attempts(), step.now()));
      }
    }
  }

  /** Another one, that does not wait itself, or that has ended and holds its states still. */
  private static boolean isUnderWay(SenderStep step, SenderTransaction of) {
    return Relinquishing.isUnderWay(step, of.transaction().from())
        || step.state().transactions().values().stream()
            .anyMatch(
                other ->
                    !other.id().equals(of.id())
                        && isSameIdentity(other, of)
                        && !waits(step, other.id())
                        && isUnderWay(other.state()));
  }

  private static boolean isUnderWay(TransactionState state) {
    return switch (state) {
      case DELEGATING, DELEGATED, ASSEMBLING, PREPARED, DISPATCHED -> true;
      case PENDING, PARKED, CONFIRMED, REVERTED -> false;
    };
  }

  private static boolean isSameIdentity(SenderTransaction one, SenderTransaction other) {
    return one.transaction().from().equals(other.transaction().from());
  }
}
