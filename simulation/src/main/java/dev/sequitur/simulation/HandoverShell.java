package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;
import java.util.ArrayList;
import java.util.List;

/** The other edge of what IntentHandover is one of; one for the whole node. */
final class HandoverShell extends Shell<Handover.Input, Handover.State, Void, Handover.Effect> {

  HandoverShell(NodeLife node) {
    super(node, "handover", Handover.machine(), new ArrayList<>());
  }

  @Override
  ContractAddress contract() {
    throw new IllegalStateException("It is for all contracts, and stores nothing.");
  }

  @Override
  void perform(List<Handover.Effect> effects, Runnable whenDurable) {
    effects.forEach(this::perform);
    whenDurable.run();
  }

  private void perform(Handover.Effect effect) {
    switch (effect) {
      case Handover.Effect.Hand(var batch, var what) -> node.tell(() -> hand(batch, what));
      case Handover.Effect.TellPublics(var sender) -> node.tell(() -> tellPublics(sender));
      case Handover.Effect.Reload(var of) -> node.tell(() -> node.entities(of).sender().reload());
    }
  }

  private void tellPublics(Identity sender) {
    node.tell(() -> tell(new Handover.Input.PublicsTold(sender)));
    node.publics().tell(new SubmitterInput.PublicsWaiting());
  }

  private void hand(long batch, Handover.Input.HandOver what) {
    node.tell(() -> tell(new Handover.Input.Taken(batch)));
    node.entities(what.contract())
        .sender()
        .tell(new SenderInput.IntentsAccepted(what.transactions()));
  }
}
