package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.sender.SenderEffect.Count;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import java.time.Instant;

/** One step of a sender: the state as it is so far, and what every part of it needs. */
final class SenderStep {
  final SenderSetup setup;
  private final Step<SenderState, SenderEvent, SenderEffect> step;

  SenderStep(SenderSetup setup, SenderState state, Instant now) {
    this.setup = setup;
    this.step = new Step<>(state, now, Sender::evolve);
  }

  SenderState state() {
    return step.state();
  }

  void become(SenderState next) {
    step.become(next);
  }

  void record(SenderEvent event) {
    step.record(event);
  }

  Instant now() {
    return step.now();
  }

  Ranking ranking() {
    return setup.selection().ranking(setup.selection().range(state().height()));
  }

  SenderTransaction get(TransactionId id) {
    return state().transactions().get(id);
  }

  void put(SenderTransaction transaction) {
    become(state().with(state().live().put(transaction)));
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

  void send(NodeName to, Message message) {
    step.send(to, message);
  }

  void send(Exchange exchange) {
    step.send(exchange);
  }

  void reply(NodeName to, MessageId inReplyTo, Message message) {
    step.reply(to, inReplyTo, message);
  }

  void effect(SenderEffect effect) {
    step.effect(effect);
  }

  void count(Counted what) {
    step.effect(new Count(what));
  }

  Decision<SenderState, SenderEvent, SenderEffect> finish() {
    return step.finish();
  }
}
