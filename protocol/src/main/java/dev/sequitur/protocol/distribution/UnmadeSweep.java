package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.StateStore.Drop;
import dev.sequitur.protocol.distribution.StateStore.Effect;
import dev.sequitur.protocol.distribution.StateStore.Judge;
import dev.sequitur.protocol.distribution.StateStore.Recall;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsDropped;
import dev.sequitur.protocol.distribution.StateStoreEvent.ContentsGiven;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes contents that no block has made a state of for as many blocks as the policy says, unless
 * something that is under way here may still need them (ROM-8). Some at a time, one after the
 * other. What fails is done by the next sweep.
 */
record UnmadeSweep(StateStore rules) {

  /** A block has come after which what is not confirmed is forgotten. */
  void begin(Step<StateStoreState, StateStoreEvent, Effect> step) {
    if (rules.settings().unmadeBlocks().isPresent() && !step.state().unmade().looking()) {
      become(step, step.state().unmade().looking(Optional.empty()));
      goOn(step);
    }
  }

  private void goOn(Step<StateStoreState, StateStoreEvent, Effect> step) {
    long kept = rules.settings().unmadeBlocks().orElse(Long.MAX_VALUE);
    var before = new BlockHeight(Math.max(0, step.state().height().value() - kept));
    var next = step.state().unmade().next(before);
    if (next.isEmpty()) {
      become(step, step.state().unmade().atRest());
      return;
    }
    become(step, step.state().unmade().looking(Optional.of(next.getLast())));
    Map<StateId, TransactionId> made = new HashMap<>();
    next.forEach(id -> made.put(id, step.state().unmade().states().get(id).producedBy()));
    step.effect(new Judge(made));
  }

  /** What is owed to another member is given it first. */
  void onJudged(Step<StateStoreState, StateStoreEvent, Effect> step, Collection<StateId> unneeded) {
    var owed = owed(step.state());
    var drop =
        step.state().unmade().among(unneeded).stream().filter(id -> !owed.contains(id)).toList();
    if (drop.isEmpty()) {
      goOn(step);
    } else {
      step.effect(new Drop(Set.copyOf(drop)));
    }
  }

  private static Set<StateId> owed(StateStoreState state) {
    var owed = new HashSet<StateId>();
    state.outbox().values().forEach(each -> each.items().forEach(item -> owed.add(item.state())));
    return owed;
  }

  /** One that has come again meanwhile is kept anew, and is none of them. */
  void onDropped(Step<StateStoreState, StateStoreEvent, Effect> step, Collection<StateId> dropped) {
    var gone = step.state().unmade().among(dropped);
    if (!gone.isEmpty()) {
      step.record(new ContentsDropped(gone));
    }
    if (dropped.isEmpty()) {
      become(step, step.state().unmade().atRest());
    } else {
      goOn(step);
    }
  }

  /**
   * A block has made them late: they are looked for where they are kept before others are asked.
   */
  void recall(Step<StateStoreState, StateStoreEvent, Effect> step, List<StateId> late) {
    if (!late.isEmpty()) {
      step.effect(new Recall(Set.copyOf(late)));
    }
  }

  void onRecalled(
      Step<StateStoreState, StateStoreEvent, Effect> step, List<PrivateState> contents) {
    var lacked =
        contents.stream().filter(each -> step.state().missing().contains(each.id())).toList();
    if (!lacked.isEmpty()) {
      step.become(step.state().bring(lacked));
      step.record(new ContentsGiven(rules.self(), lacked.stream().map(PrivateState::id).toList()));
    }
  }

  private static void become(Step<StateStoreState, StateStoreEvent, Effect> step, Unmade unmade) {
    step.become(step.state().withUnmade(unmade));
  }
}
