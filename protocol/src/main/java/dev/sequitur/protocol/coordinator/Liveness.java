package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.coordinator.CoordinatorState.Subject;
import dev.sequitur.protocol.coordinator.CoordinatorTables.ContractMode;
import dev.sequitur.protocol.exchange.Exchange;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.Refusals;
import dev.sequitur.protocol.message.StartupNotification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Heartbeats and startup notifications: how nodes learn that a coordinator lives. */
final class Liveness {
  private Liveness() {}

  /** Heartbeats go to every node of the committee while anything is being coordinated (HBT-1). */
  static void beat(CoordinatorStep step) {
    var interval = step.setup.settings().heartbeats().coordinatorInterval();
    boolean due =
        step.state()
            .announcements()
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
    var refused = new HashMap<NodeName, List<Refusals>>();
    for (var transaction : step.state().transactions().values()) {
      if (transaction.isActive()) {
        bySender
            .computeIfAbsent(transaction.sender(), sender -> new ArrayList<>())
            .add(transaction.id());
        int refusals = transaction.setbacks().refusals();
        if (refusals > 0) {
          refused
              .computeIfAbsent(transaction.sender(), sender -> new ArrayList<>())
              .add(new Refusals(transaction.id(), refusals));
        }
      }
    }
    if (bySender.isEmpty()) {
      return;
    }
    var sequence = step.state().announcements().sequence().next();
    step.become(
        step.state()
            .withAnnouncements(step.state().announcements().heartbeat(sequence, step.now())));
    var waiting = WaitedFor.waiting(step);
    for (var node : step.group().committee().nodes()) {
      step.send(
          node,
          new CoordinatorHeartbeatNotification(
              sequence,
              step.now(),
              step.setup.group().contract(),
              bySender.getOrDefault(node, List.of()),
              waiting.getOrDefault(node, List.of()),
              refused.getOrDefault(node, List.of())));
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
            .withAvailability(
                step.state()
                    .availability()
                    .heard(
                        node,
                        step.now(),
                        heartbeat.map(CoordinatorHeartbeatNotification::heartbeatId))));
  }

  /** The first activity of a contract since this process started (HBT-4). */
  static void announce(CoordinatorStep step) {
    if (step.state().announcements().startupSentAt().isEmpty()) {
      sendStartup(step);
    }
  }

  /**
   * A less preferred member coordinates: this node was cut off, and has nothing in flight whose
   * heartbeats would tell that it is back (HBT-4).
   */
  private static void announceAgainTo(CoordinatorStep step, NodeName coordinator) {
    var again = step.setup.settings().heartbeats().startupAgain();
    boolean lately =
        step.state()
            .announcements()
            .startupSentAt()
            .filter(sent -> sent.plus(again).isAfter(step.now()))
            .isPresent();
    if (!lately
        && step.state().mode() == ContractMode.INACTIVE
        && step.ranking().prefers(step.setup.self(), coordinator)) {
      sendStartup(step);
    }
  }

  /**
   * Somebody says that a better member lives: that member is asked, since its own answer is the
   * only evidence there is. One question to each at a time, for as long as a sign of life counts.
   */
  static void askWhetherAlive(CoordinatorStep step, NodeName better) {
    boolean asked =
        step.state().purposes().entrySet().stream()
            .filter(open -> open.getValue().subject() == Subject.LIVENESS)
            .anyMatch(open -> step.isSentTo(better, open.getKey()));
    if (asked || !step.ranking().prefers(better, step.setup.self())) {
      return;
    }
    var settings = step.setup.settings();
    var id = step.newRequestId();
    step.begin(
        id,
        Exchange.request(
            better,
            new StartupNotification(id, step.now(), step.setup.group().contract()),
            settings.delivery().resend(),
            settings.heartbeats().coordinatorFailureThreshold(),
            step.now()),
        Subject.LIVENESS,
        List.of());
  }

  static void onAcknowledged(CoordinatorStep step, NodeName from, RequestId request) {
    if (!step.isSentTo(from, request)) {
      return;
    }
    if (step.state().purposes().get(request).subject() == Subject.LIVENESS) {
      step.end(request);
      heard(step, from, Optional.empty());
      Ranges.leaveIfBetterAlive(step);
    } else {
      step.endNotification(from, request);
    }
  }

  /**
   * While nothing is coordinated, a node that answers no notification does not keep this one busy
   * for ever (EXC-6): when it comes back, it sends its own startup notification and delegates anew.
   * Who has left the group answers none, whatever is coordinated (CMT-8).
   */
  static void giveUpNotifications(CoordinatorStep step) {
    boolean isActive = step.state().mode() != ContractMode.INACTIVE;
    var group = step.setup.selection().group();
    if (isActive && group.committees().number() == 0) {
      return;
    }
    int most = isActive ? Integer.MAX_VALUE : step.setup.settings().delivery().notificationSends();
    for (var open : step.state().exchanges().open().entrySet()) {
      var notification = open.getValue();
      if ((notification.sends() >= most || !group.areHeard(step.setup.self(), notification.to()))
          && step.state().purposes().get(open.getKey()).subject() == Subject.NOTIFICATION) {
        step.end(open.getKey());
      }
    }
  }

  private static void sendStartup(CoordinatorStep step) {
    step.become(step.state().withAnnouncements(step.state().announcements().startup(step.now())));
    var delivery = step.setup.settings().delivery();
    for (var node : step.group().committee().nodes()) {
      if (!node.equals(step.setup.self())) {
        var id = step.newRequestId();
        var message = new StartupNotification(id, step.now(), step.setup.group().contract());
        step.begin(
            id,
            Exchange.reliableNotification(node, message, delivery.resendNotification(), step.now()),
            Subject.NOTIFICATION,
            List.of());
      }
    }
  }
}
