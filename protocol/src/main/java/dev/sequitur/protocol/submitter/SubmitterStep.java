package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import java.time.Instant;
import java.util.Optional;
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

  /**
   * What the ledger said to a dispatch.
   *
   * @param retryable whether another assembly may fare better
   */
  record Answer(Optional<TransactionHash> hash, String reason, boolean retryable) {
    static final Answer NONE = new Answer(Optional.empty(), "", false);
  }

  /** What a row of the table does with a dispatch that it has moved. */
  interface Action {
    void run(SubmitterStep step, Live moved, Answer answer);
  }

  /** Whether the table moves the dispatch on {@code event}; then all that its row says is done. */
  boolean move(Live live, SubmissionEvent event, Answer answer) {
    return SubmitterTable.DISPATCH
        .move(
            live.state(),
            event,
            live.nonce(),
            (next, action) -> {
              var moved = live.in(next, now());
              put(moved);
              action.run(this, moved, answer);
              return moved;
            })
        .isPresent();
  }

  boolean move(Live live, SubmissionEvent event) {
    return move(live, event, Answer.NONE);
  }

  Live get(long nonce) {
    return state().live().get(nonce);
  }

  /** What has ended is live no more. */
  void put(Live live) {
    become(
        live.state().isFinal()
            ? state().withLive(state().live().minus(live.nonce()), state().byTransaction())
            : state().put(live));
  }
}
