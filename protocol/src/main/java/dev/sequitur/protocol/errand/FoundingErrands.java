package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.founding.FoundingEffect;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingInput;
import dev.sequitur.protocol.founding.Withdrawals;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the making of groups and their withdrawal have done by others: the node store, the base
 * ledger, the keys that groups are deployed with. Thread-safe.
 */
public final class FoundingErrands {
  /** Of accepted transactions, read at once. */
  private static final int PAGE = 100;

  private final Surroundings node;
  private final GroupStore store;
  private final NewGroupReceipts receipts;
  private final Function<GroupId, String> deployer;
  private final Edge edge;

  /** Callers of this life that are not answered yet. */
  private final Map<Long, Consumer<Outcome>> callers = new ConcurrentHashMap<>();

  private final AtomicLong calls = new AtomicLong();

  /** The machines themselves, and whoever looks after the node. Called from any thread. */
  public interface Edge {
    /** What was asked for; lost with its life. */
    void answer(FoundingInput input);

    /** A group of this node's own is stored as never made. */
    void withdraw(StoredGroup ended);

    /** Whether keys get money for gas by themselves. */
    boolean isFunded();

    /** What may come again and again, by whatever others do. */
    void warnSeldom(String sentence);

    /** What the operator is to know. */
    void warn(String sentence);

    /** What has gone wrong here. */
    void warn(String sentence, Throwable why);

    /** What is good to know. */
    void say(String sentence);
  }

  /**
   * @param deployer what the node calls the key that a group is deployed with
   */
  public FoundingErrands(
      Surroundings node, GroupStore store, Function<GroupId, String> deployer, Edge edge) {
    this.node = node;
    this.store = store;
    this.receipts = new NewGroupReceipts(node, store);
    this.deployer = deployer;
    this.edge = edge;
  }

  // From callers; each is answered once, or never if this life ends before

  /** A group that no transaction was accepted for. */
  public FoundingInput make(GroupRequest request, TransactionId genesis, Consumer<Outcome> answer) {
    return new FoundingInput.Make(call(answer), request, genesis);
  }

  public FoundingInput resolve(Identity identity, Consumer<Outcome> answer) {
    return new FoundingInput.Resolve(call(answer), identity);
  }

  /** So many transactions that make groups are about to be accepted. */
  public FoundingInput reserve(long more, Consumer<Outcome> answer) {
    return new FoundingInput.Reserve(call(answer), more);
  }

  private long call(Consumer<Outcome> answer) {
    long call = calls.incrementAndGet();
    callers.put(call, answer);
    return call;
  }

  /**
   * Tells of what is stored and not made: what a crash, of this JVM or of another, may have kept
   * from it. What another node makes this one only waits for.
   */
  public CompletionStage<Void> takeUp() {
    return store
        .unfinishedGroups()
        .thenCompose(unfinished -> Answers.inTurn(unfinished, this::takeUp))
        .thenAccept(inputs -> inputs.forEach(edge::answer));
  }

  /** The process may have ended between its transaction's receipt and the end of the group. */
  private CompletionStage<FoundingInput> takeUp(StoredGroup group) {
    if (group.notMade().isPresent()) {
      return CompletableFuture.completedFuture(new FoundingInput.TakenUp(group, Optional.empty()));
    }
    return node.intents()
        .receipt(group.genesisTransaction().orElseThrow())
        .thenApply(
            receipt ->
                new FoundingInput.TakenUp(
                    group, receipt.flatMap(ended -> ended.receipt().failureMessage())));
  }

  // What the machines want

  public void run(FoundingEffect effect) {
    switch (effect) {
      case FoundingEffect.ReadPending(var after) -> readPending(after);
      case FoundingEffect.Find(var group) ->
          ask(
              store.group(group),
              stored -> new FoundingInput.Found(group, stored),
              why -> new FoundingInput.NotFound(group, why));
      case FoundingEffect.Store(var group) ->
          ask(
              store.putGroup(group),
              done -> new FoundingInput.Stored(group.id()),
              why -> new FoundingInput.NotStored(group.id(), why));
      case FoundingEffect.Look(var group, var hashes, var nonce) -> look(group, hashes, nonce);
      case FoundingEffect.Submit submit -> submit(submit);
      case FoundingEffect.UseGas use -> useGas(use);
      case FoundingEffect.StoreEnd(var ended) ->
          ask(
              receipts
                  .notMade(ended.id(), ended.notMade().orElseThrow())
                  .thenCompose(done -> store.putGroup(ended)),
              done -> new FoundingInput.EndStored(ended.id()),
              why -> new FoundingInput.EndNotStored(ended.id(), why));
      case FoundingEffect.Refuse(var group, var asked, var reason) ->
          ask(
              receipts.notMade(asked, reason),
              done -> new FoundingInput.EndStored(group),
              why -> new FoundingInput.EndNotStored(group, why));
      case FoundingEffect.Withdraw(var ended) -> edge.withdraw(ended);
      case FoundingEffect.Answer(var call, var outcome) -> callers.remove(call).accept(outcome);
      case FoundingEffect.Warn(var sentence) -> edge.warn(sentence);
      case FoundingEffect.Failed(var sentence, var why) -> edge.warn(sentence, why);
    }
  }

  public void run(Withdrawals.Effect effect) {
    switch (effect) {
      case Withdrawals.Effect.Store(var untold) -> store(untold);
      case Withdrawals.Effect.Unanswered(var silent) ->
          edge.warnSeldom(
              "Node %s cannot be told that groups are never made, and is told again every %d seconds: check that it runs and is a peer."
                  .formatted(silent, Withdrawals.PAUSE.toSeconds()));
      case Withdrawals.Effect.Late(var late, var group) ->
          edge.say("Node %s was not told that group %s is never made".formatted(late, group));
    }
  }

  private <T> void ask(
      CompletionStage<T> question,
      Function<T, FoundingInput> answered,
      Function<Throwable, FoundingInput> failed) {
    BiFunction<T, Throwable, FoundingInput> told =
        (answer, failure) ->
            failure == null ? answered.apply(answer) : failed.apply(Answers.root(failure));
    var unused = question.handle(told).thenAccept(edge::answer);
  }

  private void readPending(long after) {
    ask(
        store.newGroupsPending(after, PAGE),
        page ->
            new FoundingInput.PendingRead(
                page.stream().flatMap(intent -> intent.newGroup().stream()).toList(),
                page.size() < PAGE ? Optional.empty() : Optional.of(last(page))),
        FoundingInput.PendingNotRead::new);
  }

  private static long last(List<Intent> page) {
    return page.getLast().order();
  }

  private void look(GroupId group, List<TransactionHash> hashes, boolean withNonce) {
    var ledger = node.ledger();
    CompletionStage<Optional<LedgerReceipt>> found =
        Answers.<Optional<LedgerReceipt>>all(hashes.stream().map(ledger::receipt).toList())
            .thenApply(all -> all.stream().flatMap(Optional::stream).findFirst());
    ask(
        found.thenCompose(
            receipt ->
                nonce(group, withNonce && receipt.isEmpty())
                    .thenApply(
                        next -> new FoundingInput.Looked(group, receipt, next, ledger.baseFee()))),
        looked -> looked,
        why -> new FoundingInput.Unreachable(group, why));
  }

  private CompletionStage<OptionalLong> nonce(GroupId group, boolean isWanted) {
    return isWanted
        ? node.ledger()
            .nonce(node.signatures().address(signer(group).verifier()))
            .thenApply(OptionalLong::of)
        : CompletableFuture.completedFuture(OptionalLong.empty());
  }

  private Signer signer(GroupId group) {
    return node.keys().signer(deployer.apply(group));
  }

  private void submit(FoundingEffect.Submit submit) {
    var ledger = node.ledger();
    var group = submit.deployment().genesis().group();
    var signer = signer(group);
    var address = node.signatures().address(signer.verifier());
    var transaction =
        new LedgerTransaction(
            address, 0, submit.fees(), submit.gasLimit(), submit.deployment().call());
    ask(
        CompletableFuture.completedFuture(transaction)
            .thenCompose(it -> ledger.submit(List.of(ledger.sign(it, signer)))),
        outcomes ->
            new FoundingInput.Submitted(
                group, address, outcomes.get(0), ledger.baseFee(), edge.isFunded()),
        why -> new FoundingInput.Unreachable(group, why));
  }

  private void useGas(FoundingEffect.UseGas use) {
    var needs = use.fees().cost(use.gasLimit());
    if (needs.signum() > 0) {
      var key = node.signatures().address(signer(use.group()).verifier());
      node.use(
          new KeyUse(key, needs, BigInteger.ZERO, use.waits(), false, AboveCeiling.NOTHING, true));
    }
  }

  private void store(StoredGroup untold) {
    var unused =
        store
            .putGroup(untold)
            .exceptionally(
                failure -> {
                  edge.warn(
                      "Cannot store which nodes know that group %s is never made; they are told again after a restart"
                          .formatted(untold.id()),
                      failure);
                  return null;
                });
  }
}
