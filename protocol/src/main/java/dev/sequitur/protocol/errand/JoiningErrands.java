package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.founding.Joining;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.port.GroupStore;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Answers the nodes that make groups with this one: tells them keys, takes part in their groups,
 * and waits no more for what they withdraw (SEL-7, SEL-9). Each question can be answered by itself,
 * and by any JVM of the node: nothing is remembered but what is stored. Thread-safe.
 */
public final class JoiningErrands {
  private final GroupStore store;
  private final Joining joining;
  private final Supplier<Instant> now;
  private final Edge edge;

  /** Reaches other nodes, and whoever looks after this one. Called from any thread. */
  public interface Edge {
    void send(Outgoing answer);

    /** What has gone wrong here. */
    void warn(String sentence, Throwable why);
  }

  public JoiningErrands(GroupStore store, Joining joining, Supplier<Instant> now, Edge edge) {
    this.store = store;
    this.joining = joining;
    this.now = now;
    this.edge = edge;
  }

  /**
   * @param message what the answer answers
   */
  public void receive(NodeName from, MessageId message, ResolveVerifierRequest request) {
    answer(from, message, joining.answer(request));
  }

  /** Answers once it is stored, or why it is not; not at all if the store fails: it comes again. */
  public void receive(NodeName from, MessageId message, GroupGenesis given) {
    var group = given.genesis().group();
    var unused =
        take(from, given)
            .whenComplete(
                (flaw, failure) -> {
                  if (failure != null) {
                    edge.warn(
                        "Cannot store the group %s that is given; it comes again".formatted(group),
                        failure);
                  } else {
                    answer(
                        from,
                        message,
                        flaw.<Message>map(
                                why -> new GroupGenesisRejected(given.requestId(), group, why))
                            .orElseGet(
                                () -> new GroupGenesisAcknowledgement(given.requestId(), group)));
                  }
                });
  }

  private CompletionStage<Optional<GenesisFlaw>> take(NodeName from, GroupGenesis given) {
    var flaw = joining.flaw(from, given);
    if (flaw.isPresent()) {
      return CompletableFuture.completedFuture(flaw);
    }
    return store
        .group(given.genesis().group())
        .thenCompose(
            known ->
                known.isPresent()
                    ? CompletableFuture.completedFuture(Joining.flaw(known.get(), given))
                    : store
                        .putGiven(Joining.awaited(from, given, now.get()))
                        .thenApply(
                            stored ->
                                stored
                                    .map(it -> Joining.flaw(it, given))
                                    .orElse(Optional.of(GenesisFlaw.TOO_MANY))));
  }

  /**
   * Answers once it is stored, if the sender may say so; what this node has of another, or of a
   * contract that stands, is as it should be. A genesis may be on its way still, or be stored just
   * now: what is not known is remembered as withdrawn, before it can be awaited.
   */
  public void receive(NodeName from, MessageId message, GroupWithdrawal withdrawal) {
    var group = withdrawal.group();
    var unused =
        store
            .putGiven(Joining.withdrawn(from, withdrawal, now.get()))
            .thenCompose(
                known ->
                    known
                        .flatMap(it -> it.withdrawn(from, withdrawal.reason()))
                        .map(store::putGroup)
                        .orElse(CompletableFuture.completedFuture(null)))
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    answer(
                        from,
                        message,
                        new GroupWithdrawalAcknowledgement(withdrawal.requestId(), group));
                  } else {
                    edge.warn(
                        "Cannot store that group %s is never made; it is told again"
                            .formatted(group),
                        failure);
                  }
                });
  }

  private void answer(NodeName to, MessageId message, Message answer) {
    edge.send(new Outgoing(to, answer, Optional.of(message)));
  }
}
