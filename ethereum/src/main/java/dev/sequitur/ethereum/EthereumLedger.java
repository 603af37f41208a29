package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ChainRpc.Answer;
import dev.sequitur.ethereum.ChainRpc.Call;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.GasMoney;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.port.Signatures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An Ethereum chain, through the JSON-RPC of its nodes. Groups are contracts of one factory. Reads
 * whole blocks, so that what failed and what strangers sent is seen as well. Thread-safe; blocks
 * nobody.
 */
public final class EthereumLedger implements BaseLedger {
  private final ChainRpc rpc;
  private final Settings settings;
  private final Signatures signatures;
  private final GroupCalls calls;
  private final RecentBlocks recent = new RecentBlocks();
  private final ChainView view;
  private final ChainContracts contracts;
  private final ChainPool pool;
  private final FactoryCheck factory;
  private final KnownGroups groups;
  private volatile Optional<String> absent = Optional.empty();

  /** The first block of the furthest page that somebody has asked for. */
  private final AtomicLong furthest = new AtomicLong();

  /**
   * @param chainId of the chain, which is signed into each transaction
   * @param factory makes the contracts of groups
   * @param head which block is the newest that is shown
   * @param quorum so many of the chain's nodes must tell the same block before it counts
   * @param maxLag so many blocks a node may lie behind another one, or behind what was seen
   * @param firstBlock from which on there may be groups; 0 if it is to be found
   * @param idlePause between two looks for a new block, while nobody waits for one
   * @param legacy whether transactions have no type, for chains that take no others
   */
  public record Settings(
      long chainId,
      LedgerAddress factory,
      Head head,
      int quorum,
      long maxLag,
      long firstBlock,
      Duration idlePause,
      boolean legacy) {
    /** Blocks that a node may lie behind, if nothing else is said. */
    public static final long MAX_LAG = 16;

    /** Believes the node that is asked, and looks for the first block itself. */
    public Settings(long chainId, LedgerAddress factory, Head head) {
      this(chainId, factory, head, 1, MAX_LAG, 0, Duration.ZERO, false);
    }
  }

  /** What a group begins with, by the hash that the chain has of it. */
  private interface Terms {
    CompletionStage<Optional<Deploy>> of(Hash hash);
  }

  /** Which block of the chain is the newest that the ledger shows. */
  public enum Head {
    /** What was made last; it may still be replaced. */
    LATEST("latest"),
    /** The newest that the chain's validators will never replace. */
    FINALIZED("finalized");

    private final String tag;

    Head(String tag) {
      this.tag = tag;
    }
  }

  /**
   * Does not connect yet.
   *
   * @param groups that the node takes part in; all others are strangers'
   */
  public EthereumLedger(
      ChainRpc rpc, Settings settings, Signatures signatures, KnownGroups groups) {
    this(rpc, settings, signatures, groups, System::nanoTime);
  }

  /**
   * As before.
   *
   * @param nanos like {@link System#nanoTime}
   */
  EthereumLedger(
      ChainRpc rpc,
      Settings settings,
      Signatures signatures,
      KnownGroups groups,
      LongSupplier nanos) {
    this.rpc = rpc;
    this.groups = groups;
    this.settings = settings;
    this.signatures = signatures;
    this.pool = new ChainPool(rpc, nanos);
    this.factory = new FactoryCheck(rpc, settings.factory());
    this.calls = new GroupCalls(settings, signatures, groups::group);
    this.contracts = new ChainContracts(rpc, rpc.forCallers(), calls);
    this.view =
        new ChainView(
            rpc,
            new NodeHeads(
                rpc.nodes(), rpc.named(), settings.chainId(), settings.quorum(), settings.maxLag()),
            settings.head().tag,
            recent,
            nanos);
  }

  @Override
  public SignedLedgerTransaction sign(LedgerTransaction transaction, Signer signer) {
    var unsigned = calls.encode(transaction);
    var signature = signer.signMessage(unsigned.unsigned());
    var hash = new TransactionHash(Digests.keccak256(unsigned.signed(signature)));
    return new SignedLedgerTransaction(transaction, hash, signer.verifier(), signature);
  }

  @Override
  public CompletionStage<List<SubmitOutcome>> submit(List<SignedLedgerTransaction> transactions) {
    var noFactory = factory.remark();
    if (noFactory.isPresent()
        && transactions.stream()
            .anyMatch(one -> one.transaction().call() instanceof LedgerTransaction.Deploy)) {
      return CompletableFuture.failedFuture(new LedgerUnreachableException(noFactory.get()));
    }
    var outcomes = new SubmitOutcome[transactions.size()];
    var sent = new ArrayList<Integer>();
    var requests = new ArrayList<Call>();
    for (int place = 0; place < transactions.size(); place++) {
      var one = transactions.get(place);
      var unsigned = calls.encode(one.transaction());
      if (isSignedBySigner(one, unsigned)) {
        sent.add(place);
        var raw = unsigned.signed(one.signature());
        requests.add(Call.of("eth_sendRawTransaction", raw.toHex()));
      } else if (calls.encodings(one.transaction()).anyMatch(it -> isSignedBySigner(one, it))) {
        // Its committee has changed since, and so have its members' places in the call.
        outcomes[place] = new SubmitOutcome.PoolFull(one.hash());
      } else {
        outcomes[place] = new SubmitOutcome.Invalid(one.hash(), "It is not signed by its signer.");
      }
    }
    CompletionStage<List<Answer>> answered =
        requests.isEmpty() ? completedFuture(List.of()) : rpc.answers(requests);
    return answered.thenCompose(
        answers -> {
          var all = new ArrayList<CompletionStage<Void>>();
          for (int i = 0; i < sent.size(); i++) {
            int place = sent.get(i);
            var one = transactions.get(place);
            var outcome = outcome(one, answers.get(i));
            var known =
                sent.size() == 1
                    ? outcome
                    : outcome.exceptionally(failure -> later(one.hash(), failure));
            all.add(known.thenAccept(told -> outcomes[place] = told));
          }
          return Answers.all(all).thenApply(done -> List.of(outcomes));
        });
  }

  /** What could not be found out of one of several keeps nobody from hearing of the others. */
  private static SubmitOutcome later(TransactionHash hash, Throwable failure) {
    if (Answers.cause(failure) instanceof LedgerUnreachableException) {
      return new SubmitOutcome.PoolFull(hash);
    }
    throw new CompletionException(Answers.cause(failure));
  }

  /** A chain takes the signer from the signature: another key's would be another transaction. */
  private boolean isSignedBySigner(SignedLedgerTransaction one, ChainTransaction unsigned) {
    return signatures.isValid(one.verifier(), unsigned.digest(), one.signature())
        && signatures.address(one.verifier()).equals(one.transaction().signer());
  }

  private CompletionStage<SubmitOutcome> outcome(SignedLedgerTransaction sent, Answer answer) {
    var transaction = sent.transaction();
    return pool.outcome(sent.hash(), transaction.fees(), answer, () -> nonce(transaction.signer()));
  }

  @Override
  public CompletionStage<Long> nonce(LedgerAddress signer) {
    return rpc.ask("eth_getTransactionCount", signer.value(), "latest")
        .thenApply(ChainJson::number);
  }

  @Override
  public CompletionStage<Long> pendingNonce(LedgerAddress signer) {
    return rpc.ask("eth_getTransactionCount", signer.value(), "pending")
        .thenApply(ChainJson::number);
  }

  @Override
  public CompletionStage<Boolean> knows(TransactionHash hash) {
    return pool.knows(hash);
  }

  /** Whoever has sent something lately waits for its block. */
  @Override
  public Duration idlePause() {
    return pool.isUsed() ? Duration.ZERO : settings.idlePause();
  }

  @Override
  public CompletionStage<BlockHeight> head() {
    return view.head()
        .thenApply(
            head -> {
              factory.look();
              return new BlockHeight(head);
            });
  }

  /** Whoever looks for blocks has asked within two pauses, unless nobody of this JVM does. */
  @Override
  public CompletionStage<BlockHeight> recentHead() {
    return view.head(settings.idlePause().multipliedBy(2)).thenApply(BlockHeight::new);
  }

  @Override
  public long baseFee() {
    return view.baseFee();
  }

  @Override
  public List<String> remarks() {
    return Stream.of(
            view.remarks().stream(),
            factory.remark().stream(),
            absent.stream(),
            rpc.remarks().stream(),
            pool.remark().stream())
        .flatMap(sentences -> sentences)
        .toList();
  }

  @Override
  public boolean tellsGenesis() {
    return false;
  }

  @Override
  public CompletionStage<BlockHeight> firstBlock() {
    return settings.firstBlock() > 0
        ? completedFuture(new BlockHeight(settings.firstBlock()))
        : head()
            .thenCompose(head -> deployedIn(1, Math.max(1, head.value())))
            // Not every node keeps the states of old blocks.
            .exceptionally(failure -> 1L)
            .thenApply(BlockHeight::new);
  }

  /** The first of these blocks after which the factory is there. */
  private CompletionStage<Long> deployedIn(long from, long to) {
    if (from >= to) {
      return completedFuture(from);
    }
    long middle = from + (to - from) / 2;
    return rpc.ask("eth_getCode", settings.factory().value(), ChainJson.hex(middle))
        .thenCompose(
            code ->
                code.asText().length() > 2 ? deployedIn(from, middle) : deployedIn(middle + 1, to));
  }

  /** What is in none of its transactions is left out: a chain has others' too. */
  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit) {
    return blocks(from, limit, groups::genesis);
  }

  @Override
  public CompletionStage<List<Block>> blocks(BlockHeight from, int limit, Deploy told) {
    return blocks(
        from,
        limit,
        hash ->
            hash.equals(told.hash()) ? completedFuture(Optional.of(told)) : groups.genesis(hash));
  }

  private CompletionStage<List<Block>> blocks(BlockHeight from, int limit, Terms terms) {
    long first = Math.max(1, from.value());
    return headUpTo(first + limit - 1)
        .thenCompose(
            head ->
                asked(first, Math.min(head, first + limit - 1))
                    .thenCompose(all -> read(first, all, terms)));
  }

  /** A block that is not replaced is asked for once, however often it is looked at. */
  @Override
  public CompletionStage<Look> look(BlockHeight from, int limit) {
    long first = Math.max(1, from.value());
    return view.look()
        .thenCompose(
            head -> {
              factory.look();
              long last = Math.min(head.height(), first + limit - 1);
              var blocks = last < head.height() ? asked(first, last) : withRecent(first, head);
              return blocks
                  .thenCompose(all -> read(first, all, groups::genesis))
                  .thenApply(read -> new Look(new BlockHeight(head.height()), read));
            });
  }

  /** Those that are kept count as far as the head stands upon them; else all are asked for. */
  private CompletionStage<List<JsonNode>> withRecent(long first, NodeHeads.Place head) {
    var heights = LongStream.rangeClosed(first, head.height()).boxed().toList();
    var kept = recent.from(first);
    return asked(heights.stream().filter(height -> !kept.containsKey(height)).toList())
        .thenCompose(
            asked -> {
              asked.stream().filter(block -> !block.isNull()).forEach(recent::keep);
              var next = asked.iterator();
              var all =
                  heights.stream()
                      .map(height -> kept.containsKey(height) ? kept.get(height) : next.next())
                      .toList();
              return asked.size() == all.size() || isChain(all, head.hash())
                  ? completedFuture(all)
                  : asked(heights);
            });
  }

  /**
   * @param hash of the last
   */
  private static boolean isChain(List<JsonNode> blocks, String hash) {
    var expected = hash;
    for (var block : blocks.reversed()) {
      if (!expected.equalsIgnoreCase(block.path("hash").asText())) {
        return false;
      }
      expected = block.path("parentHash").asText();
    }
    return true;
  }

  private CompletionStage<List<JsonNode>> asked(long first, long last) {
    return asked(LongStream.rangeClosed(first, last).boxed().toList());
  }

  /** A JSON null for each that is not there. */
  private CompletionStage<List<JsonNode>> asked(List<Long> heights) {
    return rpc.results(
        heights.stream()
            .map(height -> Call.ofWhatIsThere("eth_getBlockByNumber", ChainJson.hex(height), true))
            .toList());
  }

  private CompletionStage<List<Block>> read(long first, List<JsonNode> all, Terms terms) {
    return all.isEmpty()
        ? completedFuture(List.of())
        : view.agreed(present(first, all))
            .thenCompose(blocks -> withReceipts(blocks, terms))
            .whenComplete((read, failure) -> view.hasRead(read));
  }

  /** Whoever is asked may lag behind whoever said what the head is, or have lost a block. */
  private List<JsonNode> present(long first, List<JsonNode> all) {
    // The indexer asks for what nobody has read yet: only that goes on or does not.
    if (furthest.accumulateAndGet(first, Math::max) == first) {
      absent = all.getFirst().isNull() ? Optional.of(absent(first)) : Optional.empty();
    }
    return all.stream().takeWhile(block -> !block.isNull()).toList();
  }

  private String absent(long first) {
    return ("The node at %s does not have block %d, though the chain has it, and no other node"
            + " that is named has it: nothing is read until one has. If none ever has,"
            + " name another node by %s.")
        .formatted(rpc.nodes().get(rpc.preferred()), first, rpc.named());
  }

  /** Whoever catches up asks for no head between two pages of blocks of which it was told. */
  private CompletionStage<Long> headUpTo(long most) {
    return view.isTold(most)
        ? completedFuture(most)
        : head().thenApply(head -> Math.min(most, head.value()));
  }

  /** Whose public transactions are awaited is asked last: who has sent something is among them. */
  private CompletionStage<List<Block>> withReceipts(List<JsonNode> blocks, Terms terms) {
    return groups.publicSigners().thenCompose(signers -> withReceipts(blocks, signers, terms));
  }

  private CompletionStage<List<Block>> withReceipts(
      List<JsonNode> blocks, Set<LedgerAddress> signers, Terms terms) {
    var ours = new ArrayList<JsonNode>();
    for (var block : blocks) {
      for (var transaction : block.path("transactions")) {
        if (calls.concerns(transaction) || isSignedByOneOf(signers, transaction)) {
          ours.add(transaction);
        }
      }
    }
    return receipts(ours, signers, terms)
        .thenApply(
            receipts -> {
              var read = new ArrayList<Block>();
              int next = 0;
              for (var block : blocks) {
                var of = new ArrayList<LedgerReceipt>();
                while (next < ours.size() && isIn(ours.get(next), block)) {
                  of.add(receipts.get(next++));
                }
                read.add(ChainJson.block(block, of));
              }
              return read;
            });
  }

  private static boolean isSignedByOneOf(Set<LedgerAddress> signers, JsonNode transaction) {
    return !signers.isEmpty() && signers.contains(GroupCalls.from(transaction));
  }

  private static boolean isIn(JsonNode transaction, JsonNode block) {
    return ChainJson.text(transaction, "blockHash").equals(ChainJson.text(block, "hash"));
  }

  /** Of transactions in blocks, in their order. */
  private CompletionStage<List<LedgerReceipt>> receipts(
      List<JsonNode> transactions, Set<LedgerAddress> signers, Terms terms) {
    if (transactions.isEmpty()) {
      return completedFuture(List.of());
    }
    return receipts(transactions)
        .thenCompose(
            receipts -> {
              var all = new ArrayList<CompletionStage<LedgerReceipt>>();
              for (int i = 0; i < transactions.size(); i++) {
                all.add(result(transactions.get(i), receipts.get(i), signers, terms));
              }
              return Answers.all(all);
            });
  }

  /** As the chain has them. */
  private CompletionStage<List<JsonNode>> receipts(List<JsonNode> transactions) {
    var kept = transactions.stream().map(recent::receipt).toList();
    var open =
        IntStream.range(0, kept.size())
            .filter(i -> kept.get(i).isEmpty())
            .mapToObj(transactions::get)
            .toList();
    var asked =
        open.stream()
            .map(
                one -> Call.ofWhatIsThere("eth_getTransactionReceipt", ChainJson.text(one, "hash")))
            .toList();
    return rpc.results(asked)
        .thenApply(
            receipts -> {
              for (int i = 0; i < open.size(); i++) {
                recent.keepReceipt(open.get(i), receipts.get(i));
              }
              var next = receipts.iterator();
              return kept.stream().map(one -> one.orElseGet(next::next)).toList();
            });
  }

  private CompletionStage<LedgerReceipt> result(
      JsonNode transaction, JsonNode receipt, Set<LedgerAddress> signers, Terms terms) {
    if (receipt.isNull()
        || !ChainJson.text(receipt, "blockHash").equals(ChainJson.text(transaction, "blockHash"))) {
      return CompletableFuture.failedFuture(
          new LedgerUnreachableException(
              "The chain was reorganised while it was read: it is read again."));
    }
    boolean awaited = isSignedByOneOf(signers, transaction);
    CompletionStage<Optional<Answer.Refusal>> refused =
        GroupCalls.hasReverted(transaction, receipt) && (awaited || calls.isOfGroup(transaction))
            ? replayed(transaction).thenApply(Optional::of)
            : completedFuture(Optional.empty());
    var genesis =
        calls
            .genesis(transaction)
            .map(terms::of)
            .orElseGet(() -> completedFuture(Optional.empty()));
    return refused.thenCombine(
        genesis, (said, deploy) -> calls.receipt(transaction, receipt, said, deploy, awaited));
  }

  /**
   * What a contract said to a call that it refused: it is called again on the block before, and if
   * that one takes it, on its own block, whose other transactions may be why it was refused. A
   * change of a committee is judged by the number of its block, so its own block is asked first.
   */
  private CompletionStage<Answer.Refusal> replayed(JsonNode transaction) {
    var call = new LinkedHashMap<String, String>();
    call.put("from", ChainJson.text(transaction, "from"));
    if (transaction.path("to").isTextual()) {
      call.put("to", ChainJson.text(transaction, "to"));
    }
    call.put("gas", ChainJson.text(transaction, "gas"));
    call.put("data", ChainJson.text(transaction, "input"));
    call.put("value", ChainJson.text(transaction, "value"));
    long block = ChainJson.number(transaction, "blockNumber");
    var asked =
        new ArrayList<>(
            List.of(
                Call.of("eth_call", call, ChainJson.hex(block - 1)),
                Call.of("eth_call", call, ChainJson.hex(block))));
    if (calls.isChange(transaction)) {
      Collections.reverse(asked);
    }
    return rpc.answers(asked)
        .thenApply(
            answers ->
                answers.stream()
                    .filter(Answer.Refusal.class::isInstance)
                    .map(Answer.Refusal.class::cast)
                    .findFirst()
                    .orElseGet(() -> new Answer.Refusal(0, "", "")));
  }

  @Override
  public CompletionStage<Optional<LedgerReceipt>> receipt(TransactionHash hash) {
    return find(hash)
        .thenCompose(
            found ->
                Answers.ifThere(
                    found,
                    one ->
                        awaitedOf(one)
                            .thenCompose(
                                signers -> receipts(List.of(one), signers, groups::genesis))
                            .thenApply(List::getFirst)));
  }

  /** Who has called something else than a group: its transaction is told as a public one's. */
  private CompletionStage<Set<LedgerAddress>> awaitedOf(JsonNode transaction) {
    return calls.concerns(transaction)
        ? groups.publicSigners()
        : completedFuture(Set.of(GroupCalls.from(transaction)));
  }

  @Override
  public CompletionStage<Optional<LedgerTransaction>> transaction(TransactionHash hash) {
    return find(hash)
        .thenCompose(
            found ->
                found
                    .flatMap(calls::genesis)
                    .map(groups::genesis)
                    .orElseGet(() -> completedFuture(Optional.empty()))
                    .thenApply(genesis -> found.flatMap(one -> calls.decode(one, genesis))));
  }

  /** If it is in a block that the ledger shows. */
  private CompletionStage<Optional<JsonNode>> find(TransactionHash hash) {
    return rpc.ask("eth_getTransactionByHash", hash.toString())
        .thenCombine(
            head(),
            (found, head) ->
                found.isNull()
                        || found.path("blockNumber").isNull()
                        || ChainJson.number(found, "blockNumber") > head.value()
                    ? Optional.empty()
                    : Optional.of(found));
  }

  @Override
  public Optional<GasMoney> gasMoney() {
    return Optional.of(new ChainMoney(rpc, pool, settings, this::recentHead, view::baseFee));
  }

  @Override
  public Optional<PublicContracts> contracts() {
    return Optional.of(contracts);
  }

  /** Later calls are answered as before: nothing is held open between two. */
  @Override
  public void close() {}
}
