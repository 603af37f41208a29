package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.IntentStore;
import dev.sequitur.protocol.port.NodeStore.Acceptance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.sender.Handover;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** From a batch that is checked to durable intents that their senders are handed. Thread-safe. */
public final class IntentAcceptance {
  private final IntentStore store;
  private final Consumer<Handover.Input> handover;

  /**
   * @param handover told from any thread
   */
  public IntentAcceptance(IntentStore store, Consumer<Handover.Input> handover) {
    this.store = store;
    this.handover = handover;
  }

  /** Stores the batch in one write; its intents are handed over only then. */
  public CompletionStage<Acceptance> accept(List<Intent> batch) {
    return store
        .accept(batch)
        .whenComplete(
            (acceptance, failure) -> {
              if (failure != null) {
                checkWhatIsInDoubt(batch);
              } else if (acceptance instanceof Acceptance.Accepted accepted) {
                hand(accepted.fresh());
              }
            });
  }

  /** A write that fails may be stored all the same; then the senders have to hear of it. */
  private void checkWhatIsInDoubt(List<Intent> batch) {
    handover.accept(
        new Handover.Input.InDoubt(
            batch.stream()
                .flatMap(intent -> intent.privately().stream())
                .map(PrivateTransaction::contract)
                .collect(Collectors.toSet())));
    tellOfPublics(batch);
  }

  private void hand(List<Intent> fresh) {
    Map<ContractAddress, List<PrivateTransaction>> byContract = new LinkedHashMap<>();
    fresh.stream()
        .flatMap(intent -> intent.privately().stream())
        .forEach(
            each -> byContract.computeIfAbsent(each.contract(), c -> new ArrayList<>()).add(each));
    byContract.forEach(
        (contract, transactions) ->
            handover.accept(new Handover.Input.HandOver(contract, transactions)));
    tellOfPublics(fresh);
  }

  /** Tells of public transactions; what they are, their submitters read in the node store. */
  private void tellOfPublics(List<Intent> accepted) {
    var senders =
        accepted.stream()
            .flatMap(intent -> intent.publicly().stream())
            .map(PublicTransaction::from)
            .collect(Collectors.toSet());
    if (!senders.isEmpty()) {
      handover.accept(new Handover.Input.PublicsAccepted(senders));
    }
  }
}
