package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.founding.Changing;
import dev.sequitur.protocol.founding.Changing.Next;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.ChangeStore;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Told;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Has the committees of groups changed as the rules of {@link Changing} say: keeps what the
 * operator has agreed to, has it signed, gathers the signatures of others and gives it to the base
 * ledger. What a process that ends has not done, the next look does. Thread-safe.
 */
public final class ChangingErrands {
  /** Blocks that are read at a time. */
  private static final int BLOCKS = 256;

  private final Surroundings node;
  private final Changing rules;
  private final Setup setup;
  private final ChangeStore store;
  private final Edge edge;

  /** Looks of this life at changes that could be given to the base ledger. */
  private final Map<ContractAddress, Integer> looks = new ConcurrentHashMap<>();

  /**
   * What was offered for gas in this life: the same again, and more only if the pool asks for it.
   */
  private final Map<ContractAddress, Fees> offers = new ConcurrentHashMap<>();

  /**
   * What does not change.
   *
   * @param chainId of the base ledger
   * @param gas what is offered for a change
   * @param signer what the node calls the key that gives the change of this digest to the base
   *     ledger, which has nonce 0 and no other
   */
  public record Setup(long chainId, Gas gas, Function<Hash, String> signer) {}

  /** The node around it. Called from any thread. */
  public interface Edge {
    /** The group, if this node is in it. */
    CompletionStage<Optional<PrivacyGroup>> group(ContractAddress contract);

    void send(List<Outgoing> messages);

    /**
     * Keeps a group as the base ledger shows it, and has all of the node go by it (CMT-5). What is
     * known of it already and has later changes stays.
     */
    CompletionStage<Void> enter(PrivacyGroup group);

    /**
     * Has what this node holds of a group made what the base ledger shows (DST-11), unless that is
     * under way.
     *
     * @return whether it is
     */
    CompletionStage<Boolean> rebuild(ContractAddress contract);

    /** What the operator should know. */
    void say(String sentence);

    /** A change that this node has signed, or that is over, once that is kept (AGR-8). */
    void record(AgreedChange change);

    /** What may come again and again. */
    void warnSeldom(String sentence);
  }

  public ChangingErrands(
      Surroundings node, Changing rules, Setup setup, ChangeStore store, Edge edge) {
    this.node = node;
    this.rules = rules;
    this.setup = setup;
    this.store = store;
    this.edge = edge;
  }

  // From the operator

  /**
   * The operator agrees to a change (AGR-1).
   *
   * @param by who has called
   * @return what is kept of it; fails with {@link RefusedIntent}
   */
  public CompletionStage<AgreedChange> agree(
      ContractAddress contract, CommitteeChange change, String by) {
    return edge.group(contract)
        .thenCompose(
            group -> {
              var refusal = rules.refusal(contract, group, change, node.height());
              if (refusal.isPresent()) {
                return CompletableFuture.failedFuture(refusal.get());
              }
              return store
                  .agree(AgreedChange.of(contract, change, node.now(), by, Changing.first(group)))
                  .thenCompose(kept -> kept(kept, change));
            });
  }

  private CompletionStage<AgreedChange> kept(Optional<AgreedChange> kept, CommitteeChange change) {
    var refusal =
        kept.map(it -> Changing.refusal(it, change)).orElse(Optional.of(Changing.tooMany()));
    if (refusal.isPresent()) {
      return CompletableFuture.failedFuture(refusal.get());
    }
    say(kept.get(), "was agreed to by " + kept.get().by());
    return CompletableFuture.completedFuture(kept.get());
  }

  /**
   * The operator takes back what it has agreed to (AGR-2).
   *
   * @return what is kept now: not withdrawn, if it was too late; empty if nothing was agreed to
   */
  public CompletionStage<Optional<AgreedChange>> withdraw(ContractAddress contract) {
    return store
        .agreed(contract)
        .thenCompose(
            found ->
                found
                    .flatMap(Changing::withdrawn)
                    .map(store::join)
                    .orElse(CompletableFuture.completedFuture(found)));
  }

  // Again and again

  /**
   * Does what is to be done about each change that is open.
   *
   * @return completes when all of it is done, or was tried
   */
  public CompletionStage<Void> look() {
    return store
        .openChanges()
        .thenCompose(open -> Answers.inTurn(open, this::lookAt))
        .thenAccept(done -> {});
  }

  /** The height is read first: what a block up to it has taken, the group then shows. */
  private CompletionStage<Void> lookAt(AgreedChange agreed) {
    var height = node.height();
    return edge.group(agreed.contract())
        .thenCompose(group -> step(agreed, group, height))
        .exceptionally(
            failure -> {
              trouble(agreed, failure);
              return null;
            });
  }

  private void trouble(AgreedChange agreed, Throwable failure) {
    var why = Optional.ofNullable(Answers.cause(failure).getMessage()).orElse("" + failure);
    edge.warnSeldom(
        "The change %s of the committee of %s waits, and is tried again: %s"
            .formatted(agreed.change().number(), agreed.contract(), why));
  }

  private CompletionStage<Void> step(
      AgreedChange agreed, Optional<PrivacyGroup> group, BlockHeight height) {
    int looked = looks.getOrDefault(agreed.contract(), 0);
    return switch (rules.next(agreed, group, height, looked)) {
      case Next.Become(var now) -> become(agreed, now);
      case Next.Read() -> read(agreed);
      case Next.Sign(var keys) -> sign(agreed, keys);
      case Next.Tell(var nodes) -> {
        tell(agreed, nodes);
        yield CompletableFuture.completedFuture(null);
      }
      case Next.Wait() -> {
        looks.merge(agreed.contract(), 1, Integer::sum);
        yield CompletableFuture.completedFuture(null);
      }
      case Next.Hold() -> CompletableFuture.completedFuture(null);
      case Next.Give() -> give(agreed, group.or(agreed::read).orElseThrow().committee());
      case Next.Enter(var shown) -> edge.enter(shown);
      case Next.Join(var readAgain) ->
          edge.rebuild(agreed.contract())
              .thenCompose(
                  done ->
                      done ? rebuilt(agreed, readAgain) : CompletableFuture.completedFuture(null));
    };
  }

  private CompletionStage<Void> rebuilt(AgreedChange agreed, boolean readAgain) {
    CompletionStage<Void> entered =
        readAgain
            ? shown(agreed).thenCompose(group -> edge.enter(group.orElseThrow()))
            : CompletableFuture.completedFuture(null);
    return entered.thenCompose(done -> become(agreed, Changing.joined(agreed)));
  }

  private CompletionStage<Void> become(AgreedChange before, AgreedChange now) {
    return store
        .join(now)
        .thenAccept(
            kept ->
                kept.filter(it -> it.isOf(now.change())).ifPresent(it -> became(before, now, it)));
  }

  /** What another JVM has made of it meanwhile, that one tells. */
  private void became(AgreedChange before, AgreedChange now, AgreedChange kept) {
    if (!kept.phase().isOpen()) {
      looks.remove(kept.contract());
      offers.remove(kept.contract());
    }
    if (kept.phase() != now.phase()) {
      return;
    }
    if (before.phase() != kept.phase()) {
      told(kept);
    } else if (!before.note().equals(kept.note())) {
      kept.note().ifPresent(why -> say(kept, "waits: " + why));
    }
  }

  private void told(AgreedChange now) {
    if (now.phase() == ChangeStore.Phase.GATHERING || now.phase() == ChangeStore.Phase.OVER) {
      edge.record(now);
    }
    switch (now.phase()) {
      case READING, WITHDRAWN -> {}
      case SIGNING -> say(now, "follows from what the base ledger shows");
      case GATHERING -> say(now, "is signed by this node");
      case GIVING -> say(now, "is signed by enough and is given to the base ledger");
      case JOINING -> say(now, "stands on the base ledger: the group is read there once more");
      case IN_FORCE -> say(now, "stands on the base ledger");
      case OVER -> say(now, "never comes into force: " + now.note().orElse(""));
    }
  }

  private void say(AgreedChange about, String what) {
    edge.say(
        "The change %s of the committee of %s %s"
            .formatted(about.change().number(), about.contract(), what));
  }

  private CompletionStage<Void> sign(AgreedChange agreed, List<Member> keys) {
    var message = agreed.change().message(setup.chainId(), agreed.contract());
    return Answers.<Member, Signature>inTurn(
            keys,
            member ->
                node.keys()
                    .signed(member.identity().name(), member.verifier(), message)
                    .thenApply(value -> new Signature(member.identity(), member.verifier(), value)))
        .thenCompose(signatures -> become(agreed, Changing.signed(agreed, signatures)));
  }

  private void tell(AgreedChange agreed, Iterable<NodeName> nodes) {
    nodes.forEach(to -> edge.send(List.of(Outgoing.of(to, said(agreed)))));
  }

  private static ChangeSignatures said(AgreedChange agreed) {
    return new ChangeSignatures(agreed.contract(), agreed.change(), agreed.signatures());
  }

  private static ChangeSignatures said(AgreedChange agreed, Deploy terms) {
    return new ChangeSignatures(
        agreed.contract(), agreed.change(), agreed.signatures(), Optional.of(terms));
  }

  /** By a key of that change alone, whose nonce no other one can use up (AGR-4). */
  private CompletionStage<Void> give(AgreedChange agreed, Committee before) {
    var ledger = node.ledger();
    var digest = agreed.change().digest(setup.chainId(), agreed.contract());
    var signer = node.keys().signer(setup.signer().apply(digest));
    var call =
        new LedgerTransaction.ChangeCommittee(
            agreed.contract(), agreed.change(), agreed.signatures());
    var fees =
        offers.computeIfAbsent(agreed.contract(), contract -> setup.gas().first(ledger.baseFee()));
    var transaction =
        new LedgerTransaction(
            node.signatures().address(signer.verifier()),
            0,
            fees,
            setup.gas().limit(call, before.members().size()),
            call);
    useGas(transaction);
    return ledger
        .submit(List.of(ledger.sign(transaction, signer)))
        .thenAccept(outcomes -> submitted(agreed.contract(), fees, outcomes.getFirst()));
  }

  private void submitted(ContractAddress contract, Fees offered, SubmitOutcome outcome) {
    if (outcome instanceof SubmitOutcome.Underpriced underpriced
        && setup.gas().ceiling().cover(underpriced.needed())) {
      offers.put(contract, offered.orMore(underpriced.needed()));
    }
    hindrance(outcome)
        .ifPresent(
            why -> {
              throw new IllegalStateException(why);
            });
  }

  /**
   * Where gas costs money, the key gets what it needs: if it is too late for this try, another
   * comes.
   */
  private void useGas(LedgerTransaction transaction) {
    var needs = transaction.fees().cost(transaction.gasLimit());
    if (needs.signum() > 0) {
      node.use(
          new KeyUse(
              transaction.signer(),
              needs,
              BigInteger.ZERO,
              false,
              false,
              AboveCeiling.NOTHING,
              true));
    }
  }

  private static Optional<String> hindrance(SubmitOutcome outcome) {
    return switch (outcome) {
      case SubmitOutcome.Pooled ignored -> Optional.empty();
      case SubmitOutcome.NonceTooLow ignored ->
          Optional.of(
              "A block has it that is not final yet, or the block that had it has refused it.");
      case SubmitOutcome.Underpriced underpriced ->
          Optional.of(
              "It pays too little to be taken now: " + underpriced.needed() + " is needed.");
      case SubmitOutcome.InsufficientFunds ignored ->
          Optional.of("The account that gives it has not the money for the gas.");
      case SubmitOutcome.PoolFull ignored -> Optional.of("The pool of the base ledger is full.");
      case SubmitOutcome.Invalid invalid -> Optional.of(invalid.reason());
    };
  }

  // Who is new

  private CompletionStage<Void> read(AgreedChange agreed) {
    return shown(agreed).thenCompose(group -> become(agreed, rules.read(agreed, group)));
  }

  /** The group as its blocks show it, up to the newest final one. */
  private CompletionStage<Optional<PrivacyGroup>> shown(AgreedChange agreed) {
    var nothing =
        new Shown(agreed.contract(), agreed.told().map(Told::terms), false, Optional.empty());
    return node.ledger()
        .firstBlock()
        .thenCompose(first -> readFrom(first, nothing))
        .thenApply(Shown::group);
  }

  private CompletionStage<Shown> readFrom(BlockHeight from, Shown before) {
    long left = node.height().value() - from.value() + 1;
    if (left <= 0) {
      return CompletableFuture.completedFuture(before);
    }
    int limit = (int) Math.min(BLOCKS, left);
    return before
        .terms()
        .map(terms -> node.ledger().blocks(from, limit, terms))
        .orElseGet(() -> node.ledger().blocks(from, limit))
        .thenComposeAsync(
            blocks -> {
              var shown = before;
              for (var block : blocks) {
                shown = after(block, shown);
              }
              if (blocks.isEmpty()) {
                throw new IllegalStateException(
                    "The base ledger does not show block %s, which is final.".formatted(from));
              }
              return readFrom(new BlockHeight(blocks.getLast().height().value() + 1), shown);
            },
            node.computing());
  }

  /**
   * What is read of a group.
   *
   * @param terms what it has begun with, if that was told
   * @param elsewhere whether a contract before this one was made on these terms: that one is the
   *     group's (SEL-6)
   */
  private record Shown(
      ContractAddress contract,
      Optional<Deploy> terms,
      boolean elsewhere,
      Optional<PrivacyGroup> group) {
    private Shown with(Optional<PrivacyGroup> now) {
      return new Shown(contract, terms, elsewhere, now);
    }

    private Shown made(LedgerReceipt.Deployed made, long chainId) {
      if (made.contract().equals(contract)) {
        return elsewhere ? this : with(Optional.of(made.group(chainId)));
      }
      var same = terms.filter(it -> it.genesis().equals(made.genesis())).isPresent();
      return new Shown(contract, terms, elsewhere || (same && group.isEmpty()), group);
    }
  }

  private Shown after(Block block, Shown before) {
    var shown = before;
    for (var receipt : block.receipts()) {
      for (var result : receipt.results()) {
        shown =
            switch (result) {
              case LedgerReceipt.Deployed made -> shown.made(made, setup.chainId());
              case LedgerReceipt.CommitteeChanged changed ->
                  changed.contract().equals(before.contract())
                      ? shown.with(
                          shown.group().flatMap(it -> it.changed(changed.change(), block.height())))
                      : shown;
              case LedgerReceipt.ChangeRefused ignored -> shown;
              case LedgerReceipt.Fulfilled ignored -> shown;
              case LedgerReceipt.Reverted ignored -> shown;
              case LedgerReceipt.Called ignored -> shown;
              case LedgerReceipt.NonceUsed ignored -> shown;
            };
      }
    }
    return shown;
  }

  // From other nodes

  /**
   * Another node's operator has agreed to a change. This node's must have agreed to the same, else
   * nothing comes of it.
   *
   * @return completes when it is kept, or was dropped
   */
  public CompletionStage<Void> receive(NodeName from, ChangeSignatures told) {
    return store
        .agreed(told.contract())
        .thenCompose(
            found ->
                found
                    .filter(agreed -> agreed.isOf(told.change()))
                    .map(agreed -> take(from, agreed, told))
                    .orElse(CompletableFuture.completedFuture(null)))
        .exceptionally(
            failure -> {
              edge.warnSeldom(
                  "Signatures of a change of a committee cannot be kept, and come again: "
                      + Answers.cause(failure).getMessage());
              return null;
            });
  }

  private CompletionStage<Void> take(NodeName from, AgreedChange agreed, ChangeSignatures told) {
    return edge.group(agreed.contract())
        .thenCompose(
            group -> {
              var known = group.or(agreed::read);
              known
                  .flatMap(it -> rules.answer(from, agreed, it, told.signatures()))
                  .ifPresent(terms -> edge.send(List.of(Outgoing.of(from, said(agreed, terms)))));
              if (!agreed.phase().isOpen()) {
                return CompletableFuture.completedFuture(null);
              }
              return known
                  .map(it -> take(from, agreed, it.committee(), told))
                  .orElseGet(() -> takeTerms(from, agreed, told.terms()));
            });
  }

  private CompletionStage<Void> take(
      NodeName from, AgreedChange agreed, Committee before, ChangeSignatures told) {
    if (!Changing.nodes(before, agreed.change()).contains(from)) {
      return CompletableFuture.completedFuture(null);
    }
    var now = Changing.told(agreed, before, told.signatures(), each -> isValid(told, each));
    if (Changing.knowsMore(now, told.signatures())) {
      tell(now, List.of(from));
    }
    return now.equals(agreed) ? CompletableFuture.completedFuture(null) : become(agreed, now);
  }

  /** What the group has begun with, for a node that has been in none of the contract (AGR-9). */
  private CompletionStage<Void> takeTerms(
      NodeName from, AgreedChange agreed, Optional<Deploy> terms) {
    if (terms.isEmpty() || !rules.awaitsTerms(agreed)) {
      return CompletableFuture.completedFuture(null);
    }
    var refusal = rules.refusal(from, agreed, terms.get());
    refusal.ifPresent(edge::warnSeldom);
    return refusal.isPresent()
        ? CompletableFuture.completedFuture(null)
        : become(agreed, Changing.told(agreed, from, terms.get()));
  }

  private boolean isValid(ChangeSignatures told, Signature signature) {
    var digest = told.change().digest(setup.chainId(), told.contract());
    return node.signatures().isValid(signature.verifier(), digest, signature.value());
  }
}
