package dev.sequitur.sequencer.actor;

import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import dev.sequitur.persistence.serialization.ProtocolSerializable;
import dev.sequitur.protocol.distribution.ComparisonPace;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.distribution.LedgerComparison.Holding;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.sequencer.actor.LedgerRereading.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Compares what this node holds of its groups with the ledger, which it reads a second time
 * (DST-9). In the background, in turn: from the newest blocks of the start on what comes as it
 * comes; and all from the first block on, a page now and then. When it is asked to, one group from
 * the first block on without pauses, ahead of all that. One for the whole node, in one of its JVMs.
 * Remembers nothing across a restart, also not how far it is: state stores remember since when they
 * differ.
 */
public final class LedgerComparer extends AbstractBehavior<LedgerComparer.Command> {
  /**
   * Between two looks at what has come, and at most between two pages of what is older: on a chain
   * each costs the headers of 32 blocks, so that this is about as much as reading a block a second.
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

  /** What a step is for: its answer and its failure count for that only. */
  private sealed interface Task {
    /**
     * What somebody has asked for.
     *
     * @param rebuild whether so as the step began
     */
    record Asked(ContractAddress contract, boolean rebuild) implements Task {}

    /** What the background has found is read once more. */
    record Confirming(ContractAddress contract) implements Task {}

    /** In the background: what comes. */
    record Newest() implements Task {}

    /** In the background, in turn with it: all that came before. */
    record Older() implements Task {}
  }

  /**
   * @param begun when the step began
   */
  private record Read(Task task, Reading reading, Instant begun) implements Command {}

  /**
   * @param job as it was when its last step began
   * @param progress empty if the state store has read on, and this has to first
   */
  private record Ended(Job job, Optional<ComparisonProgress> progress) implements Command {}

  private record Failed(Task task, Throwable cause) implements Command {}

  /**
   * One group that is read without pauses.
   *
   * @param tries that have failed since it has last gone on
   * @param ends last steps that have failed: of what grows faster than it is compared it would else
   *     be tried for ever
   */
  private record Job(
      ContractAddress contract, boolean rebuild, Optional<Reading> reading, int tries, int ends) {
    static Job of(ContractAddress contract, boolean rebuild) {
      return new Job(contract, rebuild, Optional.empty(), 0, 0);
    }

    Job at(Reading now) {
      boolean goesOn = reading.filter(before -> before.next().equals(now.next())).isEmpty();
      return new Job(contract, rebuild, Optional.of(now), goesOn ? 0 : tries, ends);
    }

    /** Where what was read is of no use any more, it begins anew. */
    Job failed(Throwable cause) {
      var from =
          Answers.cause(cause) instanceof LedgerRereading.ReadAnew
              ? Optional.<Reading>empty()
              : reading;
      boolean atEnd = reading.filter(Reading::ended).isPresent();
      return new Job(contract, rebuild, from, tries + 1, atEnd ? ends + 1 : ends);
    }

    Job waited(Reading now) {
      return new Job(contract, rebuild, Optional.of(now), tries, ends + 1);
    }

    boolean isTriedAgain() {
      return tries < MOST_TRIES && ends < MOST_TRIES;
    }

    /** Which states no block has made it only knows if it was asked for that as it began. */
    Job rebuilding() {
      return rebuild ? this : new Job(contract, true, Optional.empty(), tries, ends);
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

  /** What the background has found and is not sure of yet. */
  private final Map<ContractAddress, Job> doubtful = new LinkedHashMap<>();

  /** What was found twice and told, and since when it differs. */
  private final Map<ContractAddress, BlockHeight> told = LimitedMap.ofNewest(MOST_REMEMBERED);

  /** From the newest blocks of the start on; empty before it is known where it begins. */
  private Optional<Reading> newest = Optional.empty();

  /** From the first block on, until it has come as far and takes the other's place. */
  private Optional<Reading> older = Optional.empty();

  /** Whether all is in {@link #newest}, or will be by what comes. */
  private boolean all;

  /** Whether it is the turn of what is older, in the background. */
  private boolean olderIsNext;

  /** When it was looked for what has come. */
  private Instant newestAt;

  /** One step at a time. */
  private boolean busy;

  public static Behavior<Command> create(NodeServices services) {
    return create(services, PACE);
  }

  static Behavior<Command> create(NodeServices services, Duration pace) {
    return Restarting.afterFailures(
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers -> new LedgerComparer(context, timers, services, pace))));
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
    this.newestAt = services.now();
    next(shorter());
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onAnyMessage(this::onCommand).build();
  }

  private Behavior<Command> onCommand(Command command) {
    return switch (command) {
      case GoOn() -> goOn();
      case Compare compare -> onCompare(compare);
      case GetProgress query -> onGetProgress(query);
      case Read read -> onRead(read);
      case Ended ended -> onEnded(ended);
      case Failed failed -> onFailed(failed);
    };
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
      asked.put(contract, Job.of(contract, compare.rebuild()));
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
              Optional.empty(),
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
    var task = task();
    var begun = services.now();
    getContext()
        .pipeToSelf(
            step(task),
            (reading, failure) ->
                failure == null ? new Read(task, reading, begun) : new Failed(task, failure));
    return this;
  }

  /** What somebody waits for comes first. */
  private Task task() {
    return asked.values().stream()
        .findFirst()
        .<Task>map(job -> new Task.Asked(job.contract(), job.rebuild()))
        .or(() -> doubtful.keySet().stream().findFirst().map(Task.Confirming::new))
        .orElseGet(() -> olderIsNext && !all ? new Task.Older() : new Task.Newest());
  }

  private CompletionStage<Reading> step(Task task) {
    return switch (task) {
      case Task.Asked asking -> page(asked.get(asking.contract()));
      case Task.Confirming(var contract) ->
          page(doubtful.get(contract)).thenCompose(reading -> confirmed(contract, reading));
      case Task.Newest() ->
          newest.map(rereading::page).orElseGet(() -> beginNewest().thenCompose(rereading::page));
      case Task.Older() ->
          older.map(rereading::page).orElseGet(() -> beginOlder().thenCompose(rereading::page));
    };
  }

  /** Tells the state store if the second reading shows it as well. */
  private CompletionStage<Reading> confirmed(ContractAddress contract, Reading reading) {
    return differs(contract, reading)
        .map(since -> rereading.tell(contract, since).thenApply(done -> reading))
        .orElseGet(() -> CompletableFuture.completedFuture(reading));
  }

  private static Optional<BlockHeight> differs(ContractAddress contract, Reading reading) {
    return reading.of(contract).differsSince(reading.upTo());
  }

  private CompletionStage<Reading> page(Job job) {
    return job.reading()
        .map(rereading::page)
        .orElseGet(
            () ->
                oldest()
                    .thenCombine(
                        job.rebuild()
                            ? rereading.held(job.contract())
                            : CompletableFuture.completedStage(List.<StateId>of()),
                        (first, held) -> Reading.whole(job.contract(), first, held))
                    .thenCompose(rereading::page));
  }

  private CompletionStage<Reading> beginNewest() {
    return services
        .ledger()
        .firstBlock()
        .thenCombine(rereading.acknowledged(), LedgerComparer::newest);
  }

  /** The first block that can tell of a group, and that the ledger has not dropped. */
  private CompletionStage<BlockHeight> oldest() {
    return services
        .ledger()
        .firstBlock()
        .thenCompose(
            first ->
                services
                    .ledger()
                    .blocks(first, 1)
                    .handle((block, failure) -> oldest(first, failure))
                    .thenCompose(found -> found));
  }

  /** What fails otherwise is there when it is read. */
  private CompletionStage<BlockHeight> oldest(BlockHeight first, Throwable failure) {
    return failure != null && Answers.cause(failure) instanceof BlocksDroppedException
        ? rereading.acknowledged().thenCompose(upTo -> rereading.firstThere(first, upTo))
        : CompletableFuture.completedStage(first);
  }

  /** Where old blocks cannot be had, at the first that can. */
  private CompletionStage<Reading> beginOlder() {
    return services
        .ledger()
        .firstBlock()
        .thenCombine(
            rereading.acknowledged(),
            (first, upTo) ->
                rereading
                    .firstThere(first, upTo)
                    .thenApply(
                        from -> Reading.beginning(Optional.empty(), from, from.equals(first))))
        .thenCompose(begun -> begun);
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
    switch (read.task()) {
      case Task.Asked asking -> onAsked(asking, read.reading());
      case Task.Confirming(var contract) -> onConfirming(contract, read.reading());
      case Task.Newest() -> onNewest(read.reading());
      case Task.Older() -> onOlder(read.reading(), Duration.between(read.begun(), services.now()));
    }
    return this;
  }

  private void onAsked(Task.Asked asking, Reading reading) {
    var contract = asking.contract();
    if (asked.get(contract).rebuild() != asking.rebuild()) {
      // Asked for while it was read without: it begins anew.
      next(Duration.ZERO);
      return;
    }
    var job = asked.get(contract).at(reading);
    asked.put(contract, job);
    progress.put(contract, progress(reading, job, Status.RUNNING, 0));
    if (reading.ended()) {
      busy = true;
      getContext()
          .pipeToSelf(
              end(job, reading),
              (ended, failure) -> failure == null ? ended : new Failed(asking, failure));
    } else {
      next(Duration.ZERO);
    }
  }

  private void onConfirming(ContractAddress contract, Reading reading) {
    var since = differs(contract, reading);
    if (since.isPresent()) {
      doubtful.remove(contract);
      told.put(contract, since.get());
      services.standing().warnSeldom(StateStore.differing(contract, since.get()));
    } else if (reading.ended() && !reading.of(contract).awaited().isEmpty()) {
      // The store is ahead of what all have acknowledged: that is read in a moment.
      var later = doubtful.remove(contract).waited(reading);
      if (later.isTriedAgain()) {
        doubtful.put(contract, later);
      }
    } else if (reading.ended()) {
      getContext()
          .getLog()
          .info("Group {}: what seemed to differ from the ledger was not found again", contract);
      forget(contract);
    } else {
      doubtful.computeIfPresent(contract, (c, job) -> job.at(reading));
    }
    next(shorter());
  }

  /** What was found of it is true no more. */
  private void forget(ContractAddress contract) {
    doubtful.remove(contract);
    told.remove(contract);
    newest = newest.map(reading -> reading.forgetting(contract));
    older = older.map(reading -> reading.forgetting(contract));
  }

  /** It follows what comes however fast that is, and older pages are read between. */
  private void onNewest(Reading reading) {
    doubt(reading);
    newestAt = services.now();
    newest = Optional.of(reading);
    all |= reading.whole();
    olderIsNext = reading.ended();
    later(reading.ended() && all ? pace : shorter());
  }

  private void onOlder(Reading reading, Duration took) {
    doubt(reading);
    if (older.isEmpty() && !reading.whole()) {
      getContext()
          .getLog()
          .info(
              "The base ledger does not have the blocks before {} any more: what they have made is"
                  + " not compared with what this node holds",
              reading.first());
    }
    older = Optional.of(reading);
    if (reading.ended()) {
      newest = older;
      older = Optional.empty();
      all = true;
    }
    // What comes is looked at as often as ever.
    olderIsNext = newestAt.plus(pace).isAfter(services.now());
    later(all ? pace : new ComparisonPace(pace).restAfter(took));
  }

  /** Unless somebody waits. */
  private void later(Duration pause) {
    next(asked.isEmpty() && doubtful.isEmpty() ? pause : Duration.ZERO);
  }

  /** What differs for the first time, or since an earlier block, is read once more. */
  private void doubt(Reading reading) {
    for (var contract : LedgerRereading.differing(reading)) {
      var since = differs(contract, reading).orElseThrow();
      boolean isTold =
          Optional.ofNullable(told.get(contract))
              .filter(known -> known.compareTo(since) <= 0)
              .isPresent();
      if (!isTold && doubtful.size() < MOST_ASKED) {
        var again = Reading.beginning(Optional.of(contract), since, false);
        doubtful.putIfAbsent(contract, Job.of(contract, false).at(again));
      }
    }
  }

  private Duration shorter() {
    return pace.compareTo(AGAIN) < 0 ? pace : AGAIN;
  }

  private CompletionStage<Ended> end(Job job, Reading reading) {
    var contract = job.contract();
    return rereading
        .holding(contract, List.of())
        .thenCompose(
            now ->
                now.height().compareTo(reading.upTo()) > 0
                    ? CompletableFuture.completedFuture(new Ended(job, Optional.empty()))
                    : end(job, reading, now))
        .thenCompose(this::withContents);
  }

  /** What is held by its id alone shows in no comparison with the ledger. */
  private CompletionStage<Ended> withContents(Ended ended) {
    return ended.progress().isEmpty()
        ? CompletableFuture.completedFuture(ended)
        : rereading
            .lacking(ended.job().contract())
            .thenApply(
                lacking ->
                    new Ended(
                        ended.job(), ended.progress().map(it -> it.lackingContents(lacking))));
  }

  private CompletionStage<Ended> end(Job job, Reading reading, Holding now) {
    var contract = job.contract();
    var compared = reading.of(contract);
    long unknown = compared.unknown(reading.upTo(), now);
    var found = progress(reading, job, Status.DIFFERENT, unknown);
    if (!compared.whole() && (job.rebuild() || found.since().isEmpty())) {
      return CompletableFuture.completedFuture(
          new Ended(
              job,
              Optional.of(
                  ComparisonProgress.failed(contract, job.rebuild(), notWhole(reading.first())))));
    }
    if (job.rebuild()) {
      boolean isAll = compared.isAll(reading.upTo(), now);
      var status = isAll ? Status.REBUILT : Status.DIFFERENT;
      return rereading
          .correct(reading, contract, isAll)
          .thenApply(
              done ->
                  new Ended(
                      job,
                      done
                          ? Optional.of(progress(reading, job, status, unknown))
                          : Optional.empty()));
    }
    if (found.since().isPresent()) {
      return rereading
          .tell(contract, found.since().get())
          .thenApply(told -> new Ended(job, Optional.of(found)));
    }
    var same = progress(reading, job, Status.SAME, 0);
    // That it differed is no longer so, or never was.
    return compared.isAll(reading.upTo(), now)
        ? rereading
            .correct(reading, contract, true)
            .thenApply(done -> new Ended(job, done ? Optional.of(same) : Optional.empty()))
        : CompletableFuture.completedFuture(new Ended(job, Optional.of(same)));
  }

  private static String notWhole(BlockHeight first) {
    return "No block from "
        + first
        + " on has made the group's contract, so what is older was not compared, and nothing was"
        + " changed. Of a chain, have the node begin at an earlier block (ledger.ethereum.first-block),"
        + " at an endpoint that still has it.";
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
        comparison.lackingCount(reading.upTo()),
        comparison.held().size(),
        unknown,
        comparison.outcomes().size(),
        Optional.empty(),
        Optional.empty());
  }

  private Behavior<Command> onEnded(Ended ended) {
    busy = false;
    var contract = ended.job().contract();
    var job = asked.get(contract);
    if (ended.progress().isEmpty()) {
      failed(job, new IllegalStateException("Its blocks come faster than they can be compared."));
      return this;
    }
    if (job.rebuild() && !ended.job().rebuild()) {
      // Asked for while it ended without.
      next(Duration.ZERO);
      return this;
    }
    var result = ended.progress().get();
    asked.remove(contract);
    progress.put(contract, result);
    switch (result.status()) {
      case REBUILT, SAME -> forget(contract);
      case RUNNING, DIFFERENT, FAILED -> {}
    }
    getContext().getLog().info("Group {}: {}", contract, result.sentence());
    next(shorter());
    return this;
  }

  private Behavior<Command> onFailed(Failed failure) {
    if (CoordinatedShutdown.get(getContext().getSystem()).getShutdownReason().isPresent()) {
      // Whom it asks ends before it does, and nothing here would get better by another try.
      return Behaviors.stopped();
    }
    busy = false;
    var cause = failure.cause();
    reach.failed(cause, services.now()).ifPresent(getContext().getLog()::warn);
    switch (failure.task()) {
      case Task.Asked asking -> failed(asked.get(asking.contract()), cause);
      case Task.Confirming(var contract) -> {
        // Behind the others. If it is not tried again it is found again, if it is so.
        var again = doubtful.remove(contract).failed(cause);
        if (again.reading().isPresent() && again.isTriedAgain()) {
          doubtful.put(contract, again);
        }
        next(shorter());
      }
      case Task.Newest() -> {
        if (Answers.cause(cause) instanceof LedgerRereading.ReadAnew) {
          newest = Optional.empty();
          all = false;
        }
        next(asked.isEmpty() ? pace : shorter());
      }
      case Task.Older() -> {
        if (Answers.cause(cause) instanceof LedgerRereading.ReadAnew) {
          older = Optional.empty();
        }
        olderIsNext = false;
        next(asked.isEmpty() ? pace : shorter());
      }
    }
    return this;
  }

  /** It is tried again behind the others. */
  private void failed(Job job, Throwable cause) {
    var contract = job.contract();
    var again = job.failed(cause);
    asked.remove(contract);
    if (again.isTriedAgain()) {
      asked.put(contract, again);
    } else {
      var why = String.valueOf(Answers.cause(cause).getMessage());
      progress.put(
          contract, ComparisonProgress.failed(contract, job.rebuild(), why + " Call again later."));
    }
    next(shorter());
  }
}
