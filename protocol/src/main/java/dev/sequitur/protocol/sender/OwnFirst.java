package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.Identity;

/**
 * What a sender's identity has does not suffice while others of its own transactions are under way:
 * it waits for these, and is refused once none is (SND-7). That they are slow counts as no try.
 */
final class OwnFirst {
  private OwnFirst() {}

  static void onInsufficient(SenderStep step, SenderTransaction transaction, String reason) {
    var id = transaction.id();
    if (isUnderWay(step, transaction)) {
      become(step, step.state().live().waiting(transaction));
      step.move(id, TransactionEvent.ASSEMBLE_FAILED, reason);
    } else if (waits(step, transaction)) {
      Ending.revert(step, id, reason);
    } else {
      step.move(id, TransactionEvent.ASSEMBLE_FAILED, reason);
    }
  }

  /** Another, of whomever, has what it needs: that is no try, however long it has it (EXT-4). */
  static void onTaken(SenderStep step, SenderTransaction transaction, String reason) {
    become(step, step.state().live().waiting(transaction));
    step.move(transaction.id(), TransactionEvent.ASSEMBLE_FAILED, reason);
  }

  static boolean waits(SenderStep step, SenderTransaction transaction) {
    return step.state().live().isAfterOwn(transaction);
  }

  /** The transaction waits for no others any more, whatever comes of it. */
  static void waitsNoMore(SenderStep step, SenderTransaction transaction) {
    become(step, step.state().live().waitingNoMore(transaction));
  }

  private static void become(SenderStep step, LiveTransactions live) {
    step.become(step.state().withLive(live));
  }

  /** What there is sufficed for it, and may for the next one. */
  static void onAssembled(SenderStep step, SenderTransaction assembled) {
    if (waits(step, assembled)) {
      waitsNoMore(step, assembled);
      hasten(step, identity(assembled));
    }
  }

  static void onEnded(SenderStep step, SenderTransaction ended) {
    waitsNoMore(step, ended);
    if (!Relinquishing.isUnderWay(step, ended.id())) {
      hasten(step, identity(ended));
    }
  }

  /**
   * Something of that identity holds nothing any more: the next one that waits for it is tried at
   * once, and the one after that when this one has got what it needs. Were all tried at each end of
   * one, that would be so many tries for so many ends.
   */
  static void hasten(SenderStep step, Identity from) {
    for (var id : step.state().live().waitingFor(from).values()) {
      var next = step.get(id);
      if (next.state() == TransactionState.PENDING) {
        step.put(next.retried(next.attempts(), step.now()));
        return;
      }
    }
  }

  private static Identity identity(SenderTransaction transaction) {
    return transaction.transaction().from();
  }

  /** Another one, that does not wait itself, or that has ended and holds its states still. */
  private static boolean isUnderWay(SenderStep step, SenderTransaction of) {
    return Relinquishing.isUnderWay(step, identity(of)) || step.state().live().hasOwnBefore(of);
  }
}
