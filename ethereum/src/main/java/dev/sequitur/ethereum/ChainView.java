package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.ethereum.NodeHeads.Follow;
import dev.sequitur.ethereum.NodeHeads.Refuse;
import dev.sequitur.ethereum.NodeHeads.Told;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
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
  private volatile Optional<Place> read = Optional.empty();
  private volatile long newestTold;
  private volatile List<String> remarks = List.of();

  /** A block of the chain. */
  private record Place(long height, String hash) {}

  /** One node: the question that is open, or was last, and what it has told. */
  private static final class Asked {
    private CompletableFuture<Told> open = CompletableFuture.completedFuture(Told.NOTHING);
    private volatile Told last = Told.NOTHING;
    private volatile long baseFee;

    /** The newest block that it has told of, if that is of this chain and joins what was read. */
    private volatile Optional<Place> joined = Optional.empty();

    /** Why what it tells does not join; empty if it does, or nobody's does. */
    private volatile String apart = "";

    /** The newest block that it has told of since it was found apart. */
    private volatile long apartAt;

    /** How often it has told of a newer one since one that joins last went on. */
    private final AtomicInteger goneOn = new AtomicInteger();

    private boolean isApart() {
      return !apart.isEmpty();
    }
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
                switch (rule.choose(told(), rpc.preferred(), seen())) {
                  case Follow(var place, var height, var others) -> {
                    rpc.prefer(place);
                    remarks = others;
                    newestTold = height;
                    yield height;
                  }
                  case Refuse(var sentence) -> {
                    remarks = List.of(sentence);
                    throw new LedgerUnreachableException(sentence);
                  }
                });
  }

  /**
   * What the newest block that was told of has charged for a unit of gas; 0 if nobody said
   * anything. Of an endpoint that is asked since another failed, and has told nothing yet, the
   * others' word counts: an offer of next to nothing would wait for long.
   */
  long baseFee() {
    long told = asked.get(rpc.preferred()).baseFee;
    return told > 0 ? told : asked.stream().mapToLong(node -> node.baseFee).max().orElse(0);
  }

  /** Whether there is such a block, as far as this view was told last. */
  boolean isTold(long height) {
    return height <= newestTold;
  }

  /** The newest block that was read: what was only told of may never have been. */
  private long seen() {
    return read.map(Place::height).orElse(0L);
  }

  /**
   * These were read.
   *
   * @param blocks in their order; null if they could not be
   */
  synchronized void hasRead(List<Block> blocks) {
    if (blocks == null) {
      return;
    }
    for (var block : blocks) {
      var now = new Place(block.height().value(), block.hash().toString());
      boolean isReplaced =
          read.filter(it -> it.height() == now.height() && !it.hash().equals(now.hash()))
              .isPresent();
      if (isReplaced || now.height() > seen()) {
        read = Optional.of(now);
      }
    }
  }

  /**
   * One whose blocks are not those that were read does not count, unless that goes for all, or for
   * all that go on: what was read is then what the chain has left behind.
   */
  private List<Told> told() {
    boolean anyJoins =
        asked.stream().anyMatch(node -> node.last.head().isPresent() && !node.isApart())
            && asked.stream().noneMatch(this::hasGoneOnAlone);
    return asked.stream()
        .map(
            node ->
                anyJoins && node.isApart() ? new Told(OptionalLong.empty(), node.apart) : node.last)
        .toList();
  }

  /** How many blocks it tells of says nothing: one wrong answer would be enough. */
  private boolean hasGoneOnAlone(Asked node) {
    return node.isApart() && node.goneOn.get() > rule.maxLag();
  }

  /** None of those that are apart has gone on alone yet. */
  private void joinedOneGoesOn() {
    asked.forEach(node -> node.goneOn.set(0));
  }

  /** The last answer of one that is silent counts until it fails. */
  private CompletableFuture<Told> ask(int place) {
    var node = asked.get(place);
    synchronized (node) {
      if (node.open.isDone()) {
        var head = Call.of("eth_getBlockByNumber", tag, false);
        node.open =
            rpc.resultsOf(place, List.of(head))
                .thenCompose(results -> told(node, place, results.getFirst()))
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

  /**
   * A block that is, or follows, the one that it told of last is of the same chain. Of any other it
   * is asked, since what answers at an address may be another node each time, and whether it has
   * what was read.
   */
  private CompletionStage<Told> told(Asked node, int place, JsonNode block) {
    if (block.isNull()) {
      return CompletableFuture.completedFuture(new Told(OptionalLong.of(0), ""));
    }
    var now = new Place(ChainJson.number(block, "number"), hash(block, "hash"));
    var parent = hash(block, "parentHash");
    node.baseFee = block.hasNonNull("baseFeePerGas") ? ChainJson.number(block, "baseFeePerGas") : 0;
    if (node.joined.filter(now::equals).isPresent()) {
      return CompletableFuture.completedFuture(new Told(OptionalLong.of(now.height()), ""));
    }
    if (node.joined.filter(it -> it.hash().equals(parent)).isPresent()) {
      node.joined = Optional.of(now);
      joinedOneGoesOn();
      return CompletableFuture.completedFuture(new Told(OptionalLong.of(now.height()), ""));
    }
    node.joined = Optional.empty();
    var before = read.filter(it -> it.height() <= now.height());
    var calls = new ArrayList<Call>(List.of(Call.of("eth_chainId")));
    before.ifPresent(
        it -> calls.add(Call.of("eth_getBlockByNumber", ChainJson.hex(it.height()), false)));
    return rpc.resultsOf(place, calls)
        .thenApply(
            results -> {
              long chain = ChainJson.number(results.getFirst());
              if (chain != chainId) {
                return new Told(OptionalLong.empty(), ofAnotherChain(place, chain));
              }
              boolean joins =
                  before.isEmpty() || hash(results.getLast(), "hash").equals(before.get().hash());
              if (joins) {
                joinedOneGoesOn();
              } else if (!node.isApart()) {
                node.goneOn.set(0);
                node.apartAt = now.height();
              } else if (now.height() > node.apartAt) {
                node.goneOn.incrementAndGet();
                node.apartAt = now.height();
              }
              node.apart = joins ? "" : apart(place, now, before.get());
              node.joined = joins ? Optional.of(now) : Optional.empty();
              return new Told(OptionalLong.of(now.height()), "");
            });
  }

  private static String hash(JsonNode block, String name) {
    return block.path(name).asText("").toLowerCase(Locale.ROOT);
  }

  private String ofAnotherChain(int place, long chain) {
    return "The node at %s is of chain %d and not %d: correct %s or ledger.chain-id."
        .formatted(rule.nodes().get(place), chain, chainId, rpc.named());
  }

  private String apart(int place, Place now, Place before) {
    return "The chain's node at %s tells of block %d, and does not have block %d as it was read: it is not asked."
        .formatted(rule.nodes().get(place), now.height(), before.height());
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
                  && rule.isFarEnough(told(), rpc.preferred(), seen())
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
