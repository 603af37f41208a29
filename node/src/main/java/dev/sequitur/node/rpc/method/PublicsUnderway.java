package dev.sequitur.node.rpc.method;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.submitter.SubmitterState.Underway;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.sequencer.SequencerNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** What the submitters of public transactions say, each asked once in a call. Thread-safe. */
final class PublicsUnderway {
  private final SequencerNode node;
  private final Map<Identity, CompletionStage<List<Underway>>> asked = new ConcurrentHashMap<>();

  PublicsUnderway(SequencerNode node) {
    this.node = node;
  }

  /** Empty before its submitter has taken it, and after its end. */
  CompletionStage<Optional<Underway>> of(PublicTransaction transaction) {
    return asked
        .computeIfAbsent(transaction.from(), node.publicCalls()::underway)
        .thenApply(
            all ->
                all.stream()
                    .filter(each -> each.transaction().equals(transaction.id()))
                    .findFirst());
  }
}
