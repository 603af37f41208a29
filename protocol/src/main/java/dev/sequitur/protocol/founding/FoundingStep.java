package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingState.Making;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.machine.Step;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A step in the making of groups, and what its parts have in common. */
final class FoundingStep extends Step<FoundingState, Void, FoundingEffect> {
  FoundingStep(FoundingState state, Instant now) {
    super(state, now, (before, nothing) -> before);
  }

  Making making(GroupId group) {
    return state().get(group);
  }

  void change(GroupId group, UnaryOperator<Making> how) {
    become(state().with(how.apply(making(group))));
  }

  void answer(long call, Outcome outcome) {
    effect(new FoundingEffect.Answer(call, outcome));
  }

  /** Whoever waits for the first try is told what it has come to, once. */
  void answerCaller(GroupId group, Outcome outcome) {
    making(group).caller().ifPresent(call -> answer(call, outcome));
    change(group, making -> making.withCaller(Optional.empty()));
  }

  /** Nothing keeps it from being made. */
  void goesWell(GroupId group) {
    change(group, making -> making.withWaitsFor(Optional.empty()));
    making(group).stored().ifPresent(stored -> answerCaller(group, new Outcome.Begun(stored)));
  }

  /** If nobody waits for an answer any more, the operator learns what it waits for, once. */
  void standsStill(GroupId group, Outcome.Refused why) {
    var sentence = Optional.of(why.sentence());
    var making = making(group);
    if (making.caller().isEmpty() && !making.told().equals(sentence)) {
      change(group, it -> it.withTold(sentence));
      effect(
          new FoundingEffect.Warn(
              "The group %s is not made yet. %s".formatted(group, why.sentence())));
    }
    answerCaller(group, why);
    change(group, it -> it.withWaitsFor(sentence));
  }
}
