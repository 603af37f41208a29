package dev.sequitur.protocol.submitter;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.submitter.SubmitterState.Carrier;
import dev.sequitur.protocol.submitter.SubmitterState.Live;
import dev.sequitur.protocol.submitter.SubmitterState.Public;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.CarrierState;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicEvent;
import dev.sequitur.protocol.submitter.SubmitterTable.PublicState;
import dev.sequitur.protocol.submitter.SubmitterTable.SubmissionEvent;
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

  /** What is offered for a unit of gas now. */
  Fees offered() {
    return setup.gas().first(state().baseFee());
  }

  /** Whether a node and this one hear each other in a group (CMT-8). */
  boolean isHeardBy(NodeName other, ContractAddress contract) {
    return setup
        .groups()
        .apply(contract)
        .filter(group -> !group.areHeard(setup.self(), other))
        .isEmpty();
  }

  /**
   * What the ledger said.
   *
   * @param retryable whether another assembly may fare better
   */
  record Answer(Optional<TransactionHash> hash, String reason, boolean retryable) {
    static final Answer NONE = new Answer(Optional.empty(), "", false);
  }

  /** What a row of the dispatches' table does with a dispatch that it has moved. */
  interface Action {
    void run(SubmitterStep step, Live moved, Answer answer);
  }

  /**
   * What became of a public transaction.
   *
   * @param receipt of its nonce, if a block has it
   * @param reason why the pool will never take it
   */
  record Outcome(Optional<LedgerReceipt> receipt, String reason) {
    static final Outcome NONE = new Outcome(Optional.empty(), "");
  }

  /** What a row of the table of public transactions does: it records the event that moves it. */
  interface PublicAction {
    void run(SubmitterStep step, Public before, Outcome outcome);
  }

  /** What a row of the other table does with a base-ledger transaction that it has moved. */
  interface CarrierAction {
    void run(SubmitterStep step, Carrier moved, Answer answer);
  }

  /** Whether the table moves the dispatch on {@code event}; then all that its row says is done. */
  boolean move(Live live, SubmissionEvent event, Answer answer) {
    return SubmitterTable.DISPATCH
        .move(
            live.state(),
            event,
            live.order(),
            (next, action) -> {
              var moved = live.in(next, now());
              put(moved);
              action.run(this, moved, answer);
              return moved;
            })
        .isPresent();
  }

  /** As {@link #move(Live, SubmissionEvent, Answer)}, of a base-ledger transaction. */
  boolean move(Carrier carrier, CarrierEvent event, Answer answer) {
    return SubmitterTable.LEDGER_TRANSACTION
        .move(
            carrier.state(),
            event,
            carrier.nonce(),
            (next, action) -> {
              var moved = carrier.in(next, now());
              put(moved);
              action.run(this, moved, answer);
              return moved;
            })
        .isPresent();
  }

  /**
   * Does what the row says. All that is durable of a public transaction is its state, so the event
   * that was recorded has moved it, and to nowhere else than the row says.
   */
  void move(Public before, PublicEvent event, Outcome outcome) {
    SubmitterTable.PUBLIC.move(
        before.state(),
        event,
        before.order(),
        (next, action) -> {
          action.run(this, before, outcome);
          var after = state().publics().get(before.order());
          var reached = after == null ? PublicState.TOLD : after.state();
          if (reached != next) {
            throw new IllegalStateException(
                "A public transaction went from %s to %s on %s, not to %s: %s"
                    .formatted(before.state(), reached, event, next, before.order()));
          }
          return next;
        });
  }

  void move(Carrier carrier, CarrierEvent event) {
    move(carrier, event, Answer.NONE);
  }

  Carrier carrier(long nonce) {
    return state().carriers().get(nonce);
  }

  /** What has ended is live no more. */
  void put(Live live) {
    become(
        live.state().isFinal()
            ? state().withLive(state().live().minus(live.order()))
            : state().put(live));
  }

  /** What is used is known no more. */
  void put(Carrier carrier) {
    become(
        carrier.state() == CarrierState.USED
            ? state().withCarriers(state().carriers().minus(carrier.nonce()))
            : state().put(carrier));
  }
}
