package dev.sequitur.simulation;

import dev.sequitur.protocol.errand.SenderErrands;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.sender.Sender;
import dev.sequitur.protocol.sender.SenderEffect;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.sender.SenderInput;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** What SenderActor does around a Sender. */
final class SenderShell extends LoadedShell<SenderInput, SenderState, SenderEvent, SenderEffect> {
  private final Sender sender;
  private final SenderErrands errands;

  SenderShell(NodeLife node, Sender sender, List<SenderEvent> journal) {
    super(node, "sender", sender.machine(node::height), journal);
    this.sender = sender;
    this.errands = new SenderErrands(node.surroundings(), contract(), new Edge());
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
      switch (effect) {
        case SenderEffect.Complete(var completed) -> receipts.addAll(completed);
        case SenderEffect.Confirm confirm -> receipts.addAll(confirm.ofKnown());
        case SenderEffect.Errand ignored -> {}
      }
    }
    return receipts;
  }

  @Override
  ContractAddress contract() {
    return sender.setup().group().contract();
  }

  @Override
  void perform(List<SenderEffect> effects, Runnable whenDurable) {
    errands.run(effects, whenDurable);
  }

  /** Blocks wait until the intents are loaded that they may confirm. */
  void index(SenderInput.BlockIndexed block, Runnable whenDurable) {
    onceLoaded(() -> tell(block, whenDurable));
  }

  void reload() {
    tell(new SenderInput.Reload());
  }

  /** As an actor's own messages they wait for their turn, and are never lost. */
  private final class Edge implements SenderErrands.Edge {
    @Override
    public void answer(SenderInput input) {
      node.later(Duration.ZERO, () -> take(input));
    }

    private void take(SenderInput input) {
      if (input instanceof SenderInput.PendingLoaded loaded && loaded.next().isEmpty()) {
        begin(input);
      } else {
        tell(input);
      }
    }

    @Override
    public void failed(String what, Throwable cause) {
      SenderShell.this.failed(what, cause);
    }

    @Override
    public void assemble(SenderEffect.Assemble work) {
      node.tell(NodeLife.WORK, () -> assembleNow(work));
    }

    private void assembleNow(SenderEffect.Assemble work) {
      states().ask(store -> store.assemble(work, finished -> node.tell(() -> tell(finished))));
    }

    private StateStoreShell states() {
      return node.entities(contract()).states();
    }

    @Override
    public void distribute(Received<PreparedTransactionDistribution> prepared) {
      node.tell(
          () ->
              states()
                  .take(
                      store ->
                          store.distributePrepared(
                              prepared, done -> node.tell(() -> errands.storePrepared(done)))));
    }
  }
}
