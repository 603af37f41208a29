package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import java.time.Instant;

/** One step of a submitter: the state as it is so far, and what every part of it needs. */
final class SubmitterStep {
  final SubmitterSetup setup;
  private final Step<SubmitterState, SubmitterEvent, SubmitterEffect> step;

  SubmitterStep(SubmitterSetup setup, Step<SubmitterState, SubmitterEvent, SubmitterEffect> step) {
    this.setup = setup;
    this.step = step;
  }

  SubmitterState state() {
    return step.state();
  }

  void become(SubmitterState next) {
    step.become(next);
  }

  void record(SubmitterEvent event) {
    step.record(event);
  }

  Instant now() {
    return step.now();
  }

  /** Whether the table moves the dispatch on {@code event}; then it is moved. */
  boolean move(Live live, SubmissionEvent event, int tries) {
    if (!SubmitterTable.DISPATCH.moves(live.state(), event)) {
      return false;
    }
    var next = SubmitterTable.DISPATCH.next(live.state(), event, live.nonce());
    become(state().put(live.with(next, now(), tries)));
    return true;
  }

  void send(NodeName to, Message message) {
    step.send(to, message);
  }

  void send(Exchange exchange) {
    step.send(exchange);
  }

  void effect(SubmitterEffect effect) {
    step.effect(effect);
  }

  Decision<SubmitterState, SubmitterEvent, SubmitterEffect> finish() {
    return step.finish();
  }
}
