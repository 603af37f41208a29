package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatedTransaction.Setbacks;
import dev.sequitur.protocol.coordinator.CoordinatorEffect.Counted;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractEvent;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.DelegationRejected.MismatchedBlockHeight;
import dev.sequitur.protocol.message.DelegationRejected.NotPreferredCoordinator;
import dev.sequitur.protocol.message.DelegationRejected.Overloaded;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Accepts and rejects delegations (DLG-7). */
final class Delegations {
  private Delegations() {}

  /** Every command is answered, in every mode (DLG-5). */
  static void onCommand(CoordinatorStep step, Received<DelegationCommand> received) {
    var command = received.message();
    var rejection = rejection(step, command);
    if (rejection.isPresent()) {
      reject(step, received, command.transactions(), rejection.get());
      return;
    }
    // Meant for another node it may be an old one that somebody hands on.
    boolean isForThisNode = command.delegateNode().equals(step.setup.self());
    var accepted = new ArrayList<TransactionId>();
    var refused = new ArrayList<TransactionId>();
    for (var transaction : command.privateTransactions()) {
      // Ids are no secret within the committee (DLG-10): under the same one, two senders' are two.
      var key = transaction.key();
      boolean known = step.get(key) != null;
      boolean room =
          step.state().transactions().size() < step.setup.settings().limits().coordinated();
      var left = left(command, transaction);
      if (!isForThisNode || !isOfSender(received, transaction) || (!known && !room)) {
        refused.add(transaction.id());
      } else if (left.isPresent()) {
        boolean taken = LeftToCallers.accept(step, command, transaction, left.get());
        (taken ? accepted : refused).add(transaction.id());
      } else {
        accept(step, command, key, transaction);
        accepted.add(transaction.id());
      }
    }
    if (!accepted.isEmpty()) {
      passOver(step, command);
      tellAccepted(step, received, accepted);
      begin(step);
    }
    if (!step.state().doubted().isEmpty()) {
      step.loadDispatches();
    }
    if (!refused.isEmpty()) {
      var wait = step.setup.settings().limits().overloadedFor();
      reject(step, received, refused, new Overloaded(wait));
    }
  }

  private static Optional<DelegationCommand.Left> left(
      DelegationCommand command, PrivateTransaction transaction) {
    return command.left().stream()
        .filter(left -> left.prepared().transaction().equals(transaction.id()))
        .findFirst();
  }

  private static void tellAccepted(
      CoordinatorStep step, Received<DelegationCommand> received, List<TransactionId> accepted) {
    step.reply(
        received.from(),
        received.id(),
        new DelegationAccepted(
            received.message().delegationId(),
            step.setup.self(),
            received.message().contract(),
            accepted,
            step.state().announcements().sequence()));
  }

  /** What one of its own messages could not tell is forgotten after a while. */
  static void onSubmitting(CoordinatorStep step, Optional<String> why) {
    var until = step.now().plus(step.setup.settings().heartbeats().coordinatorFailureThreshold());
    step.become(
        step.state().withCannotSubmit(why.map(it -> new CoordinatorState.CannotSubmit(it, until))));
  }

  /**
   * Remembers better nodes that the sender has passed over: while this one coordinates in this
   * range, their signs of life do not make it leave (AVL-7).
   */
  private static void passOver(CoordinatorStep step, DelegationCommand command) {
    var better =
        command.passedOver().stream()
            .filter(node -> step.ranking().prefers(node, step.setup.self()))
            .toList();
    step.become(step.state().withPassedOver(step.state().passedOver().plusAll(better)));
  }

  private static Optional<DelegationRejected.Reason> rejection(
      CoordinatorStep step, DelegationCommand command) {
    var selection = step.setup.selection();
    var observed = step.state().height();
    if (!selection.range(command.blockHeight()).equals(selection.range(observed))) {
      return Optional.of(new MismatchedBlockHeight(command.blockHeight(), observed));
    }
    var stuck = step.state().cannotSubmit().filter(said -> said.until().isAfter(step.now()));
    if (stuck.isPresent()) {
      return Optional.of(new DelegationRejected.CannotSubmit(stuck.get().why()));
    }
    return step.betterAlive(command.passedOver())
        .map(
            better -> {
              var heard = step.state().availability().heard().get(better);
              return new NotPreferredCoordinator(better, heard.at(), heard.heartbeat());
            });
  }

  /** A node delegates only its own transactions. */
  private static boolean isOfSender(
      Received<DelegationCommand> received, PrivateTransaction transaction) {
    return transaction.from().node().equals(received.from())
        && received.message().delegationId().sender().equals(received.from())
        && transaction.contract().equals(received.message().contract());
  }

  private static void accept(
      CoordinatorStep step,
      DelegationCommand command,
      IntentKey key,
      PrivateTransaction transaction) {
    var existing = step.get(key);
    if (existing != null) {
      acceptAgain(step, command, existing);
    } else if (step.state().graph().node(key).isPresent()) {
      // It goes its way (5S to 6S), if this node has dispatched it and no caller.
      if (transaction.submitMode() != SubmitMode.EXTERNAL) {
        tellDispatched(step, command.delegationId(), key);
      }
    } else {
      step.put(
          CoordinatedTransaction.queued(
                  transaction, command.delegationId(), command.blockHeight(), step.now())
              .withSetbacks(Setbacks.before(refusals(step, command, transaction))));
      step.become(
          step.state()
              .withWaiting(step.state().waiting().plus(command.delegationId().sender(), key)));
    }
  }

  /**
   * How often endorsers refused the transaction at earlier coordinators; never so often that it
   * would be given up here before anybody has refused it here (EDR-5).
   */
  private static int refusals(
      CoordinatorStep step, DelegationCommand command, PrivateTransaction transaction) {
    int most = step.setup.settings().retries().maxRefusals() - 1;
    return command.refused().stream()
        .filter(refused -> refused.transaction().equals(transaction.id()))
        .mapToInt(refused -> Math.clamp(refused.times(), 0, most))
        .findFirst()
        .orElse(0);
  }

  /** Of crossing commands the higher block height wins, then the later one (DLG-6). */
  private static void acceptAgain(
      CoordinatorStep step, DelegationCommand command, CoordinatedTransaction existing) {
    int byHeight = command.blockHeight().compareTo(existing.delegatedAt());
    boolean later = command.delegationId().isLaterThan(existing.delegation());
    if (byHeight < 0 || !later) {
      return;
    }
    step.put(existing.delegatedAgain(command.delegationId(), command.blockHeight()));
    step.move(existing.key(), CoordinatedEvent.DELEGATED_AGAIN);
  }

  /**
   * What is only handed over may be lost with this process; once it is taken, its sender is told.
   */
  static void tellIfCommitted(CoordinatorStep step, CoordinatedTransaction dispatched) {
    if (dispatched.committed()) {
      tellDispatched(step, dispatched.delegation(), dispatched.key());
    }
  }

  /**
   * Tells the sender that a submitter has it, and asks the submitter all the same: that the
   * dispatch has ended may not have reached this node.
   */
  private static void tellDispatched(CoordinatorStep step, DelegationId delegation, IntentKey id) {
    step.become(step.state().withDoubted(step.state().doubted().plus(id)));
    sendDispatched(step, delegation.sender(), delegation, id);
  }

  /**
   * For a transaction that was delegated before this node knew that it has dispatched it: the
   * dispatch goes on.
   */
  static void tellAlreadyDispatched(CoordinatorStep step, CoordinatedTransaction known) {
    step.endRequests(known);
    sendDispatched(step, known.sender(), known.delegation(), known.key());
  }

  private static void sendDispatched(
      CoordinatorStep step, NodeName to, DelegationId delegation, IntentKey id) {
    var item = new Dispatched.Item(id.transaction(), delegation);
    Dispatching.tellDispatched(step, to, List.of(item));
  }

  private static void begin(CoordinatorStep step) {
    step.move(ContractEvent.DELEGATION_ACCEPTED);
    Assembling.next(step);
  }

  private static void reject(
      CoordinatorStep step,
      Received<DelegationCommand> received,
      List<TransactionId> transactions,
      DelegationRejected.Reason reason) {
    step.count(Counted.REJECTED_DELEGATION);
    var command = received.message();
    step.reply(
        received.from(),
        received.id(),
        new DelegationRejected(
            command.delegationId(), step.setup.self(), command.contract(), transactions, reason));
  }
}
