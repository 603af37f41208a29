package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.sender.SenderEffect.Count;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import java.time.Duration;
import java.time.Instant;

/** One step of a sender: the state as it is so far, and what every part of it needs. */
final class SenderStep extends Step<SenderState, SenderEvent, SenderEffect> {
  final SenderSetup setup;

  SenderStep(SenderSetup setup, SenderState state, Instant now) {
    super(state, now, Sender::evolve);
    this.setup = setup;
  }

  /** The group as it is in the range that this node is in (SEL-10). */
  PrivacyGroup group() {
    return setup.selection().group(state().height());
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

  /** What a row of the table does with a transaction that it has moved. */
  interface Action {
    /**
     * @param what has happened, as its history tells it
     */
    void run(SenderStep step, SenderTransaction moved, String what);
  }

  /** Whether the table moves this transaction on {@code event}; then all its row says is done. */
  boolean move(TransactionId id, TransactionEvent event, String what) {
    var transaction = get(id);
    return transaction != null
        && SenderTable.TRANSACTION
            .move(
                transaction.state(),
                event,
                id,
                (next, action) -> {
                  var moved = timed(transaction, event, transaction.in(next, now(), what));
                  put(moved);
                  action.run(this, moved, what);
                  return moved;
                })
            .isPresent();
  }

  private SenderTransaction timed(
      SenderTransaction before, TransactionEvent event, SenderTransaction moved) {
    var ended = SenderTable.ends(before.state(), event);
    ended.ifPresent(
        step ->
            effect(
                new SenderEffect.Took(
                    moved.id(), step, Duration.between(before.stepped(), now()))));
    boolean anew =
        moved.state() == TransactionState.PENDING || moved.state() == TransactionState.PARKED;
    return ended.isPresent() || anew ? moved.stepped(now()) : moved;
  }

  void count(Counted what) {
    effect(new Count(what));
  }
}
