package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.messaging.MessageBookState;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.schedule.queue.CanonicalState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The journal says the same as the state, as far as the state must survive. */
final class Recovery {
  private Recovery() {}

  /** All that a node has, wherever it is. */
  static void check(NodeLife node) {
    node.fellows().forEach(Recovery::checkWhatIsIn);
  }

  /**
   * Machines that are in the middle of a write are left out, and those whose next life has begun to
   * write.
   */
  static void checkWhatIsIn(NodeLife node) {
    var queue = node.queue();
    if (isComparable(node, queue)) {
      same(
          node,
          "queue",
          CanonicalState.digest(queue.state()),
          CanonicalState.digest(queue.recovered()));
    }
    if (isComparable(node, node.publics())) {
      same(
          node,
          PublicSubmitterShell.NAME,
          durable(node.publics().state()),
          durable(node.publics().recovered()));
    }
    for (var each : node.entities()) {
      if (isComparable(node, each.sender())) {
        same(node, "sender", durable(each.sender().state()), durable(each.sender().recovered()));
      }
      if (isComparable(node, each.submitter())) {
        var shell = each.submitter();
        same(node, "submitter", durable(shell.state()), durable(shell.recovered()));
      }
      if (isComparable(node, each.states()) && each.states().isHere()) {
        var shell = each.states();
        var gone = node.disk().forgottenContents;
        same(node, "states", durable(shell.state(), gone), durable(shell.recovered(), gone));
      }
      if (isComparable(node, each.messages()) && each.messages().isHere()) {
        check(node, each.messages());
      }
    }
  }

  /** What another JVM has kept, it may not have heard of; what it has heard of is kept. */
  private static void check(NodeLife node, MessageBookShell shell) {
    var held = shell.state();
    var kept = shell.recovered();
    if (node.home().jvms().count() == 1) {
      same(node, "messages", durable(held), durable(kept));
      return;
    }
    same(node, "messages", held.acknowledged(), kept.acknowledged());
    boolean isKept =
        held.written() <= kept.written()
            && held.received().keySet().stream()
                .allMatch(from -> held.receivedFrom(from) <= kept.receivedFrom(from));
    Invariants.require(isKept, node.name() + "'s messages: " + held + ", kept: " + kept);
  }

  private static boolean isComparable(NodeLife node, Shell<?, ?, ?, ?> shell) {
    return shell.node() == node && shell.isQuiet() && shell.isCurrent();
  }

  private static void same(NodeLife node, String machine, Object state, Object recovered) {
    if (!state.equals(recovered)) {
      throw new AssertionError(
          node.name() + "'s " + machine + " holds " + state + ", its journal says " + recovered);
    }
  }

  private static Object durable(SenderState state) {
    return List.of(state.epoch(), state.remembered());
  }

  private static Object durable(SubmitterState state) {
    Map<Long, Object> live = new HashMap<>();
    state.live().forEach((order, each) -> live.put(order, List.of(each.dispatch(), each.nonce())));
    Map<Long, Object> publics = new HashMap<>();
    state
        .publics()
        .forEach((order, each) -> publics.put(order, each.withTriedAt(Instant.MIN).withTries(0)));
    Map<Long, Object> carriers = new HashMap<>();
    state
        .carriers()
        .forEach((nonce, each) -> carriers.put(nonce, List.of(each.orders(), each.fees())));
    return List.of(
        List.of(state.nextNonce(), state.given()),
        state.nextOrder(),
        live,
        state.taken(),
        publics,
        state.shown(),
        state.waiting(),
        carriers,
        List.of(state.byTransaction(), state.owed()));
  }

  /**
   * @param gone what the disk has no more, since it is spent: memory has it still if it came after
   *     that
   */
  private static Object durable(StateStoreState state, Set<StateId> gone) {
    var contents = new HashMap<>(state.contents());
    contents.keySet().removeAll(gone);
    return List.of(
        state.confirmed(),
        state.unconfirmed(),
        state.contentMissing(),
        state.sought(),
        state.differs(),
        contents,
        state.available(),
        state.arrivals(),
        state.outbox(),
        state.height());
  }

  private static Object durable(MessageBookState state) {
    return List.of(state.written(), state.received(), state.acknowledged());
  }
}
