package dev.sequitur.simulation;

import dev.sequitur.protocol.coordinator.CoordinatorInput;
import dev.sequitur.protocol.endorser.Endorser;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.StartupNotification;

/** What EndorserActor does around an Endorser. */
final class EndorserShell {
  private final RunningNode node;
  private final Endorser endorser;
  private Endorser.State state;
  private boolean activityTold;

  EndorserShell(RunningNode node, Endorser endorser) {
    this.node = node;
    this.endorser = endorser;
    this.state = Endorser.State.initial(node.height());
  }

  void reach(BlockHeight height) {
    state = state.at(height);
  }

  @SuppressWarnings("unchecked") // The class of the message is the type argument.
  void receive(Received<? extends Message.OfContract> received) {
    if (received.message() instanceof EndorsementRequest) {
      if (!activityTold) {
        activityTold = true;
        var contract = endorser.setup().group().contract();
        node.entities(contract).coordinator().tell(new CoordinatorInput.ActivitySeen());
      }
      var request = (Received<EndorsementRequest>) received;
      node.send(endorser.onRequest(state, request, node.now()));
    } else if (received.message() instanceof CoordinatorHeartbeatNotification) {
      var heartbeat = (Received<CoordinatorHeartbeatNotification>) received;
      state = endorser.onHeartbeat(state, heartbeat, node.now());
    } else if (received.message() instanceof StartupNotification) {
      state = endorser.onStartup(state, received.from(), node.now());
    } else {
      throw new IllegalStateException(
          "An endorser does not answer to " + received.message().getClass());
    }
  }
}
