package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.NodeHeads.Follow;
import dev.sequitur.ethereum.NodeHeads.Refuse;
import dev.sequitur.ethereum.NodeHeads.Told;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * What the nodes of a chain tell together: which one is asked, and which blocks count. Each is
 * asked for its head one question at a time. Thread-safe; blocks nobody.
 */
final class ChainView {
  private final ChainRpc rpc;
  private final NodeHeads rule;
  private final long chainId;
  private final String tag;
  private final List<Asked> asked;
  private final AtomicLong seen = new AtomicLong();
  private volatile List<String> remarks = List.of();

  /** One node: the question that is open, or was last, and what it has told. */
  private static final class Asked {
    private CompletableFuture<Told> open = CompletableFuture.completedFuture(Told.NOTHING);
    private volatile Told last = Told.NOTHING;
    private volatile boolean ofThisChain;
  }

  /**
   * @param tag of the newest block that is shown
   */
  ChainView(ChainRpc rpc, NodeHeads rule, long chainId, String tag) {
    this.rpc = rpc;
    this.rule = rule;
    this.chainId = chainId;
    this.tag = tag;
    this.asked = rule.nodes().stream().map(node -> new Asked()).toList();
  }

  /** Sentences for the operator. */
  List<String> remarks() {
    return remarks;
  }

  /**
   * The newest block that counts.
   *
   * @return fails with a {@link LedgerUnreachableException} if none does
   */
  CompletionStage<Long> head() {
    return enough(IntStream.range(0, asked.size()).mapToObj(this::ask).toList())
        .thenApply(
            done ->
                switch (rule.choose(told(), rpc.preferred(), seen.get())) {
                  case Follow(var place, var height, var others) -> {
                    rpc.prefer(place);
                    remarks = others;
                    seen.accumulateAndGet(height, Math::max);
                    yield height;
                  }
                  case Refuse(var sentence) -> {
                    remarks = List.of(sentence);
                    throw new LedgerUnreachableException(sentence);
                  }
                });
  }

  /** Whether a block has counted, as far as this view was told last. */
  boolean hasSeen(long height) {
    return height <= seen.get();
  }

  private List<Told> told() {
    return asked.stream().map(node -> node.last).toList();
  }

  /** The last answer of one that is silent counts until it fails. */
  private CompletableFuture<Told> ask(int place) {
    var node = asked.get(place);
    synchronized (node) {
      if (node.open.isDone()) {
        var head = Call.of("eth_getBlockByNumber", tag, false);
        var calls = node.ofThisChain ? List.of(head) : List.of(head, Call.of("eth_chainId"));
        node.open =
            rpc.resultsOf(place, calls)
                .thenApply(results -> told(node, place, results))
                .exceptionally(ChainView::silent)
                .thenApply(
                    told -> {
                      node.last = told;
                      return told;
                    })
                .toCompletableFuture();
      }
      return node.open;
    }
  }

  private static Told silent(Throwable failure) {
    var cause = Answers.cause(failure);
    return new Told(OptionalLong.empty(), String.valueOf(cause.getMessage()));
  }

  /** Its chain is asked for until it has told the right one. */
  private Told told(Asked node, int place, List<JsonNode> results) {
    if (results.size() > 1 && ChainJson.number(results.get(1)) != chainId) {
      return new Told(
          OptionalLong.empty(),
          "The node at %s is of chain %d and not %d: correct %s or ledger.chain-id."
              .formatted(
                  rule.nodes().get(place), ChainJson.number(results.get(1)), chainId, rpc.named()));
    }
    node.ofThisChain = true;
    var block = results.get(0);
    return new Told(OptionalLong.of(block.isNull() ? 0 : ChainJson.number(block, "number")), "");
  }

  /**
   * Until the one that is asked has answered and does not lie behind, and as many as must agree; or
   * all have.
   */
  private CompletionStage<Void> enough(List<CompletableFuture<Told>> questions) {
    var enough = new CompletableFuture<Void>();
    Runnable look =
        () -> {
          var done = questions.stream().filter(CompletableFuture::isDone).toList();
          long answered = done.stream().filter(one -> one.join().head().isPresent()).count();
          var preferred = questions.get(rpc.preferred());
          if (done.size() == questions.size()
              || (preferred.isDone()
                  && rule.isFarEnough(told(), rpc.preferred(), seen.get())
                  && answered >= rule.quorum())) {
            enough.complete(null);
          }
        };
    questions.forEach(one -> one.whenComplete((head, failure) -> look.run()));
    return enough;
  }

  /**
   * Those of the blocks, in order, that as many nodes tell as must.
   *
   * @return fails with a {@link LedgerUnreachableException} if they tell different ones
   */
  CompletionStage<List<JsonNode>> agreed(List<JsonNode> blocks) {
    if (rule.quorum() == 1 || blocks.isEmpty()) {
      return CompletableFuture.completedFuture(blocks);
    }
    // Whoever has a block has all before it.
    var last = blocks.getLast();
    return hashes(ChainJson.text(last, "number"))
        .thenCompose(
            hashes -> {
              var own = ChainJson.text(last, "hash");
              if (hashes.stream().filter(own::equals).count() >= rule.quorum()) {
                return CompletableFuture.completedFuture(blocks);
              } else if (blocks.size() == 1) {
                return CompletableFuture.failedFuture(
                    new LedgerUnreachableException(
                        rule.disagreement(ChainJson.number(last, "number"), hashes)));
              }
              return agreed(blocks.subList(0, blocks.size() / 2));
            });
  }

  private CompletionStage<List<String>> hashes(String height) {
    return Answers.all(
        IntStream.range(0, asked.size())
            .mapToObj(
                place ->
                    rpc.resultsOf(place, List.of(Call.of("eth_getBlockByNumber", height, false)))
                        .thenApply(results -> results.get(0).path("hash").asText("has none"))
                        .exceptionally(failure -> "does not answer"))
            .toList());
  }
}
