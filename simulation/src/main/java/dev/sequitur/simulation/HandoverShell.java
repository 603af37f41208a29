package dev.sequitur.simulation;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.submitter.SubmitterInput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
      case Handover.Effect.Hand(var number, var what, var again) ->
          node.tell(() -> hand(number, what, again));
      case Handover.Effect.TellPublics(var number, var sender) ->
          node.tell(() -> tellPublics(number, sender));
      case Handover.Effect.Reload(var number, var of) -> node.tell(() -> reload(number, of));
    }
  }

  private void taken(long number) {
    node.tell(() -> tell(new Handover.Input.Taken(number)));
  }

  private void tellPublics(long number, Identity sender) {
    var publics = node.publics();
    node.at(publics, () -> publics.tell(new SubmitterInput.PublicsWaiting(), () -> taken(number)));
  }

  /** One that moves to another JVM just then has it, and reads it there. */
  private void reload(long number, ContractAddress of) {
    atSender(
        of,
        sender -> {
          taken(number);
          sender.reload();
        });
  }

  private void atSender(ContractAddress contract, Consumer<SenderShell> what) {
    var sender = node.entities(contract).sender();
    node.at(
        sender,
        () -> {
          if (sender.isHere()) {
            what.accept(sender);
          }
        });
  }

  private void hand(long number, Handover.Input.HandOver what, boolean again) {
    atSender(
        what.contract(),
        sender -> {
          taken(number);
          sender.tell(new SenderInput.IntentsAccepted(what.transactions(), again));
        });
  }
}
