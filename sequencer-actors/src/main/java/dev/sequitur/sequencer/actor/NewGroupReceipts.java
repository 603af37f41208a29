package dev.sequitur.sequencer.actor;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Ends the transactions that make groups (SEL-8). A group that no transaction of this node asked
 * for has none. To end one again changes nothing. Thread-safe.
 */
public final class NewGroupReceipts {
  private final NodeServices services;

  public NewGroupReceipts(NodeServices services) {
    this.services = services;
  }

  /** Its contract stands, and the group is stored. */
  public CompletionStage<Void> made(PrivacyGroup group, Receipt.OnLedger at) {
    return end(group.id(), asked -> Receipt.made(asked, group, at, services.now()));
  }

  /** The stored group is never made. */
  public CompletionStage<Void> notMade(GroupId group, String reason) {
    return end(group, asked -> Receipt.notMade(asked, reason, services.now()));
  }

  /** Its group is not even stored. */
  public CompletionStage<Void> notMade(NewGroup asked, String reason) {
    return complete(Receipt.notMade(asked, reason, services.now()));
  }

  private CompletionStage<Void> end(GroupId group, Function<NewGroup, Receipt> receipt) {
    return services
        .store()
        .group(group)
        .thenCompose(
            stored ->
                stored
                    .flatMap(StoredGroup::genesisTransaction)
                    .map(services.store()::intent)
                    .orElse(CompletableFuture.completedFuture(Optional.empty())))
        .thenCompose(
            intent ->
                intent
                    .flatMap(Intent::newGroup)
                    .map(asked -> complete(receipt.apply(asked)))
                    .orElse(CompletableFuture.completedFuture(null)));
  }

  private CompletionStage<Void> complete(Receipt receipt) {
    return services.store().complete(List.of(receipt)).thenAccept(services::ended);
  }
}
