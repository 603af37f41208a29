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

  void receive(Received<? extends Message.ForEndorser> received) {
    switch (received.message()) {
      case EndorsementRequest request -> {
        tellActivity();
        node.send(endorser.onRequest(state, received.with(request), node.now()));
      }
      case CoordinatorHeartbeatNotification heartbeat ->
          state = endorser.onHeartbeat(state, received.with(heartbeat), node.now());
      case StartupNotification ignored ->
          state = endorser.onStartup(state, received.from(), node.now());
    }
  }

  private void tellActivity() {
    if (!activityTold) {
      activityTold = true;
      var contract = endorser.setup().group().contract();
      node.entities(contract).coordinator().tell(new CoordinatorInput.ActivitySeen());
    }
  }
}
