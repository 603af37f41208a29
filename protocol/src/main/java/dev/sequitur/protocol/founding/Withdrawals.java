package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.founding.WithdrawalTable.WithdrawalEvent;
import dev.sequitur.protocol.founding.WithdrawalTable.WithdrawalState;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * Tells the nodes of members that groups of this node are never made (SEL-9): each node of one
 * group after the other, and one that does not answer again after a pause, for as long as {@link
 * Withdrawal#TOLD_FOR}. Whom it has yet to tell of what stands in the node store: a life begins
 * with nothing, and is told of what is found there.
 */
public final class Withdrawals {
  /** Until a node that has not answered is told again. */
  public static final Duration PAUSE = Duration.ofMinutes(1);

  /** Groups at a time. More of them stay in the node store, for the next start. */
  static final int MOST = 10_000;

  private final String incarnation;

  /** What it is told. */
  public sealed interface Input {
    /** A group of this node's own is stored as never made. Saying it again changes nothing. */
    record Ended(StoredGroup group) implements Input {}

    /** A node waits for a group no more. */
    record Acknowledged(NodeName by, RequestId request) implements Input {}

    record Tick() implements Input {}
  }

  /** What is to be done. */
  public sealed interface Effect {
    /** Is added to what is stored of the group: whom there is to tell still. */
    record Store(StoredGroup untold) implements Effect {}

    /** A node does not answer. */
    record Unanswered(NodeName node) implements Effect {}

    /** A node was told for long enough, and keeps the group. */
    record Late(NodeName node, GroupId group) implements Effect {}
  }

  /** A group that is told. */
  record Ended(GroupId group, String reason, Withdrawal withdrawal) {
    private StoredGroup stored(Instant now) {
      return StoredGroup.of(group, now)
          .withNotMade(Optional.of(reason))
          .withWithdrawal(Optional.of(withdrawal));
    }
  }

  /**
   * What one node has to be told of.
   *
   * @param untold in the order in which it came
   * @param asked the question that it has not answered
   * @param again when its pause is over
   */
  record Line(
      WithdrawalState state,
      TreePMap<Long, GroupId> untold,
      Optional<RequestId> asked,
      Optional<Instant> again) {
    private static final Line EMPTY =
        new Line(WithdrawalState.UP_TO_DATE, TreePMap.empty(), Optional.empty(), Optional.empty());

    private Line with(TreePMap<Long, GroupId> groups) {
      return new Line(state, groups, asked, again);
    }

    private Line in(WithdrawalState next) {
      return new Line(next, untold, Optional.empty(), Optional.empty());
    }

    private Line asked(RequestId question) {
      return new Line(state, untold, Optional.of(question), Optional.empty());
    }

    private Line until(Instant time) {
      return new Line(state, untold, Optional.empty(), Optional.of(time));
    }

    private boolean isDue(Instant now) {
      return again.filter(time -> !time.isAfter(now)).isPresent();
    }
  }

  /**
   * @param next the number of the next group in any line
   */
  @Copyable
  public record State(
      Questions questions, PMap<GroupId, Ended> ended, PMap<NodeName, Line> lines, long next)
      implements WithdrawalsStateBuilder.With {
    /** Whether nobody has to be told of anything. */
    public boolean isEmpty() {
      return ended.isEmpty() && lines.isEmpty() && questions.open().open().isEmpty();
    }

    private Line line(NodeName node) {
      return lines.getOrDefault(node, Line.EMPTY);
    }

    private State with(NodeName node, Line line) {
      return withLines(
          line.state() == WithdrawalState.UP_TO_DATE && line.untold().isEmpty()
              ? lines.minus(node)
              : lines.plus(node, line));
    }
  }

  /**
   * @param incarnation another one in each life and each JVM
   */
  public Withdrawals(String incarnation) {
    this.incarnation = incarnation;
  }

  public Machine<Input, State, Void, Effect> machine() {
    return Machine.storingNothing(
        new State(Questions.none(incarnation), HashTrie.empty(), HashTrie.empty(), 0),
        Withdrawals::decide,
        new Input.Tick());
  }

  private static Decision<State, Void, Effect> decide(State before, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(before, now);
    switch (input) {
      case Input.Ended(var group) -> onEnded(step, group);
      case Input.Acknowledged(var by, var request) -> onAcknowledged(step, by, request);
      case Input.Tick() -> onTick(step);
    }
    return step.finish();
  }

  private static void onEnded(Step<State, Void, Effect> step, StoredGroup stored) {
    var state = step.state();
    var nodes = stored.withdrawal().map(Withdrawal::untold).orElse(List.of());
    if (stored.notMade().isEmpty()
        || nodes.isEmpty()
        || state.ended().containsKey(stored.id())
        || state.ended().size() >= MOST) {
      return;
    }
    var ended = new Ended(stored.id(), stored.notMade().get(), stored.withdrawal().orElseThrow());
    step.become(state.withEnded(state.ended().plus(stored.id(), ended)));
    for (var node : nodes) {
      var line = step.state().line(node);
      long number = step.state().next();
      step.become(
          step.state()
              .with(node, line.with(line.untold().plus(number, stored.id())))
              .withNext(number + 1));
      // The first of a line may be asked about: what is late is left out as the line goes on.
      if (line.state() != WithdrawalState.UP_TO_DATE || !leaveOutLate(step, node)) {
        move(step, node, WithdrawalEvent.ENDED);
      }
    }
  }

  private static void onAcknowledged(
      Step<State, Void, Effect> step, NodeName by, RequestId request) {
    var line = step.state().line(by);
    if (line.asked().filter(request::equals).isPresent()) {
      settle(step, by);
      goOn(step, by);
    }
  }

  private static void onTick(Step<State, Void, Effect> step) {
    var ticked = step.state().questions().open().tick(step.now());
    step.become(step.state().withQuestions(step.state().questions().with(ticked.rest())));
    ticked.resend().forEach(step::send);
    step.state()
        .lines()
        .forEach(
            (node, line) -> {
              if (line.asked().filter(ticked.timedOut()::contains).isPresent()) {
                move(step, node, WithdrawalEvent.UNANSWERED);
              } else if (line.isDue(step.now())) {
                goOn(step, node);
              }
            });
  }

  private static void goOn(Step<State, Void, Effect> step, NodeName node) {
    boolean all = leaveOutLate(step, node);
    move(step, node, all ? WithdrawalEvent.ALL_TOLD : WithdrawalEvent.GO_ON);
  }

  /**
   * What the node was told of for long enough it is told of no more.
   *
   * @return whether nothing is left then
   */
  private static boolean leaveOutLate(Step<State, Void, Effect> step, NodeName node) {
    while (!step.state().line(node).untold().isEmpty()) {
      var first = first(step.state(), node);
      if (!first.withdrawal().isLate(step.now())) {
        return false;
      }
      step.effect(new Effect.Late(node, first.group()));
      settle(step, node);
    }
    return true;
  }

  private static Ended first(State state, NodeName node) {
    return state.ended().get(state.line(node).untold().firstEntry().getValue());
  }

  /** The node is told of the first of its groups no more. */
  private static void settle(Step<State, Void, Effect> step, NodeName node) {
    var state = step.state();
    var line = state.line(node);
    var first = first(state, node);
    var now = new Ended(first.group(), first.reason(), first.withdrawal().told(node));
    boolean all = now.withdrawal().untold().isEmpty();
    step.become(
        state
            .with(node, line.with(line.untold().minus(line.untold().firstKey())))
            .withEnded(
                all ? state.ended().minus(now.group()) : state.ended().plus(now.group(), now)));
    step.effect(new Effect.Store(now.stored(step.now())));
  }

  private static void move(Step<State, Void, Effect> step, NodeName node, WithdrawalEvent event) {
    WithdrawalTable.WITHDRAWAL.move(
        step.state().line(node).state(),
        event,
        node,
        (next, action) -> {
          var line = step.state().line(node);
          var questions = line.asked().map(step.state().questions()::end);
          step.become(
              step.state()
                  .withQuestions(questions.orElse(step.state().questions()))
                  .with(node, line.in(next)));
          switch (action) {
            case NOTHING -> {}
            case TELL -> tell(step, node);
            case PAUSE -> {
              step.become(step.state().with(node, line.in(next).until(step.now().plus(PAUSE))));
              step.effect(new Effect.Unanswered(node));
            }
          }
          return next;
        });
  }

  private static void tell(Step<State, Void, Effect> step, NodeName node) {
    var first = first(step.state(), node);
    var asked =
        step.state()
            .questions()
            .ask(node, id -> GroupWithdrawal.of(id, first.group(), first.reason()), step.now());
    step.become(
        step.state()
            .withQuestions(asked.after())
            .with(node, step.state().line(node).asked(asked.id())));
    step.send(asked.exchange());
  }
}
