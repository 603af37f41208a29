package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.DelegationRejected.CannotSubmit;
import dev.sequitur.protocol.message.DelegationRejected.MismatchedBlockHeight;
import dev.sequitur.protocol.message.DelegationRejected.NotPreferredCoordinator;
import dev.sequitur.protocol.message.DelegationRejected.Overloaded;
import dev.sequitur.protocol.message.Refusals;
import dev.sequitur.protocol.sender.SenderEffect.Counted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Selects an available coordinator and delegates (DLG-1). */
final class Delegating {
  private Delegating() {}

  /** Delegates what may be delegated now. What waits for something else is not held off. */
  static void delegatePending(SenderStep step) {
    giveUpWaiting(step);
    if (step.state().loading().isPresent() || mustWait(step)) {
      return;
    }
    LeftToCaller.tell(step);
    if (!step.state().hasDelegable(step.now()) || !isMember(step)) {
      return;
    }
    var selected = select(step);
    if (selected.isEmpty() || HoldOff.holds(step, selected.get())) {
      return;
    }
    var chosen = selected.get();
    redelegateIfMismatched(step, chosen);
    askAgain(step, chosen);
    var limits = step.setup.settings().limits();
    int inFlight = step.state().transactions().size() - step.state().pending().size();
    int room = limits.delegated() - inFlight;
    while (room > 0) {
      var batch = eligible(step, Math.min(room, limits.delegationBatch()));
      if (batch.isEmpty()) {
        return;
      }
      command(step, chosen, batch);
      room -= batch.size();
    }
  }

  /** In the present range; whoever is not is refused by those who are (CMT-6). */
  private static boolean isMember(SenderStep step) {
    return step.group().committee().hasMemberOn(step.setup.self());
  }

  private static boolean mustWait(SenderStep step) {
    var choice = step.state().choice();
    if (choice.notBefore().isAfter(step.now())) {
      return true;
    }
    var selection = step.setup.selection();
    return choice
        .waitsForHeight()
        .filter(height -> selection.range(step.state().height()).isBefore(selection.range(height)))
        .isPresent();
  }

  /** The word of one on its own height holds back for a few blocks' time, and no longer (AVL-7). */
  private static void giveUpWaiting(SenderStep step) {
    var choice = step.state().choice();
    if (choice.waitsForHeight().isPresent() && choice.isRejectedFor(fewBlocks(step), step.now())) {
      choice.coordinator().ifPresent(it -> passOver(step, it));
    }
  }

  private static Duration fewBlocks(SenderStep step) {
    return step.setup.settings().heartbeats().coordinatorFailureThreshold();
  }

  /**
   * Better ones that were passed over are asked again with one transaction each, while all others
   * go to the one that is chosen: if one takes it, it is chosen (AVL-7).
   */
  private static void askAgain(SenderStep step, NodeName chosen) {
    var nodes =
        step.ranking().members().stream()
            .map(ranked -> ranked.identity().node())
            .distinct()
            .takeWhile(node -> !node.equals(chosen))
            .filter(node -> step.state().availability().isDueAgain(node, step.now()))
            .filter(node -> isLinked(step, node))
            .toList();
    for (var node : nodes) {
      var one = eligible(step, 1);
      if (!one.isEmpty()) {
        var until = step.now().plus(patience(step, node));
        step.become(
            step.state().withAvailability(step.state().availability().askedAgain(node, until)));
        command(step, node, one);
      }
    }
  }

  /**
   * The best member not presumed unavailable; when nobody is left, the best that is worth another
   * try by now. Empty while there is none.
   */
  static Optional<NodeName> select(SenderStep step) {
    var ranking = step.ranking();
    var availability = step.state().availability();
    return ranking
        .preferred(node -> isAvailable(step, node))
        .or(() -> ranking.preferred(node -> availability.isDueAgain(node, step.now())))
        .or(() -> ranking.preferred(availability::presumedAvailable));
  }

  /** This node itself is never silent for long, but it may be unable to act. */
  private static boolean isAvailable(SenderStep step, NodeName node) {
    var availability = step.state().availability();
    return node.equals(step.setup.self())
        ? !availability.isKnownUnable(node)
        : availability.presumedAvailable(node) && isLinked(step, node);
  }

  /** What is sent to it now would be lost (AVL-8). */
  private static boolean isLinked(SenderStep step, NodeName node) {
    return step.setup.links().trouble(node).isEmpty();
  }

  /** All transactions of a contract go to one coordinator (DLG-2). */
  static void redelegateIfMismatched(SenderStep step, NodeName chosen) {
    var before = step.state().choice().coordinator();
    if (before.filter(chosen::equals).isEmpty()) {
      before.ifPresent(other -> step.count(Counted.SWITCHOVER));
      rescindBut(step, chosen, "coordinator is now " + chosen);
    }
    step.become(step.state().withChoice(step.state().choice().of(chosen)));
  }

  /** Rescinding is passive: the delegate is not told (DLG-3). */
  static void rescindAll(SenderStep step, String why) {
    rescind(step, node -> true, why);
  }

  static void rescindBut(SenderStep step, NodeName butOf, String why) {
    rescind(step, node -> !node.equals(butOf), why);
  }

  private static void rescind(SenderStep step, Predicate<NodeName> of, String why) {
    for (var transaction : List.copyOf(step.state().transactions().values())) {
      if (transaction.progress().delegate().filter(of).isPresent()) {
        step.move(transaction.id(), TransactionEvent.COORDINATOR_LOST, why);
      }
    }
    for (var open : List.copyOf(step.state().delegations().open().entrySet())) {
      if (of.test(open.getValue().to())) {
        step.become(step.state().withDelegations(step.state().delegations().end(open.getKey())));
      }
    }
  }

  /** In order of arrival. Behind one of which submitters are heard first nothing goes (RCV-1). */
  private static List<SenderTransaction> eligible(SenderStep step, int limit) {
    var batch = new ArrayList<SenderTransaction>();
    for (var id : step.state().pending().values()) {
      var transaction = step.get(id);
      if (batch.size() == limit || Arriving.isHeardOfFirst(step, transaction)) {
        break;
      }
      if (transaction.isDelegable(step.now())) {
        batch.add(transaction);
      }
    }
    return batch;
  }

  private static void command(SenderStep step, NodeName chosen, List<SenderTransaction> batch) {
    var id = nextId(step);
    for (var transaction : batch) {
      step.move(transaction.id(), TransactionEvent.DELEGATE, "delegated to " + chosen);
      var moved = step.get(transaction.id());
      step.put(
          moved.withProgress(SenderTransaction.Progress.delegatedTo(chosen, id, moved.progress())));
    }
    send(step, chosen, id, batch, List.of());
  }

  static DelegationId nextId(SenderStep step) {
    long counter = step.state().counter() + 1;
    step.become(step.state().withCounter(counter));
    return new DelegationId(step.setup.self(), step.state().epoch(), counter);
  }

  static void send(
      SenderStep step,
      NodeName chosen,
      DelegationId id,
      List<SenderTransaction> batch,
      List<DelegationCommand.Left> left) {
    var message =
        new DelegationCommand(
            id,
            chosen,
            step.setup.group().contract(),
            batch.stream().map(SenderTransaction::transaction).toList(),
            step.state().height(),
            passedOver(step, chosen),
            left,
            batch.stream()
                .filter(each -> each.progress().refusals() > 0)
                .map(each -> new Refusals(each.id(), each.progress().refusals()))
                .toList());
    var delivery = step.setup.settings().delivery();
    var exchange =
        Exchange.command(chosen, message, delivery.resend(), patience(step, chosen), step.now());
    step.become(
        step.state()
            .with()
            .delegations(step.state().delegations().begin(id, exchange))
            .answers(step.state().answers().asked(id, exchange, delivery.delegationTimeout()))
            .build());
    step.send(exchange);
  }

  private static Duration patience(SenderStep step, NodeName coordinator) {
    return step.state()
        .answers()
        .patience(coordinator, step.setup.settings().delivery().delegationTimeout());
  }

  /** Also an answer for which nobody waits any more tells how long it took. */
  private static void measure(SenderStep step, NodeName from, DelegationId delegation) {
    step.become(
        step.state().withAnswers(step.state().answers().answered(delegation, from, step.now())));
  }

  private static List<NodeName> passedOver(SenderStep step, NodeName chosen) {
    var availability = step.state().availability();
    return step.group().committee().nodes().stream()
        .filter(node -> availability.isKnownUnable(node) || !isLinked(step, node))
        .filter(node -> step.ranking().prefers(node, chosen))
        .toList();
  }

  static void onAccepted(SenderStep step, Received<DelegationAccepted> received) {
    var accepted = received.message();
    measure(step, received.from(), accepted.delegationId());
    var exchange = step.state().delegations().get(accepted.delegationId());
    if (exchange.isEmpty() || !exchange.get().to().equals(received.from())) {
      return;
    }
    step.become(step.state().withAvailability(step.state().availability().acts(received.from())));
    if (LeftToCaller.isTold(exchange.get())) {
      // The rest of them is rejected: until that has come, it is asked again.
      if (accepted.transactions().size() == exchange.get().message().transactions().size()) {
        step.become(
            step.state().withDelegations(step.state().delegations().end(accepted.delegationId())));
      }
      return;
    }
    if (step.state().choice().coordinator().equals(Optional.of(received.from()))) {
      step.become(step.state().withChoice(step.state().choice().accepted()));
    }
    for (var id : accepted.transactions()) {
      var transaction = step.get(id);
      if (transaction != null
          && transaction.isDelegatedTo(received.from(), accepted.delegationId())) {
        step.put(transaction.withProgress(transaction.progress().accepted(accepted.sequence())));
        step.move(id, TransactionEvent.DELEGATION_ACCEPTED, "accepted by " + received.from());
      }
    }
    endIfAnswered(step, accepted.delegationId());
    takeUp(step, received.from());
  }

  /** A better one than is chosen was asked again, and acts: all the others go to it too (DLG-2). */
  private static void takeUp(SenderStep step, NodeName acts) {
    var present = step.state().choice().coordinator();
    if (present.isPresent()
        && step.ranking().prefers(acts, present.get())
        && !HoldOff.holds(step, acts)) {
      redelegateIfMismatched(step, acts);
      delegatePending(step);
    }
  }

  /** A command may be answered in parts (DLG-4). */
  private static void endIfAnswered(SenderStep step, DelegationId id) {
    var exchange = step.state().delegations().get(id);
    if (exchange.isPresent()
        && exchange.get().message() instanceof DelegationCommand command
        && command.transactions().stream().noneMatch(tx -> isStillAsked(step, tx, id))) {
      step.become(step.state().withDelegations(step.state().delegations().end(id)));
    }
  }

  private static boolean isStillAsked(SenderStep step, TransactionId id, DelegationId delegation) {
    var transaction = step.get(id);
    return transaction != null
        && transaction.state() == TransactionState.DELEGATING
        && transaction.progress().delegation().equals(Optional.of(delegation));
  }

  static void onRejected(SenderStep step, Received<DelegationRejected> received) {
    var rejected = received.message();
    measure(step, received.from(), rejected.delegationId());
    var exchange = step.state().delegations().get(rejected.delegationId());
    if (exchange.isEmpty() || !exchange.get().to().equals(received.from())) {
      return;
    }
    heard(step, received.from());
    if (LeftToCaller.isTold(exchange.get())) {
      // What is delegated to it tells whether it acts.
      step.become(
          step.state().withDelegations(step.state().delegations().end(rejected.delegationId())));
      LeftToCaller.untold(step, rejected.transactions());
      return;
    }
    for (var id : rejected.transactions()) {
      var transaction = step.get(id);
      if (transaction != null
          && transaction.isDelegatedTo(received.from(), rejected.delegationId())) {
        step.move(id, TransactionEvent.DELEGATION_REJECTED, "rejected by " + received.from());
      }
    }
    endIfAnswered(step, rejected.delegationId());
    var by = received.from();
    var chosen = step.state().choice().coordinator();
    if (chosen.equals(Optional.of(by))) {
      judge(step, exchange.get(), rejected.rejectReason());
    } else if (chosen.isPresent() || step.state().availability().isKnownUnable(by)) {
      // It was asked again on trial, and still does not act.
      passOver(step, by);
    } else {
      onRejectedWithoutChoice(step, by, rejected.rejectReason());
    }
    delegatePending(step);
  }

  /**
   * It was asked before a range ended, and the choice forgotten with the range. That heights differ
   * there is usual, and no sign that it is unable to act. Only its own next turn waits.
   */
  private static void onRejectedWithoutChoice(
      SenderStep step, NodeName by, DelegationRejected.Reason reason) {
    var wait =
        switch (reason) {
          case CannotSubmit ignored -> Optional.<Duration>empty();
          case NotPreferredCoordinator ignored -> Optional.of(backOff(step));
          case MismatchedBlockHeight ignored -> Optional.of(backOff(step));
          case Overloaded(var asked) -> Optional.of(withinBounds(step, asked));
        };
    if (wait.isEmpty()) {
      passOver(step, by);
    } else if (select(step).equals(Optional.of(by))) {
      waitBeforeAsking(step, wait.get());
    }
  }

  private static void judge(SenderStep step, Exchange asked, DelegationRejected.Reason reason) {
    var by = asked.to();
    forgetLongAgo(step);
    switch (reason) {
      case NotPreferredCoordinator better ->
          onNotPreferred(step, asked, better.preferredCoordinator());
      case MismatchedBlockHeight mismatch -> onMismatched(step, mismatch.observedBlockHeight());
      case Overloaded(var wait) -> waitBeforeAsking(step, withinBounds(step, wait));
      case CannotSubmit ignored -> passOver(step, by);
    }
    var heartbeats = step.setup.settings().heartbeats();
    if (step.state().choice().isRejectedFor(heartbeats.presumedUnavailable(), step.now())) {
      passOver(step, by);
    }
  }

  /**
   * One rejection of today and one of last week are two, and nothing between them. That nothing was
   * asked for a moment ends no run of them: whoever rejects may carry out what it rejects.
   */
  private static void forgetLongAgo(SenderStep step) {
    var choice = step.state().choice();
    // Who rejects may ask for as long a pause as a sender grants: two with it between belong
    // together.
    var gap =
        step.setup
            .settings()
            .heartbeats()
            .presumedUnavailable()
            .plus(step.setup.settings().retries().redelegation().cap());
    if (choice.rejectedLast().filter(last -> last.plus(gap).isBefore(step.now())).isPresent()) {
      step.become(step.state().withChoice(choice.accepted()));
    }
  }

  /**
   * It answers and does not act: the next one is asked, and it again less and less often (AVL-7).
   */
  static void passOver(SenderStep step, NodeName unable) {
    var cap = step.setup.settings().heartbeats().presumedUnavailable();
    var again = new Backoff(cap.dividedBy(4), cap);
    step.count(Counted.PASSED_OVER);
    step.become(
        step.state()
            .withAvailability(step.state().availability().unable(unable, step.now(), again)));
    if (step.state().choice().coordinator().equals(Optional.of(unable))) {
      // What it has said holds for asking it, and for nobody else.
      step.become(step.state().withChoice(step.state().choice().accepted()));
    }
  }

  /**
   * The ring says who comes before whom, and only the one that is named tells whether it lives
   * (AVL-3): it is tried once on this word. Whoever rejects without a ground does not coordinate,
   * and the next one is asked.
   */
  private static void onNotPreferred(SenderStep step, Exchange asked, NodeName named) {
    var availability = step.state().availability();
    var selection = step.setup.selection();
    boolean comesBefore =
        asked.message() instanceof DelegationCommand command
            && selection.ranking(selection.range(command.blockHeight())).prefers(named, asked.to());
    boolean lost = !availability.presumedAvailable(named);
    if (!comesBefore || (lost && availability.isKnownUnable(named))) {
      step.count(Counted.UNFOUNDED_REJECTION);
      passOver(step, asked.to());
      return;
    } else if (lost) {
      step.become(step.state().withAvailability(availability.vouched(named)));
    }
    waitBeforeAsking(step, backOff(step));
  }

  private static void onMismatched(SenderStep step, BlockHeight observed) {
    var selection = step.setup.selection();
    boolean thisIsBehind =
        selection.range(step.state().height()).isBefore(selection.range(observed));
    var choice = step.state().choice();
    if (choice.isRejectedFor(fewBlocks(step), step.now())) {
      choice.coordinator().ifPresent(it -> passOver(step, it));
    } else if (thisIsBehind) {
      step.become(
          step.state().withChoice(choice.backOff(step.now(), Instant.MIN, Optional.of(observed))));
    } else {
      // The coordinator is behind: asked again until it has caught up.
      waitBeforeAsking(step, backOff(step));
    }
  }

  private static Duration backOff(SenderStep step) {
    int rejections = step.state().choice().rejections() + 1;
    return step.setup
        .settings()
        .retries()
        .redelegation()
        .wait(rejections, step.setup.self().hashCode());
  }

  /**
   * No coordinator makes a sender wait for ever, nor has itself asked as fast as messages go
   * (DLG-7).
   */
  private static Duration withinBounds(SenderStep step, Duration asked) {
    var bounds = step.setup.settings().retries().redelegation();
    if (asked.compareTo(bounds.initial()) < 0) {
      return bounds.initial();
    }
    return asked.compareTo(bounds.cap()) > 0 ? bounds.cap() : asked;
  }

  private static void waitBeforeAsking(SenderStep step, Duration wait) {
    if (step.state().choice().notBefore().isAfter(step.now())) {
      // Several commands were out: that all of them are rejected counts once.
      return;
    }
    step.become(
        step.state()
            .withChoice(
                step.state()
                    .choice()
                    .backOff(step.now(), step.now().plus(wait), Optional.empty())));
  }

  private static void lose(SenderStep step, NodeName node) {
    var lasts = step.setup.settings().heartbeats().presumedUnavailable();
    step.become(
        step.state().withAvailability(step.state().availability().lost(node, step.now(), lasts)));
  }

  private static void heard(SenderStep step, NodeName node) {
    var availability = step.state().availability();
    if (!availability.presumedAvailable(node) || availability.vouchedFor().contains(node)) {
      step.become(
          step.state().withAvailability(availability.heard(node, step.now(), Optional.empty())));
    }
  }

  /** Resends; a command without an answer means that the coordinator is unavailable. */
  static void onTick(SenderStep step) {
    var ticked = step.state().delegations().tick(step.now());
    var before = step.state().delegations();
    step.become(step.state().withDelegations(ticked.rest()));
    ticked.resend().forEach(step::send);
    for (var id : ticked.timedOut()) {
      onTimeout(step, before.open().get(id), id);
    }
  }

  private static void onTimeout(SenderStep step, Exchange exchange, DelegationId id) {
    step.count(Counted.DELEGATION_TIMEOUT);
    lose(step, exchange.to());
    if (LeftToCaller.isTold(exchange)) {
      LeftToCaller.untold(step, exchange.message().transactions());
    }
    for (var transaction : exchange.message().transactions()) {
      var mine = step.get(transaction);
      if (mine != null && mine.isDelegatedTo(exchange.to(), id)) {
        step.move(
            transaction, TransactionEvent.DELEGATION_TIMEOUT, exchange.to() + " did not answer");
      }
    }
  }
}
