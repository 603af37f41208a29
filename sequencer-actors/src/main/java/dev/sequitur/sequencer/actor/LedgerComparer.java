package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.distribution.LedgerComparison.Holding;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.sequencer.actor.LedgerRereading.Reading;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Compares what this node holds of its groups with the ledger, which it reads a second time
 * (DST-9): at its start the newest blocks; then all from the first one on, a page now and then, and
 * what comes as it comes; and, when it is asked to, one group from the first block on without
 * pauses, ahead of all that. One for the whole node, in one of its JVMs. Remembers nothing across a
 * restart: state stores remember since when they differ.
 */
public final class LedgerComparer extends AbstractBehavior<LedgerComparer.Command> {
  /**
   * Between two pages in the background: on a chain each costs the headers of 32 blocks, so that
   * this is about as much as reading a block a second.
   */
  static final Duration PACE = Duration.ofSeconds(30);

  /** What is tried again is so after this, unless it is in the background. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final int MOST_TRIES = 30;
  private static final int MOST_ASKED = 64;
  private static final int MOST_REMEMBERED = 1_000;

  /** The newest blocks at a start. */
  private static final long NEWEST = 256;

  /** What the comparer is told. */
  public sealed interface Command extends ProtocolSerializable {}

  /**
   * Compare a group with the whole ledger, unless that is under way.
   *
   * @param rebuild whether what differs is to be made what the ledger shows
   */
  public record Compare(ContractAddress contract, boolean rebuild, ActorRef<Progress> replyTo)
      implements Command {}

  public record GetProgress(ContractAddress contract, ActorRef<Progress> replyTo)
      implements Command {}

  /**
   * @param progress of the comparison that was asked for last; empty if none was
   */
  public record Progress(Optional<ComparisonProgress> progress) implements ProtocolSerializable {}

  private record GoOn() implements Command {}

  private record Read(Reading reading) implements Command {}

  /**
   * @param progress empty if the state store has read on, and this has to first
   */
  private record Ended(ContractAddress contract, Optional<ComparisonProgress> progress)
      implements Command {}

  private record Failed(Throwable cause) implements Command {}

  /**
   * What was asked for.
   *
   * @param tries in a row that have failed
   */
  private record Job(
      ContractAddress contract, boolean rebuild, Optional<Reading> reading, int tries) {
    Job at(Reading now) {
      return new Job(contract, rebuild, Optional.of(now), 0);
    }

    Job failed() {
      return new Job(contract, rebuild, reading, tries + 1);
    }

    Job rebuilding() {
      return new Job(contract, true, reading, tries);
    }
  }

  private final NodeServices services;
  private final TimerScheduler<Command> timers;
  private final Duration pace;
  private final LedgerRereading rereading;
  private final LedgerReach reach = new LedgerReach("What is to be compared with the ledger");
  private final Map<ContractAddress, Job> asked = new LinkedHashMap<>();
  private final Map<ContractAddress, ComparisonProgress> progress =
      LimitedMap.ofNewest(MOST_REMEMBERED);

  /** First of the newest blocks, then of all; empty before it is known where it begins. */
  private Optional<Reading> background = Optional.empty();

  /** Of the background, since the start. */
  private long pages;

  /** One step at a time. */
  private boolean busy;

  public static Behavior<Command> create(NodeServices services) {
    return create(services, PACE);
  }

  static Behavior<Command> create(NodeServices services, Duration pace) {
    Behavior<Command> comparer =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> new LedgerComparer(context, timers, services, pace)));
    return Behaviors.supervise(comparer)
        .onFailure(
            SupervisorStrategy.restartWithBackoff(
                Duration.ofMillis(500), Duration.ofSeconds(10), 0.2));
  }

  private LedgerComparer(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeServices services,
      Duration pace) {
    super(context);
    this.services = services;
    this.timers = timers;
    this.pace = pace;
    this.rereading = new LedgerRereading(services);
    next(shorter());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(GoOn.class, goOn -> goOn())
        .onMessage(Compare.class, this::onCompare)
        .onMessage(GetProgress.class, this::onGetProgress)
        .onMessage(Read.class, this::onRead)
        .onMessage(Ended.class, this::onEnded)
        .onMessage(Failed.class, this::onFailed)
        .build();
  }

  private Behavior<Command> onCompare(Compare compare) {
    var contract = compare.contract();
    var known = asked.get(contract);
    if (known != null) {
      asked.put(contract, compare.rebuild() ? known.rebuilding() : known);
    } else if (asked.size() >= MOST_ASKED) {
      progress.put(
          contract,
          ComparisonProgress.failed(
              contract,
              compare.rebuild(),
              MOST_ASKED + " groups are being compared already: call again later."));
    } else {
      asked.put(contract, new Job(contract, compare.rebuild(), Optional.empty(), 0));
      progress.put(
          contract,
          new ComparisonProgress(
              contract,
              Status.RUNNING,
              compare.rebuild(),
              BlockHeight.ZERO,
              BlockHeight.ZERO,
              Optional.empty(),
              0,
              0,
              0,
              0,
              Optional.empty()));
      next(Duration.ZERO);
    }
    compare.replyTo().tell(progressOf(contract));
    return this;
  }

  private Behavior<Command> onGetProgress(GetProgress query) {
    query.replyTo().tell(progressOf(query.contract()));
    return this;
  }

  private Progress progressOf(ContractAddress contract) {
    return new Progress(Optional.ofNullable(progress.get(contract)));
  }

  private void next(Duration pause) {
    timers.startSingleTimer(new GoOn(), pause);
  }

  private Behavior<Command> goOn() {
    if (busy) {
      return this;
    }
    busy = true;
    getContext()
        .pipeToSelf(
            asked.values().stream().findFirst().map(this::page).orElseGet(this::background),
            (reading, failure) -> failure == null ? new Read(reading) : new Failed(failure));
    return this;
  }

  private CompletionStage<Reading> page(Job job) {
    return job.reading()
        .map(rereading::page)
        .orElseGet(
            () ->
                services
                    .ledger()
                    .firstBlock()
                    .thenApply(first -> Reading.beginning(Optional.of(job.contract()), first, true))
                    .thenCompose(rereading::page));
  }

  private CompletionStage<Reading> background() {
    if (background.isPresent() && background.get().ended() && !background.get().whole()) {
      return services
          .ledger()
          .firstBlock()
          .thenApply(first -> Reading.beginning(Optional.empty(), first, true))
          .thenCompose(rereading::page);
    }
    return background
        .map(rereading::page)
        .orElseGet(
            () ->
                services
                    .ledger()
                    .firstBlock()
                    .thenCombine(rereading.acknowledged(), LedgerComparer::newest)
                    .thenCompose(rereading::page));
  }

  private static Reading newest(BlockHeight first, BlockHeight acknowledged) {
    long from = Math.max(first.value(), acknowledged.value() - NEWEST + 1);
    return Reading.beginning(Optional.empty(), new BlockHeight(from), from == first.value());
  }

  private Behavior<Command> onRead(Read read) {
    busy = false;
    if (reach.reached()) {
      getContext().getLog().info("What is to be compared with the ledger can be read again");
    }
    var reading = read.reading();
    if (reading.only().isEmpty()) {
      inBackground(reading);
      return this;
    }
    var contract = reading.only().get();
    var job = asked.get(contract).at(reading);
    asked.put(contract, job);
    progress.put(contract, progress(reading, job, Status.RUNNING, 0));
    if (reading.ended()) {
      busy = true;
      getContext()
          .pipeToSelf(
              end(job, reading), (ended, failure) -> failure == null ? ended : new Failed(failure));
    } else {
      next(Duration.ZERO);
    }
    return this;
  }

  private void inBackground(Reading reading) {
    tell(reading);
    background = Optional.of(reading);
    pages++;
    next(
        asked.isEmpty()
            ? (pages < NEWEST / LedgerRereading.PAGE ? shorter() : pace)
            : Duration.ZERO);
  }

  private Duration shorter() {
    return pace.compareTo(AGAIN) < 0 ? pace : AGAIN;
  }

  /** State stores that know it already change nothing. */
  private void tell(Reading reading) {
    for (var contract : LedgerRereading.differing(reading)) {
      var since = reading.of(contract).differsSince(reading.upTo()).orElseThrow();
      services.warnSeldom(StateStore.differing(contract, since));
      rereading.tell(contract, since);
    }
  }

  private CompletionStage<Ended> end(Job job, Reading reading) {
    var contract = job.contract();
    return rereading
        .holding(contract, List.of())
        .thenCompose(
            now ->
                now.height().compareTo(reading.upTo()) > 0
                    ? CompletableFuture.completedFuture(new Ended(contract, Optional.empty()))
                    : end(job, reading, now));
  }

  private CompletionStage<Ended> end(Job job, Reading reading, Holding now) {
    var contract = job.contract();
    long unknown = Math.max(0, reading.of(contract).surplus(reading.upTo(), now).orElse(0L));
    var found = progress(reading, job, Status.DIFFERENT, unknown);
    if (job.rebuild()) {
      boolean isAll = unknown == 0 && !reading.of(contract).skipped();
      var status = isAll ? Status.REBUILT : Status.DIFFERENT;
      return rereading
          .correct(reading, contract, isAll)
          .thenApply(
              done ->
                  new Ended(
                      contract,
                      done
                          ? Optional.of(progress(reading, job, status, unknown))
                          : Optional.empty()));
    }
    return found
        .since()
        .<CompletionStage<Ended>>map(
            since ->
                rereading
                    .tell(contract, since)
                    .thenApply(told -> new Ended(contract, Optional.of(found))))
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    new Ended(contract, Optional.of(progress(reading, job, Status.SAME, 0)))));
  }

  private static ComparisonProgress progress(
      Reading reading, Job job, Status status, long unknown) {
    var comparison = reading.of(job.contract());
    return new ComparisonProgress(
        job.contract(),
        status,
        job.rebuild(),
        reading.first(),
        reading.upTo(),
        // Which block did not make what is held nobody can say.
        comparison
            .differsSince(reading.upTo())
            .or(() -> Optional.of(reading.first()).filter(first -> unknown > 0)),
        comparison.lacking(reading.upTo()).size(),
        comparison.held().size(),
        unknown,
        comparison.outcomes().size(),
        Optional.empty());
  }

  private Behavior<Command> onEnded(Ended ended) {
    busy = false;
    var contract = ended.contract();
    if (ended.progress().isEmpty()) {
      failed(asked.get(contract), "Its blocks come faster than they can be compared.");
      return this;
    }
    var result = ended.progress().get();
    asked.remove(contract);
    progress.put(contract, result);
    if (result.status() == Status.REBUILT) {
      background = background.map(reading -> reading.forgetting(contract));
    }
    getContext().getLog().info("Group {}: {}", contract, result.sentence());
    next(shorter());
    return this;
  }

  private Behavior<Command> onFailed(Failed failure) {
    busy = false;
    reach.failed(failure.cause(), services.now()).ifPresent(getContext().getLog()::warn);
    var job = asked.values().stream().findFirst();
    job.ifPresentOrElse(
        each -> failed(each, String.valueOf(Answers.cause(failure.cause()).getMessage())),
        () -> next(pace));
    return this;
  }

  private void failed(Job job, String why) {
    var contract = job.contract();
    if (job.tries() + 1 < MOST_TRIES) {
      asked.put(contract, job.failed());
    } else {
      asked.remove(contract);
      progress.put(
          contract, ComparisonProgress.failed(contract, job.rebuild(), why + " Call again later."));
    }
    next(shorter());
  }
}
