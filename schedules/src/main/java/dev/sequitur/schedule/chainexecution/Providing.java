package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.schedule.chainexecution.ChainLook.Look;
import dev.sequitur.schedule.chainexecution.PlanChain.Pooling;
import dev.sequitur.schedule.chainexecution.PlanChain.Sent;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.ToDo.Known;
import dev.sequitur.schedule.chainexecution.ToDo.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Serves a plan contract, in rounds: asks the queue what it knows, looks at the chain, decides
 * ({@link Round}), has the queue store that, and sends. It stores nothing itself, so that whoever
 * begins anew after a crash goes on with what the queue knows; only the time at which a block was
 * first seen, and what a node said of what was sent, is forgotten.
 */
public record Providing(Settings settings, PlanChain chain) {
  /** What is reported when what kept all waiting is over. */
  public static final String WELL = "All is well again.";

  /**
   * What it goes by.
   *
   * @param from the first block whose logs are read
   * @param price what gas may cost
   * @param atOnce how many transactions wait for their block at once
   * @param bumpAfter so many blocks without it, and a transaction is offered more for
   * @param tries how often an execution is sent in vain at most
   * @param gas that a transaction gets
   * @param poll between two rounds
   * @param backoff after a round that came to nothing, and between two tries of an execution
   */
  @Copyable
  public record Settings(
      long from,
      GasPrice price,
      int atOnce,
      int bumpAfter,
      int tries,
      ExecutionGas gas,
      Duration poll,
      Backoff backoff)
      implements ProvidingSettingsBuilder.With {
    public Settings {
      if (from < 0 || atOnce < 1 || bumpAfter < 1 || tries < 1) {
        throw new IllegalArgumentException("The provider's limits must be positive.");
      }
    }
  }

  /** What it is told. */
  public sealed interface Input {
    /** The time that was asked for has come. */
    record Tick() implements Input {}

    /** Answers Ask. */
    record Told(Known known) implements Input {}

    /** Answers Look. */
    record Shown(ChainLook view) implements Input {}

    /** Answers Store: it is durable. */
    record Stored() implements Input {}

    /** Answers Store: the queue does not take it. */
    record Refused(String sentence) implements Input {}

    /** Answers Send. */
    record Offered(List<Sent> sent) implements Input {}

    /** Whatever was asked for, there is no answer. */
    record Failed(String sentence) implements Input {}
  }

  /** What is to be done for it; one thing at a time. */
  public sealed interface Effect {
    record Ask(ToDo question) implements Effect {}

    record LookAt(Look look) implements Effect {}

    record Store(Advance advance) implements Effect {}

    record Send(List<ProviderDispatch> dispatches) implements Effect {}

    /** Tick after so long. */
    record WakeIn(Duration time) implements Effect {}

    /** Tell the operator. */
    record Report(String sentence) implements Effect {}
  }

  /** What it waits for. */
  public enum Phase {
    /** The time of the next round. */
    RESTING,
    ASKING,
    LOOKING,
    STORING,
    SENDING
  }

  /**
   * @param known what the queue has said in this round
   * @param newest the newest block that was seen
   * @param seenAt when that was seen first
   * @param interval seconds between two blocks lately
   * @param used the account's nonce at the newest block
   * @param usedBefore the same at the block that was seen before that one
   * @param offeredAt the block after which everything that waits was sent last
   * @param sent what the node has said of transactions, by nonce, if they are not in its pool
   * @param toSend once it is stored
   * @param behind whether there are more logs to be read at once
   * @param failures of rounds in a row
   * @param reported what the operator was told last
   */
  @Copyable
  public record State(
      Phase phase,
      Optional<Known> known,
      Optional<Point> newest,
      Instant seenAt,
      long interval,
      long used,
      long usedBefore,
      long offeredAt,
      PMap<Long, Sent> sent,
      List<ProviderDispatch> toSend,
      boolean behind,
      int failures,
      String reported)
      implements ProvidingStateBuilder.With {
    static final State INITIAL =
        new State(
            Phase.RESTING,
            Optional.empty(),
            Optional.empty(),
            Instant.EPOCH,
            1,
            0,
            0,
            -1,
            TreePMap.empty(),
            List.of(),
            false,
            0,
            "");

    private State shown(ChainLook view, Instant now) {
      boolean same = newest.equals(Optional.of(view.newest()));
      return with()
          .newest(Optional.of(view.newest()))
          .seenAt(same ? seenAt : now)
          .used(view.account().nonce())
          .usedBefore(same ? usedBefore : used)
          .interval(view.interval())
          .build();
    }

    private State resting(int failed) {
      return with()
          .phase(Phase.RESTING)
          .known(Optional.empty())
          .toSend(List.of())
          .behind(false)
          .failures(failed)
          .build();
    }
  }

  /** Its time is one that goes on evenly, whatever a clock is set to. */
  public Machine<Input, State, Void, Effect> machine() {
    return Machine.storingNothing(State.INITIAL, this::decide, new Input.Tick());
  }

  private Decision<State, Void, Effect> decide(State before, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(before, now);
    switch (input) {
      case Input.Tick() when before.phase() == Phase.RESTING -> ask(step);
      case Input.Told(var known) when before.phase() == Phase.ASKING -> look(step, known);
      case Input.Shown(var view) when before.phase() == Phase.LOOKING -> store(step, view);
      case Input.Stored() when before.phase() == Phase.STORING -> send(step);
      case Input.Offered(var sent) when before.phase() == Phase.SENDING -> onOffered(step, sent);
      case Input.Refused(var sentence) -> again(step, sentence);
      case Input.Failed(var sentence) -> fail(step, sentence);
      // What answers to a round that was given up says nothing new.
      case Input.Tick() -> {}
      case Input.Told ignored -> {}
      case Input.Shown ignored -> {}
      case Input.Stored() -> {}
      case Input.Offered ignored -> {}
    }
    return step.finish();
  }

  private void ask(Step<State, Void, Effect> step) {
    step.become(step.state().withPhase(Phase.ASKING));
    long horizon =
        step.state().newest().isEmpty() ? 0 : timing(step).horizon() + step.state().interval();
    step.effect(new Effect.Ask(new ToDo(horizon, 2 * settings.atOnce())));
  }

  private static BlockTiming timing(Step<State, Void, Effect> step) {
    var state = step.state();
    long elapsed = Math.max(0, Duration.between(state.seenAt(), step.now()).toSeconds());
    return new BlockTiming(
        state.newest().map(Point::time).orElse(0L), elapsed, Math.max(1, state.interval()));
  }

  private void look(Step<State, Void, Effect> step, Known known) {
    step.become(step.state().withPhase(Phase.LOOKING).withKnown(Optional.of(known)));
    step.effect(
        new Effect.LookAt(
            new Look(
                settings.from(),
                known.read(),
                known.settled(),
                known.waiting().stream().map(Waiting::id).toList(),
                known.dispatches())));
  }

  private void store(Step<State, Void, Effect> step, ChainLook view) {
    step.become(step.state().shown(view, step.now()));
    var known = step.state().known().orElseThrow();
    var refused = step.state().sent();
    long used = step.state().usedBefore();
    var decided = new Round(settings, chain, known, view, timing(step), refused, used).decide();
    boolean more =
        view.reading().map(reading -> reading.to().number() < view.newest().number()).orElse(false);
    var waiting =
        decided.waiting().stream()
            .filter(dispatch -> isToSend(step.state(), view, decided.advance(), dispatch))
            .toList();
    step.become(step.state().with().phase(Phase.STORING).toSend(waiting).behind(more).build());
    report(step, decided.advance().trouble());
    if (decided.changes(known)) {
      step.effect(new Effect.Store(decided.advance()));
    } else {
      send(step);
    }
  }

  /** What is new, what the node refused, and with each new block all that it might have lost. */
  private static boolean isToSend(
      State state, ChainLook view, Advance advance, ProviderDispatch dispatch) {
    return advance.dispatches().contains(dispatch)
        || state.sent().containsKey(dispatch.nonce())
        || state.offeredAt() < view.newest().number();
  }

  private void send(Step<State, Void, Effect> step) {
    if (step.state().toSend().isEmpty()) {
      rest(step);
    } else {
      step.become(step.state().withPhase(Phase.SENDING));
      step.effect(new Effect.Send(step.state().toSend()));
    }
  }

  private void onOffered(Step<State, Void, Effect> step, List<Sent> sent) {
    PMap<Long, Sent> refused =
        TreePMap.from(
            sent.stream()
                .filter(each -> each.pooling() != Pooling.POOLED)
                .collect(Collectors.toMap(Sent::nonce, each -> each, (first, second) -> second)));
    long newest = step.state().newest().map(Point::number).orElse(-1L);
    step.become(step.state().with().sent(refused).offeredAt(newest).build());
    rest(step);
  }

  private void rest(Step<State, Void, Effect> step) {
    boolean behind = step.state().behind();
    step.become(step.state().resting(0));
    step.effect(new Effect.WakeIn(behind ? Duration.ZERO : settings.poll()));
  }

  /** Somebody else came first, or the queue is busy. */
  private void again(Step<State, Void, Effect> step, String sentence) {
    report(step, sentence);
    pause(step);
  }

  /** The queue remembers that there is trouble, if it is there itself. */
  private void fail(Step<State, Void, Effect> step, String sentence) {
    var known = step.state().known();
    boolean looking = step.state().phase() == Phase.LOOKING;
    report(step, sentence);
    if (looking && known.isPresent() && !known.get().trouble().equals(sentence)) {
      step.become(step.state().withPhase(Phase.STORING));
      step.effect(
          new Effect.Store(Advance.troubled(chain.contract(), known.get().paused(), sentence)));
    } else {
      pause(step);
    }
  }

  private void pause(Step<State, Void, Effect> step) {
    int failures = step.state().failures() + 1;
    step.become(step.state().resting(failures));
    step.effect(new Effect.WakeIn(settings.backoff().wait(failures, 0)));
  }

  private static void report(Step<State, Void, Effect> step, String sentence) {
    if (!sentence.equals(step.state().reported())) {
      step.become(step.state().withReported(sentence));
      step.effect(new Effect.Report(sentence.isEmpty() ? WELL : sentence));
    }
  }
}
