package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.NodeHeads.Doubt;
import dev.sequitur.ethereum.NodeHeads.Follow;
import dev.sequitur.ethereum.NodeHeads.Head;
import dev.sequitur.ethereum.NodeHeads.Place;
import dev.sequitur.ethereum.NodeHeads.Refuse;
import dev.sequitur.ethereum.NodeHeads.Settled;
import dev.sequitur.ethereum.NodeHeads.View;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

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
  private final AtomicReferenceArray<CompletableFuture<Void>> open;
  private final AtomicReference<View> view;
  private final AtomicReference<Looks> looks = new AtomicReference<>(Looks.NONE);
  private volatile Standing standing = Standing.NONE;

  /**
   * What was chosen last.
   *
   * @param newestTold the newest block that has ever counted
   * @param remarks sentences for the operator
   * @param found when that block counted, if one does now
   */
  private record Standing(long newestTold, List<String> remarks, Optional<Duration> found) {
    static final Standing NONE = new Standing(0, List.of(), Optional.empty());
  }

  /**
   * What looks have found.
   *
   * @param head of the last one; 0 before the first
   */
  private record Looks(Arrivals arrivals, long head) {
    static final Looks NONE = new Looks(Arrivals.NONE, 0);

    private Looks found(long newest) {
      return new Looks(arrivals.and(head == 0 ? 0 : newest - head), newest);
    }

    private Looks failed() {
      return new Looks(Arrivals.NONE, head);
    }
  }

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
    this.view = new AtomicReference<>(rule.begin(Duration.ZERO));
    this.open = new AtomicReferenceArray<>(rule.nodes().size());
    rule.places().forEach(place -> open.set(place, CompletableFuture.completedFuture(null)));
  }

  private Duration now() {
    return Duration.ofNanos(nanos.getAsLong() - begun);
  }

  /** Sentences for the operator. */
  List<String> remarks() {
    return standing.remarks();
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
    return head(looks.get().arrivals().expected())
        .thenApply(
            head -> {
              looks.updateAndGet(before -> before.found(head.height()));
              return head;
            });
  }

  private CompletionStage<Place> head(int expected) {
    return enough(rule.places().mapToObj(place -> ask(place, expected)).toList())
        .thenApply(done -> choose(view.get()));
  }

  private Place choose(View known) {
    return switch (rule.choose(known, rpc.preferred(), now())) {
      case Follow(var place, var height, var others) -> {
        rpc.prefer(place);
        standing = new Standing(height, others, Optional.of(now()));
        yield known.at(place, height);
      }
      case Refuse(var sentence) -> {
        standing = new Standing(standing.newestTold(), List.of(sentence), Optional.empty());
        throw new LedgerUnreachableException(sentence);
      }
    };
  }

  /** As it was found within this time; else it is asked for. */
  CompletionStage<Long> head(Duration within) {
    var now = standing;
    return now.found()
        .filter(at -> now().minus(at).compareTo(within) < 0)
        .map(at -> (CompletionStage<Long>) CompletableFuture.completedFuture(now.newestTold()))
        .orElseGet(this::head);
  }

  /** {@link View#baseFee} of the node that is asked. */
  long baseFee() {
    return view.get().baseFee(rpc.preferred());
  }

  /** Whether there is such a block, as far as this view was told last. */
  boolean isTold(long height) {
    return height <= standing.newestTold();
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
        view.updateAndGet(before -> rule.read(before, read));
      }
    }
  }

  /**
   * The last answer of one that is silent counts until it fails.
   *
   * @param expected so many new blocks are likely, the head among them
   */
  private CompletableFuture<Void> ask(int place, int expected) {
    var before = open.get(place);
    var question = new CompletableFuture<Void>();
    if (before.isDone() && open.compareAndSet(place, before, question)) {
      send(place, expected)
          .exceptionally(failure -> silent(place, failure))
          .whenComplete((nothing, failure) -> question.complete(null));
    }
    return open.get(place);
  }

  private CompletionStage<Void> send(int place, int expected) {
    boolean whole = expected > 0 && place == rpc.preferred();
    var calls = new ArrayList<Call>();
    view.get()
        .joined(place)
        .ifPresent(
            told -> {
              for (int i = 1; i < expected; i++) {
                calls.add(block(ChainJson.hex(told.height() + i), whole));
              }
            });
    calls.add(block(tag, whole));
    return rpc.lastOf(place, calls).thenCompose(results -> heard(place, results, whole));
  }

  private static Call block(String which, boolean whole) {
    return Call.of("eth_getBlockByNumber", which, whole);
  }

  /** What was asked for with the head may be why it does not answer. */
  private Void silent(int place, Throwable failure) {
    var trouble = String.valueOf(Answers.cause(failure).getMessage());
    view.updateAndGet(before -> rule.silent(before, place, trouble));
    looks.updateAndGet(Looks::failed);
    return null;
  }

  /**
   * @param blocks of which the last is its head
   * @param whole whether they have their transactions
   */
  private CompletionStage<Void> heard(int place, List<JsonNode> blocks, boolean whole) {
    if (blocks.getLast().isNull()) {
      view.updateAndGet(before -> rule.empty(before, place));
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

  private Optional<Doubt> heard(int place, List<Head> heads) {
    var between = heads.subList(0, heads.size() - 1);
    while (true) {
      var before = view.get();
      var heard = rule.heard(before, place, between, heads.getLast(), now());
      if (view.compareAndSet(before, heard.view())) {
        return heard.doubt();
      }
    }
  }

  private CompletionStage<Void> settled(int place, Doubt doubt) {
    var calls = new ArrayList<Call>(List.of(Call.of("eth_chainId")));
    doubt.before().ifPresent(it -> calls.add(block(ChainJson.hex(it.height()), false)));
    int behind = calls.size();
    doubt.behind().forEach(height -> calls.add(block(ChainJson.hex(height), false)));
    return rpc.resultsOf(place, calls)
        .thenAccept(
            results -> {
              var has = doubt.before().map(it -> hash(results.get(1), "hash")).orElse("");
              boolean hasBehind =
                  results.subList(behind, results.size()).stream().anyMatch(it -> !it.isNull());
              var answer = new Settled(ChainJson.number(results.getFirst()), has, hasBehind);
              view.updateAndGet(before -> rule.settled(before, place, doubt, answer, now()));
            });
  }

  private static String hash(JsonNode block, String name) {
    return block.path(name).asText("").toLowerCase(Locale.ROOT);
  }

  /**
   * Until {@link NodeHeads#isEnough}; or, once it has taken long, {@link NodeHeads#isEnoughLate}.
   */
  private CompletionStage<Void> enough(List<CompletableFuture<Void>> questions) {
    var enough = new CompletableFuture<Void>();
    whenDone(
        questions,
        () -> {
          if (rule.isEnough(view.get(), done(questions), rpc.preferred(), now())) {
            enough.complete(null);
          }
        });
    enough
        .copy()
        .orTimeout(rpc.patience().toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(
            late -> {
              Runnable look = () -> late(questions, enough);
              look.run();
              whenDone(questions, look);
              return null;
            });
    return enough;
  }

  private void late(List<CompletableFuture<Void>> questions, CompletableFuture<Void> enough) {
    var done = done(questions);
    if (!enough.isDone() && rule.isEnoughLate(view.get(), done, now())) {
      int preferred = rpc.preferred();
      if (!done.contains(preferred)) {
        view.updateAndGet(before -> rule.late(before, preferred, rpc.patience()));
        looks.updateAndGet(Looks::failed);
      }
      enough.complete(null);
    }
  }

  private static void whenDone(List<CompletableFuture<Void>> questions, Runnable look) {
    questions.forEach(one -> one.whenComplete((head, failure) -> look.run()));
  }

  private Set<Integer> done(List<CompletableFuture<Void>> questions) {
    return rule.places()
        .filter(place -> questions.get(place).isDone())
        .boxed()
        .collect(Collectors.toSet());
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
              if (rule.agree(ChainJson.text(last, "hash"), hashes)) {
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
        rule.places()
            .mapToObj(
                place ->
                    rpc.resultsOf(place, List.of(Call.of("eth_getBlockByNumber", height, false)))
                        .thenApply(results -> results.get(0).path("hash").asText("has none"))
                        .exceptionally(failure -> "does not answer"))
            .toList());
  }
}
