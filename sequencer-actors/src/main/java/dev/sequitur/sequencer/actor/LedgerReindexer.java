package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.indexing.GroupRebuilds;
import dev.sequitur.protocol.indexing.ReceiptCorrection;
import dev.sequitur.protocol.indexing.ReceiptCorrection.Judged;
import dev.sequitur.protocol.indexing.ReceiptCorrection.Now;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.ReadSoFar.Reindex;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Does what is left to be done once the ledger is read again from a fork on (CNF-11, CNF-12): waits
 * until it was read as far as before, corrects receipts whose blocks are gone, has nonces given
 * again that the ledger has taken back, and has each group made what the ledger shows, after which
 * it goes on. A child of the indexer. It remembers nothing but in the node store that it has not
 * ended: after a crash all of it is done again, and what was done already changes nothing.
 */
final class LedgerReindexer extends AbstractBehavior<LedgerReindexer.Command> {
  /** Receipts that are looked at together. */
  private static final int PAGE = 100;

  /** Between two looks at what has to come first, and after a failure. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final Duration ASK = Duration.ofSeconds(30);

  /** What the reindexer is told, by itself. */
  sealed interface Command {}

  private record GoOn() implements Command {}

  private record Done(Phase next) implements Command {}

  private record Failed(Throwable cause) implements Command {}

  /** What comes next. */
  private sealed interface Phase {
    String sentence();

    /** Nothing is judged before the ledger was read again as far as before. */
    record Reading() implements Phase {
      @Override
      public String sentence() {
        return "reads the blocks";
      }
    }

    /**
     * @param after the number of the last receipt that was looked at
     */
    record Receipts(long after) implements Phase {
      @Override
      public String sentence() {
        return "corrects receipts, the first " + after + " are looked at";
      }
    }

    record Nonces() implements Phase {
      @Override
      public String sentence() {
        return "asks for the nonces of its keys";
      }
    }

    record Rebuilding(GroupRebuilds groups) implements Phase {
      @Override
      public String sentence() {
        return groups.sentence();
      }
    }

    /**
     * @param stopped groups that could not be rebuilt
     */
    record Ended(List<ContractAddress> stopped) implements Phase {
      @Override
      public String sentence() {
        return "ends it";
      }
    }
  }

  private final NodeServices services;
  private final ActorRef<LedgerComparer.Command> comparer;
  private final TimerScheduler<Command> timers;
  private final Reindex reindex;
  private final LedgerReach reach = new LedgerReach("What the ledger was reorganised to");

  /** Names of keys that have signed public transactions of which it has seen the receipts. */
  private final TreeSet<String> publicKeys = new TreeSet<>();

  private final Set<LedgerAddress> signers = new HashSet<>();

  private Phase phase = new Phase.Reading();

  static Behavior<Command> create(
      NodeServices services, ActorRef<LedgerComparer.Command> comparer, Reindex reindex) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new LedgerReindexer(context, timers, services, comparer, reindex)));
  }

  private LedgerReindexer(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeServices services,
      ActorRef<LedgerComparer.Command> comparer,
      Reindex reindex) {
    super(context);
    this.services = services;
    this.comparer = comparer;
    this.timers = timers;
    this.reindex = reindex;
    tell();
    step();
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onAnyMessage(this::onCommand)
        .onSignal(PostStop.class, stopped -> onStopped())
        .build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case GoOn() -> {
        step();
        yield this;
      }
      case Done(var next) -> onDone(next);
      case Failed(var cause) -> {
        reach.failed(cause, services.now()).ifPresent(getContext().getLog()::warn);
        timers.startSingleTimer(new GoOn(), AGAIN);
        yield this;
      }
    };
  }

  private Behavior<Command> onDone(Phase next) {
    if (reach.reached()) {
      getContext().getLog().info("What the ledger was reorganised to can be read again");
    }
    if (phase instanceof Phase.Ended(var stopped)) {
      stopped.forEach(
          group ->
              getContext()
                  .getLog()
                  .warn(
                      "Group {} could not be made what the ledger shows and stays stopped until `sequitur compare-ledger {} --rebuild` has done it",
                      group,
                      group));
      getContext()
          .getLog()
          .info("The base ledger was read again from block {} on: that is done", from());
      return Behaviors.stopped();
    }
    var pause = pause(next);
    phase = next;
    tell();
    if (pause.isPositive()) {
      timers.startSingleTimer(new GoOn(), pause);
    } else {
      step();
    }
    return this;
  }

  private Duration pause(Phase next) {
    return next instanceof Phase.Rebuilding(var groups)
        ? groups.pause()
        : next.equals(phase) ? AGAIN : Duration.ZERO;
  }

  private Behavior<Command> onStopped() {
    services.standing().reindexing(Optional.empty());
    return this;
  }

  private long from() {
    return reindex.fork().value() + 1;
  }

  private void tell() {
    services
        .standing()
        .reindexing(
            Optional.of(
                "The base ledger is read again from block %d on, up to where this node had read it, block %s: it %s now. Its groups stand still until that is done."
                    .formatted(from(), reindex.upTo(), phase.sentence())));
  }

  private void step() {
    getContext()
        .pipeToSelf(
            begun(), (next, failure) -> failure == null ? new Done(next) : new Failed(failure));
  }

  /** Whatever fails is tried again. */
  private CompletionStage<Phase> begun() {
    try {
      return next();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Phase> next() {
    return switch (phase) {
      case Phase.Reading here ->
          read().thenApply(to -> to.compareTo(reindex.upTo()) < 0 ? here : new Phase.Receipts(0));
      case Phase.Receipts here -> receipts(here);
      case Phase.Nonces ignored -> nonces();
      case Phase.Rebuilding(var groups) -> rebuild(groups);
      case Phase.Ended here -> services.store().endReindex(reindex).thenApply(done -> here);
    };
  }

  private CompletionStage<BlockHeight> read() {
    return services
        .store()
        .indexedTo()
        .thenApply(to -> to.map(IndexedTo::height).orElse(BlockHeight.ZERO));
  }

  /** In their order, so that whoever listens is told in that order. */
  private CompletionStage<Phase> receipts(Phase.Receipts here) {
    return read()
        .thenCompose(
            read ->
                services
                    .store()
                    .receipts(here.after(), PAGE)
                    .thenCompose(page -> receipts(here, page, read)));
  }

  private CompletionStage<Phase> receipts(
      Phase.Receipts here, List<NumberedReceipt> found, BlockHeight read) {
    var page = found.stream().filter(each -> each.sequence() <= reindex.receipts()).toList();
    if (page.isEmpty()) {
      return CompletableFuture.completedStage(new Phase.Nonces());
    }
    var concerned =
        page.stream()
            .filter(each -> ReceiptCorrection.concerns(each.receipt(), reindex.fork()))
            .toList();
    var blocks = new HashMap<BlockHeight, CompletionStage<Block>>();
    return signers(page)
        .thenCompose(done -> Answers.inTurn(concerned, each -> judged(each, read, blocks)))
        .thenCompose(
            judged -> {
              var corrections = new ArrayList<NumberedReceipt>();
              for (int i = 0; i < judged.size(); i++) {
                var told = concerned.get(i);
                switch (judged.get(i)) {
                  case Judged.Same ignored -> {}
                  case Judged.Later ignored -> {
                    // What comes before it is corrected now, the rest of the page with it.
                    return corrected(corrections)
                        .thenApply(done -> new Phase.Receipts(told.sequence() - 1));
                  }
                  case Judged.Corrected(var receipt) ->
                      corrections.add(new NumberedReceipt(told.sequence(), receipt, told.own()));
                }
              }
              return corrected(corrections)
                  .thenApply(done -> new Phase.Receipts(page.getLast().sequence()));
            });
  }

  private CompletionStage<Void> corrected(List<NumberedReceipt> corrections) {
    return corrections.isEmpty()
        ? CompletableFuture.completedStage(null)
        : services.store().correct(corrections).thenAccept(services::ended);
  }

  private CompletionStage<Judged> judged(
      NumberedReceipt told, BlockHeight read, Map<BlockHeight, CompletionStage<Block>> blocks) {
    var place = told.receipt().onLedger().orElseThrow();
    if (told.receipt().called().isPresent()) {
      return now(told.receipt(), place.hash())
          .thenApply(now -> ReceiptCorrection.byHash(told.receipt(), now, read, services.now()));
    }
    return place.block().compareTo(read) > 0
        ? CompletableFuture.completedStage(new Judged.Later())
        : blocks
            .computeIfAbsent(place.block(), this::block)
            .thenApply(now -> ReceiptCorrection.inBlock(told.receipt(), now, services.now()));
  }

  private CompletionStage<Now> now(Receipt told, TransactionHash hash) {
    var ledger = services.ledger();
    return ledger
        .receipt(hash)
        .thenCompose(
            found ->
                Answers.ifThere(
                        ReceiptCorrection.nonce(told).filter(nonce -> found.isEmpty()),
                        nonce -> ledger.nonce(nonce.signer()))
                    .thenApply(next -> new Now(found, next)));
  }

  private CompletionStage<Block> block(BlockHeight height) {
    return services
        .ledger()
        .blocks(height, 1)
        .thenApply(
            found ->
                found.stream()
                    .filter(block -> block.height().equals(height))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                "The base ledger does not give block " + height + " again.")));
  }

  /** Of each key that these name one transaction is looked up, which knows its name. */
  private CompletionStage<Void> signers(List<NumberedReceipt> page) {
    var found = new HashMap<>(ReceiptCorrection.signers(page));
    found.keySet().removeAll(signers);
    return Answers.inTurn(List.copyOf(found.values()), services.store()::intent)
        .thenAccept(
            intents -> {
              signers.addAll(found.keySet());
              intents.forEach(
                  intent ->
                      intent
                          .flatMap(Intent::publicly)
                          .ifPresent(it -> publicKeys.add(it.from().name())));
            });
  }

  private CompletionStage<Phase> nonces() {
    var entities = services.entities();
    var contracts = new ArrayList<ContractAddress>();
    return services
        .everyGroup(
            contract -> {
              contracts.add(contract);
              return nonceFell(NodeKeyNames.submitter(contract), entities.submitter(contract));
            })
        .thenCompose(done -> services.store().sendersWithPublicPending())
        .thenCompose(
            senders -> {
              senders.forEach(sender -> publicKeys.add(sender.name()));
              return Answers.inTurn(
                  List.copyOf(publicKeys),
                  name ->
                      nonceFell(
                          name, entities.publicSubmitter(new Identity(name, services.self()))));
            })
        .thenApply(done -> rebuilding(GroupRebuilds.of(contracts)));
  }

  private CompletionStage<SubmitterActor.PublicChange> nonceFell(
      String key, EntityRef<SubmitterActor.Command> submitter) {
    return nonce(key)
        .thenCompose(
            next ->
                submitter.<SubmitterActor.PublicChange>ask(
                    replyTo -> new SubmitterActor.NonceFell(next, replyTo), ASK));
  }

  private CompletionStage<Long> nonce(String key) {
    LedgerAddress signer = services.signatures().address(services.keys().account(key));
    return services.ledger().nonce(signer);
  }

  private static Phase rebuilding(GroupRebuilds groups) {
    return groups.isDone() ? new Phase.Ended(groups.left()) : new Phase.Rebuilding(groups);
  }

  private CompletionStage<Phase> rebuild(GroupRebuilds groups) {
    var contract = groups.first();
    var scheduler = getContext().getSystem().scheduler();
    CompletionStage<LedgerComparer.Progress> answer =
        groups.asked()
            ? AskPattern.ask(
                comparer,
                replyTo -> new LedgerComparer.GetProgress(contract, replyTo),
                ASK,
                scheduler)
            : AskPattern.ask(
                comparer,
                replyTo -> new LedgerComparer.Compare(contract, true, replyTo),
                ASK,
                scheduler);
    return answer.thenApply(
        now -> rebuilding(groups.after(now.progress().map(ComparisonProgress::status))));
  }
}
