package dev.sequitur.sequencer.runtime;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.funding.Funding.GasReport.Status;
import dev.sequitur.protocol.funding.Funding.KeyUse;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.actor.NewGroupReceipts;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the groups that this node makes to their members, then deploys them (SEL-7), and tries
 * again until their contracts stand. What is never made is stored as such, not tried again, and
 * withdrawn (SEL-9). Each group's deployment has a signing key of its own with nonce 0, so that
 * deploying again is the same transaction. Thread-safe.
 */
final class Deployments {
  /** Between two rounds of tries. */
  static final Duration PAUSE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Deployments.class);

  private static final String ASKING =
      "The nodes of its members are asked whether they take part in it.";

  private static final String TRIED_AGAIN =
      " This node tries again every "
          + PAUSE.toSeconds()
          + " seconds; to create the group again makes another one.";

  private final NodeServices services;
  private final GenesisDistribution distribution;
  private final Later later;
  private final NewGroupReceipts receipts;
  private final Withdrawals withdrawals;

  // By this: what is not known to have ended, oldest first, how many calls are making one, and
  // whether a round runs or is to come. What a start finds in the store was bounded when it was
  // asked for.
  private final Map<GroupId, Unfinished> unfinished = new LinkedHashMap<>();
  private int reserved;
  private boolean inRounds;

  /**
   * @param given whether all members have acknowledged it
   * @param fees to be offered next; the first ones again after a restart
   * @param since when the ledger took it first at these fees
   * @param pooled what the ledger has taken, at any fees
   * @param notMade why it is never made, which is not stored yet
   * @param told what the log has last said of it
   * @param waitsFor what the last try has failed over
   */
  @Copyable
  record Unfinished(
      Deployment deployment,
      boolean given,
      Fees fees,
      Optional<Instant> since,
      List<TransactionHash> pooled,
      Optional<String> notMade,
      Optional<String> told,
      Optional<String> waitsFor)
      implements DeploymentsUnfinishedBuilder.With {
    private Unfinished offering(Fees newFees) {
      return with().fees(newFees).since(Optional.empty()).build();
    }

    private Unfinished pooled(TransactionHash hash, Instant now) {
      var all = new LinkedHashSet<>(pooled);
      all.add(hash);
      return with().since(since.or(() -> Optional.of(now))).pooled(List.copyOf(all)).build();
    }
  }

  Deployments(NodeServices services, GenesisDistribution distribution, Later later) {
    this.services = services;
    this.distribution = distribution;
    this.later = later;
    this.receipts = new NewGroupReceipts(services);
    this.withdrawals = new Withdrawals(services, distribution, later);
  }

  /** Whether there is room for one more group that a call makes; {@link #release} has to follow. */
  synchronized boolean reserve() {
    boolean hasRoom = hasRoom();
    if (!hasRoom) {
      // Some of them may stand since the last round.
      forgetStanding();
      hasRoom = hasRoom();
    }
    if (hasRoom) {
      reserved++;
    }
    return hasRoom;
  }

  private synchronized boolean hasRoom() {
    return unfinished.size() + reserved < Groups.MOST;
  }

  synchronized void release() {
    reserved--;
  }

  /**
   * The first try for a stored group. Fails with a sentence for the caller; what a member's node
   * rejects is not tried again.
   */
  CompletionStage<Void> begin(Deployment deployment) {
    return attempt(fresh(deployment)).whenComplete((done, failure) -> startRounds(PAUSE));
  }

  private Unfinished fresh(Deployment deployment) {
    return new Unfinished(
        deployment,
        false,
        services.setup().rules().gas().initial(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * What keeps a group from being made: that for which its last try has failed, or its members'
   * answers. Empty if it waits for its block, or if this JVM does not make it.
   */
  synchronized Optional<String> waitsFor(GroupId group) {
    return Optional.ofNullable(unfinished.get(group))
        .flatMap(
            each ->
                each.waitsFor().or(() -> each.given() ? Optional.empty() : Optional.of(ASKING)));
  }

  /**
   * Takes up what a crash, of this JVM or of another, may have kept from being deployed. What this
   * one deploys already goes on as it is, and what is never made is not made now either.
   *
   * @param stored what another node deploys among it this one only waits for
   */
  CompletionStage<Void> resume(List<StoredGroup> stored) {
    CompletionStage<Void> taken = CompletableFuture.completedFuture(null);
    for (var group : stored) {
      if (group.group().isEmpty()
          && group.genesisTransaction().isPresent()
          && group.deployment().isPresent()) {
        var transaction = group.genesisTransaction().get();
        var deployment = group.deployment().get();
        taken =
            group.notMade().isPresent()
                ? taken.thenRun(() -> withdraw(group, deployment))
                : taken.thenCompose(done -> takeUpUnlessEnded(transaction, deployment));
      }
    }
    return taken.thenRun(() -> startRounds(Duration.ZERO));
  }

  /** The process may have ended between its transaction's receipt and the end of the group. */
  private CompletionStage<Void> takeUpUnlessEnded(
      TransactionId transaction, Deployment deployment) {
    return services
        .store()
        .receipt(transaction)
        .thenAccept(
            receipt ->
                receipt
                    .flatMap(ended -> ended.receipt().failureMessage())
                    .ifPresentOrElse(
                        reason -> neverMade(fresh(deployment), reason), () -> takeUp(deployment)));
  }

  /** What has ended before it was withdrawn is withdrawn now. */
  private void withdraw(StoredGroup ended, Deployment deployment) {
    if (ended.withdrawal().isPresent()) {
      withdrawals.begin(ended);
    } else {
      neverMade(fresh(deployment), ended.notMade().orElseThrow());
    }
  }

  private synchronized void takeUp(Deployment deployment) {
    unfinished.putIfAbsent(deployment.genesis().group(), fresh(deployment));
  }

  private synchronized void startRounds(Duration first) {
    if (!inRounds && !unfinished.isEmpty()) {
      inRounds = true;
      later.run(first, this::round);
    }
  }

  /** One try at a time. */
  private void round() {
    CompletionStage<Void> tried = CompletableFuture.completedFuture(null);
    for (var each : stillUnfinished()) {
      tried =
          tried.thenCompose(done -> attempt(each).exceptionally(failure -> tell(each, failure)));
    }
    tried.whenComplete((done, failure) -> endRound());
  }

  /** Nobody waits for an answer any more: the operator learns what it waits for, once. */
  private synchronized Void tell(Unfinished tried, Throwable failure) {
    var group = tried.deployment().genesis().group();
    var why = Optional.ofNullable(Groups.root(failure).getMessage());
    var now = unfinished.get(group);
    if (now != null && !now.told().equals(why)) {
      unfinished.put(group, now.withTold(why));
      LOG.warn("The group {} is not made yet. {}", group, why.orElse(""));
    }
    return null;
  }

  private synchronized List<Unfinished> stillUnfinished() {
    forgetStanding();
    return List.copyOf(unfinished.values());
  }

  private synchronized void forgetStanding() {
    services.groups().all().forEach(group -> unfinished.remove(group.id()));
  }

  private synchronized void endRound() {
    inRounds = false;
    startRounds(PAUSE);
  }

  private CompletionStage<Void> attempt(Unfinished each) {
    if (each.notMade().isPresent()) {
      return storeEnd(each, each.notMade().get());
    }
    return given(each)
        .whenComplete((given, failure) -> onGiven(each, failure))
        .exceptionallyCompose(failure -> refused("SQ020011", failure))
        .thenCompose(
            given ->
                deploy(each.withGiven(true))
                    .exceptionallyCompose(failure -> refused("SQ020012", failure)))
        .whenComplete((done, failure) -> onTried(each, Optional.ofNullable(failure)));
  }

  private synchronized void onTried(Unfinished each, Optional<Throwable> failure) {
    unfinished.computeIfPresent(
        each.deployment().genesis().group(),
        (group, now) -> now.withWaitsFor(failure.map(Groups::root).map(Throwable::getMessage)));
  }

  private CompletionStage<Void> given(Unfinished each) {
    return each.given()
        ? CompletableFuture.completedFuture(null)
        : distribution.give(each.deployment());
  }

  private void onGiven(Unfinished each, Throwable failure) {
    if (failure == null) {
      keep(each.withGiven(true));
    } else if (GenesisDistribution.isRejection(Groups.root(failure))) {
      neverMade(each, Groups.root(failure).getMessage());
    } else {
      keep(each.withGiven(false));
    }
  }

  private static CompletionStage<Void> refused(String code, Throwable failure) {
    var root = Groups.root(failure);
    return CompletableFuture.failedFuture(
        root instanceof RefusedIntent
            ? root
            : new RefusedIntent(code, root.getMessage() + TRIED_AGAIN));
  }

  private synchronized void keep(Unfinished each) {
    unfinished.put(each.deployment().genesis().group(), each);
  }

  private synchronized void finished(Deployment deployment) {
    unfinished.remove(deployment.genesis().group());
  }

  /** That it has ended is stored, if not at once then by a later round. */
  private void neverMade(Unfinished each, String reason) {
    var ended = each.withNotMade(Optional.of(reason));
    keep(ended);
    storeEnd(ended, reason)
        .exceptionally(
            failure -> {
              LOG.warn(
                  "Cannot store how the group {} ended ({}); it is tried again until it can be",
                  ended.deployment().genesis().group(),
                  reason,
                  failure);
              return null;
            });
  }

  private CompletionStage<Void> storeEnd(Unfinished ended, String reason) {
    var group = ended.deployment().genesis().group();
    var others =
        ended.deployment().genesis().committee().nodes().stream()
            .filter(node -> !node.equals(services.self()))
            .toList();
    var stored =
        StoredGroup.of(group, services.now())
            .withNotMade(Optional.of(reason))
            .withWithdrawal(Optional.of(new Withdrawal(services.now(), others)));
    return receipts
        .notMade(group, reason)
        .thenCompose(done -> services.setup().ports().store().putGroup(stored))
        .thenRun(() -> finished(ended.deployment()))
        .thenRun(() -> withdrawals.begin(stored));
  }

  /** What the ledger had taken may be in a block by now; else it is sent again. */
  private CompletionStage<Void> deploy(Unfinished each) {
    return isInBlock(each, each.pooled())
        .thenCompose(
            is -> {
              if (is) {
                return CompletableFuture.completedFuture(null);
              }
              return isOverdue(each) ? submitForMore(each) : submit(each);
            });
  }

  private boolean isOverdue(Unfinished each) {
    var after = services.setup().rules().gas().overdueAfter();
    return each.since().filter(since -> !since.plus(after).isAfter(services.now())).isPresent();
  }

  /** Unless a block has it that the ledger does not show yet, as it is not final. */
  private CompletionStage<Void> submitForMore(Unfinished each) {
    return services
        .setup()
        .ports()
        .ledger()
        .nonce(signer(each))
        .thenCompose(
            next -> {
              if (next > 0) {
                return CompletableFuture.completedFuture(null);
              }
              var gas = services.setup().rules().gas();
              var raised = each.offering(gas.increased(each.fees()));
              keep(raised);
              return submit(raised);
            });
  }

  private LedgerAddress signer(Unfinished each) {
    var ports = services.setup().ports();
    var key = NodeKeyNames.deployer(each.deployment().genesis().group());
    return ports.signatures().address(ports.keys().signer(key).verifier());
  }

  private CompletionStage<Void> submit(Unfinished each) {
    var deployment = each.deployment();
    var ports = services.setup().ports();
    var signer = ports.keys().signer(NodeKeyNames.deployer(deployment.genesis().group()));
    var call = deployment.call();
    var gas = services.setup().rules().gas();
    var transaction =
        new LedgerTransaction(
            ports.signatures().address(signer.verifier()), 0, each.fees(), gas.limit(call), call);
    use(transaction, false);
    return ports
        .ledger()
        .submit(List.of(ports.ledger().sign(transaction, signer)))
        .thenCompose(outcomes -> onOutcome(each, transaction, outcomes.get(0)));
  }

  /** The key pays for this and never again (FND-1). */
  private void use(LedgerTransaction transaction, boolean waits) {
    var needs = transaction.fees().cost(transaction.gasLimit());
    if (needs.signum() > 0) {
      services.use(
          new KeyUse(transaction.signer(), needs, BigInteger.ZERO, waits, false, false, true));
    }
  }

  /** Whether the money comes by itself: then the next round has it. */
  private boolean isFunded() {
    return services.setup().rules().funding().fromAccount()
        && services.gas().status() != Status.WAITS_FOR_GAS_MONEY;
  }

  /** The same again for more, up to the ceiling. */
  private void offerMore(Unfinished each, Fees needed) {
    var gas = services.setup().rules().gas();
    var fees = gas.increased(each.fees()).orMore(needed);
    if (gas.ceiling().cover(fees)) {
      keep(each.offering(fees));
    }
  }

  /** In the pool it may still be lost. */
  private CompletionStage<Void> onOutcome(
      Unfinished each, LedgerTransaction transaction, SubmitOutcome outcome) {
    switch (outcome) {
      case SubmitOutcome.Pooled pooled -> keep(each.pooled(pooled.hash(), services.now()));
      case SubmitOutcome.NonceTooLow used -> {
        return isInBlock(each, each.pooled(used.hash(), services.now()).pooled())
            .thenAccept(is -> {});
      }
      case SubmitOutcome.Underpriced(var hash, var needed) -> {
        offerMore(each, needed);
        throw notTaken("offers too little for its gas");
      }
      case SubmitOutcome.InsufficientFunds ignored -> {
        use(transaction, true);
        if (!isFunded()) {
          throw notTaken("waits for gas money on " + transaction.signer());
        }
      }
      case SubmitOutcome.PoolFull ignored -> throw notTaken("waits for room in the pool");
      // What was taken before, for less, may come into a block all the same.
      case SubmitOutcome.Invalid invalid when !each.pooled().isEmpty() ->
          throw notTaken("refuses what it took before: " + invalid.reason());
      case SubmitOutcome.Invalid invalid ->
          throw refusedForGood(
              each, "The base ledger never takes the group's contract: " + invalid.reason());
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Whether its transaction is in a block, which may still be replaced. A chain may have carried it
   * out and made no contract: it was refused there, or has used up its gas.
   *
   * @param hashes of the transaction, at the fees that it was offered at: one nonce, so one of them
   */
  private CompletionStage<Boolean> isInBlock(Unfinished each, List<TransactionHash> hashes) {
    var ledger = services.setup().ports().ledger();
    return Answers.all(hashes.stream().map(ledger::receipt).toList())
        .thenApply(
            all -> {
              var found = all.stream().flatMap(Optional::stream).findFirst();
              found.ifPresent(receipt -> requireDeployed(each, receipt));
              return found.isPresent();
            });
  }

  private void requireDeployed(Unfinished each, LedgerReceipt receipt) {
    if (receipt.results().stream().noneMatch(LedgerReceipt.Deployed.class::isInstance)) {
      throw refusedForGood(
          each,
          "The base ledger has made no contract of the group's transaction "
              + receipt.hash()
              + ".");
    }
  }

  private RefusedIntent refusedForGood(Unfinished each, String reason) {
    neverMade(each, reason);
    return new RefusedIntent(Groups.UNUSABLE, reason);
  }

  private static RefusedIntent notTaken(String why) {
    return new RefusedIntent(
        "SQ020012",
        "The base ledger does not take the group's contract now: it " + why + "." + TRIED_AGAIN);
  }
}
