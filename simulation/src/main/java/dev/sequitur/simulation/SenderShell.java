package dev.sequitur.simulation;

import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Host.Folded;
import dev.sequitur.protocol.sender.Sender;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** What SenderActor does around a Sender. */
final class SenderShell extends Shell<SenderInput, SenderState, SenderEvent, SenderEffect> {
  private final Sender sender;
  private final List<Runnable> stashed = new ArrayList<>();
  private boolean loaded;

  SenderShell(RunningNode node, Sender sender, List<SenderEvent> journal) {
    super(node, "sender", sender.machine(node::height), journal);
    this.sender = sender;
  }

  /** Whatever leaves the sender's memory has a receipt. */
  @Override
  void decided(SenderState before, Decision<SenderState, SenderEvent, SenderEffect> decision) {
    if (decision.state().transactions().size() >= before.transactions().size()) {
      return;
    }
    var ended = new HashSet<TransactionId>();
    completions(decision.effects()).forEach(receipt -> ended.add(receipt.transaction()));
    for (var id : before.transactions().keySet()) {
      if (!decision.state().transactions().containsKey(id) && !ended.contains(id)) {
        throw new AssertionError(node.name() + " has forgotten " + id);
      }
    }
  }

  private static List<Receipt> completions(List<SenderEffect> effects) {
    var receipts = new ArrayList<Receipt>();
    for (var effect : effects) {
      if (effect instanceof SenderEffect.Complete complete) {
        receipts.addAll(complete.receipts());
      }
    }
    return receipts;
  }

  private List<Receipt> late(List<SenderEffect> effects) {
    return effects.stream()
        .filter(SenderEffect.ConfirmReverted.class::isInstance)
        .flatMap(
            effect -> ((SenderEffect.ConfirmReverted) effect).confirmations().entrySet().stream())
        .filter(late -> node.disk().isReverted(late.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** A block is acknowledged only when the receipts that follow from it are stored. */
  @Override
  void leave(Folded<SenderEvent, SenderEffect> folded, List<Runnable> durable) {
    var receipts = new ArrayList<>(completions(folded.effects()));
    receipts.addAll(late(folded.effects()));
    if (receipts.isEmpty()) {
      super.leave(folded, durable);
    } else {
      super.leave(folded, List.of());
      node.later(
          RunningNode.WRITE,
          () -> {
            receipts.forEach(node::complete);
            durable.forEach(Runnable::run);
          });
    }
  }

  @Override
  ContractAddress contract() {
    return sender.setup().group().contract();
  }

  @Override
  void perform(SenderEffect effect) {
    switch (effect) {
      case SenderEffect.Errand errand -> run(errand);
      // Those are stored before anything is acknowledged.
      case SenderEffect.Complete ignored -> {}
      case SenderEffect.ConfirmReverted ignored -> {}
    }
  }

  private void run(SenderEffect.Errand errand) {
    var contract = contract();
    switch (errand) {
      case SenderEffect.Assemble assemble ->
          node.tell(RunningNode.WORK, () -> node.entities(contract).states().assemble(assemble));
      case SenderEffect.LoadPending ignored -> node.later(RunningNode.WORK, this::load);
      case SenderEffect.StorePrepared prepared ->
          node.tell(
              () ->
                  node.entities(contract)
                      .states()
                      .tell(
                          new StateStore.Input.DistributePrepared(prepared.received().message()),
                          () -> store(prepared)));
      case SenderEffect.SeekConfirmation(var intents) ->
          node.later(RunningNode.WORK, () -> seek(intents));
      case SenderEffect.LookUpReceipt(var dependency) ->
          node.later(RunningNode.WORK, () -> lookUp(dependency));
      case SenderEffect.Count(var what) -> node.count("sender " + what);
    }
  }

  private void store(SenderEffect.StorePrepared prepared) {
    node.later(
        RunningNode.WRITE,
        () -> {
          node.storePrepared(prepared.received().message().prepared());
          tell(new SenderInput.PreparedStored(prepared.received()));
        });
  }

  /** Blocks wait until the intents are loaded that they may confirm. */
  void index(SenderInput.BlockIndexed block, Runnable whenDurable) {
    if (loaded) {
      tell(block, whenDurable);
    } else {
      stashed.add(() -> tell(block, whenDurable));
    }
  }

  private void load() {
    loaded = true;
    var pending = node.disk().pending(contract());
    tell(new SenderInput.PendingLoaded(pending, Map.copyOf(node.disk().preparedAt)));
    stashed.forEach(Runnable::run);
    stashed.clear();
  }

  private void seek(List<IntentKey> wanted) {
    var found = node.confirmations(contract());
    found.keySet().retainAll(wanted);
    if (!found.isEmpty()) {
      tell(new SenderInput.ConfirmationFound(node.now(), found));
    }
  }

  private void lookUp(TransactionId dependency) {
    var receipt = node.disk().receipts.get(dependency);
    if (receipt != null) {
      tell(new SenderInput.DependencyEnded(dependency, receipt.success()));
    }
  }
}
