package dev.sequitur.node.rpc.server;

import dev.sequitur.cluster.tls.WatchedCertificates;
import dev.sequitur.node.rpc.Backups;
import dev.sequitur.node.rpc.HealthSettings;
import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.port.NodeStore.Hindrance;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.sequencer.setup.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Looks how the node is. Thread-safe, never blocks. */
final class HealthChecks {
  private static final long PATIENCE_SECONDS = 2;
  private static final long SHORT_PATIENCE_MILLIS = 500;
  private static final Hindrance SILENT =
      new Hindrance(
          "The disk or the database has not answered within %d s: look whether it is reachable."
              .formatted(PATIENCE_SECONDS),
          false);

  private final SequencerNode node;
  private final SchedulerNode scheduler;
  private final Optional<String> lacking;
  private final WatchedCertificates certificates;
  private final Supplier<Optional<String>> unaudited;
  private final HealthSettings settings;
  private final SteadyClock clock;
  private final AtomicReference<NewestBlock> newest = new AtomicReference<>();
  private final Question<Optional<Hindrance>> store;
  private final Question<BlockHeight> ledger;
  private final Question<List<Intent>> accepted;
  private final Question<Optional<String>> undealt;
  private final LeavingJvm leaving;
  private final Backups backups;

  /**
   * @param seen when the head was first found to be this
   */
  private record NewestBlock(BlockHeight head, Instant seen) {}

  /** What was seen, and what follows from it. */
  record Checked(Health.Seen seen, Health health, List<String> remarks) {}

  /**
   * @param unaudited why calls cannot be written down, and so are not done
   */
  HealthChecks(
      RpcServer.Served served,
      Supplier<Optional<String>> unaudited,
      HealthSettings settings,
      SteadyClock clock) {
    this.unaudited = unaudited;
    this.node = served.node();
    this.scheduler = served.scheduler();
    this.lacking = served.lacking();
    this.leaving = new LeavingJvm(served.draining());
    this.certificates = served.certificates();
    this.backups = served.backups();
    this.settings = settings;
    this.clock = clock;
    this.store = new Question<>(() -> node.store().hindrance());
    this.ledger = new Question<>(() -> node.ledger().recentHead());
    this.accepted = new Question<>(() -> node.store().intents(Optional.empty(), 1));
    this.undealt = new Question<>(node.health()::undealt);
  }

  SequencerNode node() {
    return node;
  }

  /** What somebody should look at though the node is well: it makes no status worse. */
  private List<String> remarks(List<Intent> newest) {
    var gas = node.health().gas();
    var ofGas =
        gas.status() == Status.RUNS_OUT ? Stream.of(gas.sentence()) : Stream.<String>empty();
    // Its reason is the ledger's own word, as a rule.
    var unread = node.health().ledgerUnread();
    return Stream.of(
            ofGas,
            unread.stream(),
            node.ledger().remarks().stream()
                .filter(remark -> unread.filter(it -> it.contains(remark)).isEmpty()),
            node.health().remarks().stream(),
            scheduler.remarks().stream(),
            certificates.remarks(clock.instant()).stream(),
            node.keys().remarks().stream(),
            backups.remark().stream(),
            Health.setBack(clock.ahead()).stream(),
            newest.stream().flatMap(intent -> acceptedAhead(intent).stream()))
        .flatMap(remarks -> remarks)
        .toList();
  }

  private Optional<String> acceptedAhead(Intent newest) {
    return Health.acceptedAhead(Duration.between(clock.instant(), newest.created()));
  }

  /** Completes within some seconds and never fails. */
  CompletableFuture<Checked> check() {
    return hindrance()
        .thenCombine(head(), StoreAndLedger::new)
        .thenCombine(undealt(), this::seen)
        .thenCombine(
            newestAccepted(),
            (seen, newest) -> new Checked(seen, Health.of(seen, settings), remarks(newest)));
  }

  /** None if the store does not answer, which is told in its place. */
  private CompletableFuture<List<Intent>> newestAccepted() {
    return accepted.ask().exceptionally(failure -> List.of());
  }

  /**
   * Sentences why the process should be started anew. Who watches over a process waits a second and
   * kills it then: so this asks little, and silence is no reason.
   */
  CompletableFuture<List<String>> restart() {
    return hindrance()
        .completeOnTimeout(Optional.empty(), SHORT_PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .thenApply(Health::restart);
  }

  private record StoreAndLedger(Optional<Hindrance> store, Optional<BlockHeight> head) {}

  /** Silence is no answer: whoever does not answer may be about to. */
  private CompletableFuture<Optional<String>> undealt() {
    return undealt.ask().exceptionally(failure -> Optional.empty());
  }

  private Health.Seen seen(StoreAndLedger asked, Optional<String> undealtNow) {
    var head = asked.head();
    return new Health.Seen(
        leaving.sentence(),
        node.health().isMember(),
        asked.store(),
        head,
        head.map(this::sinceNewBlock).orElse(Duration.ZERO),
        node.blockHeight(),
        node.health().ledgerParted(),
        node.health().notRecovered(),
        undealtNow,
        troubles(),
        node.links());
  }

  private List<String> troubles() {
    var gas = node.health().gas();
    var ofGas =
        switch (gas.status()) {
          case FEES_TOO_HIGH, WAITS_FOR_GAS_MONEY -> Stream.of(gas.sentence());
          case ENOUGH, RUNS_OUT -> Stream.<String>empty();
        };
    return Stream.of(
            lacking.stream(),
            ofGas,
            scheduler.troubles().stream(),
            unaudited.get().stream(),
            certificates.troubles(clock.instant()).stream())
        .flatMap(troubles -> troubles)
        .toList();
  }

  /** Why nothing can be stored now. Completes within some seconds and never fails. */
  CompletableFuture<Optional<Hindrance>> hindrance() {
    return store
        .ask()
        .handle((hindrance, failure) -> failure == null ? hindrance : Optional.of(SILENT));
  }

  private CompletableFuture<Optional<BlockHeight>> head() {
    return ledger.ask().handle((height, failure) -> Optional.ofNullable(height));
  }

  /** Between two looks there may have been many blocks: so it never says too much. */
  private Duration sinceNewBlock(BlockHeight head) {
    var now = clock.instant();
    var latest =
        newest.updateAndGet(
            last -> last != null && last.head().equals(head) ? last : new NewestBlock(head, now));
    return Duration.between(latest.seen(), now);
  }

  /** Asked again only when it was answered: whoever is silent is not asked more and more. */
  private static final class Question<T> {
    private final Supplier<CompletionStage<T>> question;
    private CompletableFuture<T> asked = CompletableFuture.completedFuture(null);
    private CompletableFuture<T> answer = asked;

    Question(Supplier<CompletionStage<T>> question) {
      this.question = question;
    }

    /** Fails if there is no answer in time. */
    synchronized CompletableFuture<T> ask() {
      if (asked.isDone()) {
        asked = put();
        answer = asked.copy().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      return answer;
    }

    private CompletableFuture<T> put() {
      try {
        return question.get().toCompletableFuture().copy();
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }
}
