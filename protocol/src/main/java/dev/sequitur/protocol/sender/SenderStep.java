package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.sender.SenderEffect.Count;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import java.time.Instant;

/** One step of a sender: the state as it is so far, and what every part of it needs. */
final class SenderStep extends Step<SenderState, SenderEvent, SenderEffect> {
  final SenderSetup setup;

  SenderStep(SenderSetup setup, SenderState state, Instant now) {
    super(state, now, Sender::evolve);
    this.setup = setup;
  }

  Ranking ranking() {
    return setup.selection().ranking(setup.selection().range(state().height()));
  }

  SenderTransaction get(TransactionId id) {
    return state().transactions().get(id);
  }

  void put(SenderTransaction transaction) {
    become(state().withLive(state().live().put(transaction)));
  }

  /** Whether the table moves this transaction on {@code event}; then it is moved. */
  boolean move(TransactionId id, TransactionEvent event, String what) {
    var transaction = get(id);
    if (transaction == null) {
      return false;
    }
    var next = SenderTable.TRANSACTION.next(transaction.state(), event, id);
    if (!SenderTable.TRANSACTION.moves(transaction.state(), event)) {
      return false;
    }
    put(transaction.in(next, now(), what));
    return true;
  }

  void count(Counted what) {
    effect(new Count(what));
  }
}
