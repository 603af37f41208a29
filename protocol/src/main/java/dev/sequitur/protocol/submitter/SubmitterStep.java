package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import java.time.Instant;
import java.util.function.BiFunction;

/** One step of a submitter: the state as it is so far, and what every part of it needs. */
final class SubmitterStep extends Step<SubmitterState, SubmitterEvent, SubmitterEffect> {
  final SubmitterSetup setup;

  SubmitterStep(
      SubmitterSetup setup,
      SubmitterState state,
      Instant now,
      BiFunction<SubmitterState, SubmitterEvent, SubmitterState> evolve) {
    super(state, now, evolve);
    this.setup = setup;
  }

  /** Whether the table moves the dispatch on {@code event}; then it is moved. */
  boolean move(Live live, SubmissionEvent event, int tries) {
    return SubmitterTable.DISPATCH
        .move(
            live.state(),
            event,
            live.nonce(),
            (next, nothing) -> put(live.with(next, now(), tries)))
        .isPresent();
  }

  Live put(Live live) {
    become(state().put(live));
    return live;
  }
}
