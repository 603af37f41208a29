package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.NodeHeads.Doubt;
import dev.sequitur.ethereum.NodeHeads.Follow;
import dev.sequitur.ethereum.NodeHeads.Head;
import dev.sequitur.ethereum.NodeHeads.Place;
import dev.sequitur.ethereum.NodeHeads.Refuse;
import dev.sequitur.ethereum.NodeHeads.View;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Asks the nodes of a chain for their heads, each one question at a time, and keeps what {@link
 * NodeHeads} makes of the answers. Thread-safe; blocks nobody.
 */
final class ChainView {
  private final ChainRpc rpc;
  private final NodeHeads rule;
  private final String tag;
  private final LongSupplier nanos;
  private final long begun;
  private final RecentBlocks recent;
  private volatile long newestTold;
  private volatile List<String> remarks = List.of();
  private volatile Optional<Found> found = Optional.empty();
  // By this.
  private final List<CompletableFuture<Void>> open;
  private View view;
  private Arrivals arrivals = Arrivals.NONE;
  private long looked;

  /**
   * The newest block that counted.
   *
   * @param at when that was
   */
  private record Found(long head, Duration at) {}

  /**
   * @param tag of the newest block that is shown
   * @param recent where whole blocks are kept that come with a head
   * @param nanos like {@link System#nanoTime}
   */
  ChainView(ChainRpc rpc, NodeHeads rule, String tag, RecentBlocks recent, LongSupplier nanos) {
    this.rpc = rpc;
    this.rule = rule;
    this.tag = tag;
    this.recent = recent;
    this.nanos = nanos;
    this.begun = nanos.getAsLong();
    this.view = rule.begin(Duration.ZERO);
    this.open = new ArrayList<>();
    rule.nodes().forEach(node -> open.add(CompletableFuture.completedFuture(null)));
  }

  private Duration now() {
    return Duration.ofNanos(nanos.getAsLong() - begun);
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
    return head(0).thenApply(Place::height);
  }

  /**
   * As {@link #head}. With it the blocks are asked for that are likely to be new, whole, and kept.
   *
   * @return without a hash if it is not known
   */
  CompletionStage<Place> look() {
    return head(expected())
        .thenApply(
            head -> {
              hasFound(head.height());
              return head;
            });
  }

  private synchronized int expected() {
    return arrivals.expected();
  }

  private synchronized void hasFound(long head) {
    arrivals = arrivals.and(looked == 0 ? 0 : head - looked);
    looked = head;
  }

  private CompletionStage<Place> head(int expected) {
    return enough(
            IntStream.range(0, rule.nodes().size())
                .mapToObj(place -> ask(place, expected))
                .toList())
        .thenApply(
            done -> {
              var known = view();
              return switch (rule.choose(known, rpc.preferred(), now())) {
                case Follow(var place, var height, var others) -> {
                  rpc.prefer(place);
                  remarks = others;
                  newestTold = height;
                  found = Optional.of(new Found(height, now()));
                  yield known
                      .joined(place)
                      .filter(head -> head.height() == height)
                      .orElseGet(() -> new Place(height, ""));
                }
                case Refuse(var sentence) -> {
                  remarks = List.of(sentence);
                  found = Optional.empty();
                  throw new LedgerUnreachableException(sentence);
                }
              };
            });
  }

  /** As it was found within this time; else it is asked for. */
  CompletionStage<Long> head(Duration within) {
    return found
        .filter(it -> now().minus(it.at()).compareTo(within) < 0)
        .map(it -> (CompletionStage<Long>) CompletableFuture.completedFuture(it.head()))
        .orElseGet(this::head);
  }

  /** {@link View#baseFee} of the node that is asked. */
  long baseFee() {
    return view().baseFee(rpc.preferred());
  }

  /** Whether there is such a block, as far as this view was told last. */
  boolean isTold(long height) {
    return height <= newestTold;
  }

  /**
   * These were read.
   *
   * @param blocks in their order; null if they could not be
   */
  void hasRead(List<Block> blocks) {
    if (blocks != null) {
      for (var block : blocks) {
        var read = new Place(block.height().value(), block.hash().toString());
        change(before -> rule.read(before, read));
      }
    }
  }

  private synchronized View view() {
    return view;
  }

  private synchronized void change(UnaryOperator<View> change) {
    view = change.apply(view);
  }

  /**
   * The last answer of one that is silent counts until it fails.
   *
   * @param expected so many new blocks are likely, the head among them
   */
  private synchronized CompletableFuture<Void> ask(int place, int expected) {
    if (open.get(place).isDone()) {
      boolean whole = expected > 0 && place == rpc.preferred();
      var calls = new ArrayList<Call>();
      view.joined(place)
          .ifPresent(
              told -> {
                for (int i = 1; i < expected; i++) {
                  calls.add(block(ChainJson.hex(told.height() + i), whole));
                }
              });
      calls.add(block(tag, whole));
      open.set(
          place,
          rpc.lastOf(place, calls)
              .thenCompose(results -> heard(place, results, whole))
              .exceptionally(failure -> silent(place, failure))
              .toCompletableFuture());
    }
    return open.get(place);
  }

  private static Call block(String which, boolean whole) {
    return Call.of("eth_getBlockByNumber", which, whole);
  }

  /** What was asked for with the head may be why it does not answer. */
  private synchronized Void silent(int place, Throwable failure) {
    var trouble = String.valueOf(Answers.cause(failure).getMessage());
    view = rule.silent(view, place, trouble);
    arrivals = Arrivals.NONE;
    return null;
  }

  /**
   * @param blocks of which the last is its head
   * @param whole whether they have their transactions
   */
  private CompletionStage<Void> heard(int place, List<JsonNode> blocks, boolean whole) {
    if (blocks.getLast().isNull()) {
      change(before -> rule.empty(before, place));
      return CompletableFuture.completedFuture(null);
    }
    var told = blocks.stream().filter(block -> !block.isNull()).toList();
    var heads = told.stream().map(ChainView::head).toList();
    if (whole) {
      told.forEach(recent::keep);
    }
    return heard(place, heads)
        .map(doubt -> settled(place, doubt))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  private static Head head(JsonNode block) {
    return new Head(
        new Place(ChainJson.number(block, "number"), hash(block, "hash")),
        hash(block, "parentHash"),
        block.hasNonNull("baseFeePerGas") ? ChainJson.number(block, "baseFeePerGas") : 0);
  }

  private synchronized Optional<Doubt> heard(int place, List<Head> heads) {
    var between = heads.subList(0, heads.size() - 1);
    var heard = rule.heard(view, place, between, heads.getLast(), now());
    view = heard.view();
    return heard.doubt();
  }

  private CompletionStage<Void> settled(int place, Doubt doubt) {
    var calls = new ArrayList<Call>(List.of(Call.of("eth_chainId")));
    doubt
        .before()
        .ifPresent(
            it -> calls.add(Call.of("eth_getBlockByNumber", ChainJson.hex(it.height()), false)));
    return rpc.resultsOf(place, calls)
        .thenAccept(
            results -> {
              long chain = ChainJson.number(results.getFirst());
              var has = hash(results.getLast(), "hash");
              change(before -> rule.settled(before, place, doubt, chain, has, now()));
            });
  }

  private static String hash(JsonNode block, String name) {
    return block.path(name).asText("").toLowerCase(Locale.ROOT);
  }

  /**
   * Until the one that is asked has answered and does not lie behind, and as many as must agree; or
   * all have.
   */
  private CompletionStage<Void> enough(List<CompletableFuture<Void>> questions) {
    var enough = new CompletableFuture<Void>();
    Runnable look =
        () -> {
          var known = view();
          var done =
              IntStream.range(0, questions.size())
                  .filter(place -> questions.get(place).isDone())
                  .boxed()
                  .toList();
          int preferred = rpc.preferred();
          if (done.size() == questions.size()
              || (done.contains(preferred)
                  && rule.isFarEnough(known, preferred, now())
                  && done.stream().filter(known::isAnswered).count() >= rule.quorum())) {
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
        IntStream.range(0, open.size())
            .mapToObj(
                place ->
                    rpc.resultsOf(place, List.of(Call.of("eth_getBlockByNumber", height, false)))
                        .thenApply(results -> results.get(0).path("hash").asText("has none"))
                        .exceptionally(failure -> "does not answer"))
            .toList());
  }
}
