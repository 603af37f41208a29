package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.StartupNotification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Heartbeats and startup notifications: how nodes learn that a coordinator lives. */
final class Liveness {
  private Liveness() {}

  /** Heartbeats go to every node of the committee while anything is being coordinated. */
  static void beat(CoordinatorStep step) {
    var interval = step.setup.settings().heartbeats().coordinatorInterval();
    boolean due =
        step.state()
            .lastHeartbeat()
            .map(last -> !last.plus(interval).isAfter(step.now()))
            .orElse(true);
    if (!due) {
      return;
    }
    if (step.state().mode() == ContractMode.LOADING) {
      // The submitter may have been restarted since it was asked.
      step.effect(new CoordinatorEffect.LoadUnconfirmedDispatches());
    }
    var bySender = new HashMap<NodeName, List<TransactionId>>();
    for (var transaction : step.state().transactions().values()) {
      if (transaction.isActive()) {
        bySender
            .computeIfAbsent(transaction.sender(), sender -> new ArrayList<>())
            .add(transaction.id());
      }
    }
    if (bySender.isEmpty()) {
      return;
    }
    var sequence = step.state().sequence().next();
    step.become(step.state().with(sequence, step.now()));
    for (var node : step.setup.group().committee().nodes()) {
      step.send(
          node,
          new CoordinatorHeartbeatNotification(
              sequence,
              step.now(),
              step.setup.group().contract(),
              bySender.getOrDefault(node, List.of())));
    }
  }

  static void onHeartbeat(
      CoordinatorStep step, Received<CoordinatorHeartbeatNotification> received) {
    if (received.from().equals(step.setup.self())) {
      return;
    }
    heard(step, received.from(), Optional.of(received.message()));
    Ranges.leaveIfBetterAlive(step);
    announce(step);
    announceAgainTo(step, received.from());
  }

  static void onStartup(CoordinatorStep step, Received<StartupNotification> received) {
    if (!received.from().equals(step.setup.self())) {
      heard(step, received.from(), Optional.empty());
      Ranges.leaveIfBetterAlive(step);
    }
  }

  private static void heard(
      CoordinatorStep step, NodeName node, Optional<CoordinatorHeartbeatNotification> heartbeat) {
    step.become(
        step.state()
            .with(
                step.state()
                    .availability()
                    .heard(
                        node,
                        step.now(),
                        heartbeat.map(CoordinatorHeartbeatNotification::heartbeatId))));
  }

  /** The first activity of a contract since this process started (A19, A29). */
  static void announce(CoordinatorStep step) {
    if (step.state().startupSentAt().isEmpty()) {
      sendStartup(step);
    }
  }

  /**
   * A less preferred member coordinates: this node was cut off, and has nothing in flight whose
   * heartbeats would tell that it is back ("Node availability detection").
   */
  private static void announceAgainTo(CoordinatorStep step, NodeName coordinator) {
    var again = step.setup.settings().heartbeats().startupAgain();
    boolean lately =
        step.state()
            .startupSentAt()
            .filter(sent -> sent.plus(again).isAfter(step.now()))
            .isPresent();
    if (!lately
        && step.state().mode() == ContractMode.INACTIVE
        && step.ranking().prefers(step.setup.self(), coordinator)) {
      sendStartup(step);
    }
  }

  private static void sendStartup(CoordinatorStep step) {
    step.become(step.state().withStartupSentAt(step.now()));
    var delivery = step.setup.settings().delivery();
    for (var node : step.setup.group().committee().nodes()) {
      if (!node.equals(step.setup.self())) {
        var id = step.newRequestId();
        var message = new StartupNotification(id, step.now(), step.setup.group().contract());
        step.begin(
            id,
            Exchange.reliableNotification(node, message, delivery.resendNotification(), step.now()),
            Subject.NOTIFICATION,
            Optional.empty());
      }
    }
  }
}
