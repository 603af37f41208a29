package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.execution.Execution;
import dev.sequitur.schedule.family.Description;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Interventions;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueAudit;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.QueueOverview.PartitionOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the methods of the schedules answer. Amounts are decimal digits in strings. */
final class ScheduleShapes {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private ScheduleShapes() {}

  /** What only a family understands, in its specification's words. */
  static final Shape<Terms> TERMS =
      Shape.oneOf(
          Stream.of(FamilyKind.values())
              .<Shape<?>>map(kind -> FamilyShape.of(kind).terms())
              .toList(),
          terms -> FamilyShape.of(terms.family()).write(terms));

  // What became of it.

  private static final ObjectShape<Cost> COST =
      ObjectShape.<Cost>named("Cost")
          .with("gasUnitPrice", Words.DIGITS, Cost::gasUnitPrice)
          .with("gasUsed", Words.DIGITS, Cost::gasUsed)
          .with("charged", Words.DIGITS, Cost::charged)
          .with("refunded", Words.DIGITS, Cost::refunded);

  static final ObjectShape<OccurrenceKey> OCCURRENCE =
      ObjectShape.<OccurrenceKey>named("Occurrence")
          .with("incarnation", Shape.NUMBER, OccurrenceKey::incarnation)
          .with("occurrence", Shape.NUMBER, OccurrenceKey::occurrence)
          .with("attempt", Shape.NUMBER, OccurrenceKey::attempt);

  private static Optional<Amount> balance(History.Recorded recorded) {
    return Optional.of(recorded.balance())
        .filter(any -> recorded.key().schedule().family() != FamilyKind.MULTI_SIGNATURE);
  }

  /** What was run, in the words of its family. */
  private static final Shape<Proposal> TARGET =
      Shape.oneOf(
          FamilyShape.TARGETS,
          proposal -> FamilyShape.of(proposal.terms().family()).target(proposal));

  /** What its owner says of it, as far as something was said. */
  static final ObjectShape<Description> DESCRIPTION =
      ObjectShape.<Description>named("Description")
          .maybe(
              "description",
              Formats.TEXT,
              it -> Optional.of(it.text()).filter(text -> !text.isEmpty()),
              "what it is for, in its owner's words")
          .maybe(
              "labels",
              Formats.TEXT.list(),
              it -> Optional.of(it.labels()).filter(labels -> !labels.isEmpty()),
              "by which it is found with others");

  /** An attempt beside the time at which it was wanted. */
  private record Made(Attempted attempt, Optional<ConsensusTime> asked) {
    static List<Made> of(History.Recorded recorded) {
      return recorded.attempts().stream()
          .map(attempt -> new Made(attempt, recorded.asked()))
          .toList();
    }

    private Optional<Long> lateMs() {
      return asked.map(
          wanted -> Math.max(0, attempt.at().nanos() - wanted.nanos()) / NANOS_PER_MILLI);
    }
  }

  private static final ObjectShape<Made> ATTEMPT =
      ObjectShape.<Made>named("Attempt")
          .all(Words.time("at"), made -> made.attempt().at())
          .maybe("lateMs", Shape.NUMBER, Made::lateMs, "after the time that was asked for")
          .maybe(
              "reason",
              Formats.TEXT,
              made -> Optional.of(made.attempt().reason()).filter(reason -> !reason.isEmpty()),
              "why it failed");

  static final ObjectShape<History.Recorded> RECORDED =
      ObjectShape.<History.Recorded>named("Outcome")
          .all(OCCURRENCE, History.Recorded::key)
          .maybe(
              "occurrences",
              Shape.NUMBER,
              recorded -> Optional.of(recorded.occurrences()).filter(count -> count > 1),
              "that have this outcome together, if it is more than one")
          .with("outcome", Words.among(Outcome.class), History.Recorded::outcome)
          .all(Words.time("at"), History.Recorded::at)
          .with("note", Formats.TEXT, History.Recorded::note)
          .with("cost", COST, History.Recorded::cost)
          .maybe("transaction", Formats.TRANSACTION_ID, History.Recorded::transaction)
          .maybe("rescheduledAs", Words.SCHEDULE_ID, History.Recorded::rescheduledAs)
          .with("owner", Words.ACCOUNT, recorded -> recorded.proposal().owner())
          .with("terms", TERMS, recorded -> recorded.proposal().terms())
          .with("target", TARGET, History.Recorded::proposal)
          .all(DESCRIPTION, recorded -> recorded.proposal().description())
          .maybe(
              "asked",
              Words.CONSENSUS,
              History.Recorded::asked,
              "when it was wanted; left out if for no time")
          .with("attempts", ATTEMPT.list(), Made::of, "oldest first")
          .maybe(
              "balance",
              Words.DIGITS,
              ScheduleShapes::balance,
              "what its owner could spend then; left out of a multi-signature one, which more may see");

  private static final ObjectShape<Outcomes.Numbered> NUMBERED =
      ObjectShape.<Outcomes.Numbered>named("NumberedOutcome")
          .with("number", Shape.NUMBER, Outcomes.Numbered::number)
          .with("schedule", Words.SCHEDULE_ID, each -> each.recorded().key().schedule())
          .all(RECORDED, Outcomes.Numbered::recorded);

  static final ObjectShape<Outcomes> OUTCOMES =
      ObjectShape.<Outcomes>named("Outcomes")
          .with("outcomes", NUMBERED.list(), Outcomes::outcomes)
          .with("forgotten", Formats.BOOLEAN, Outcomes::forgotten)
          .with("next", Shape.NUMBER, Outcomes::next);

  static final ObjectShape<Explanation> EXPLANATION =
      ObjectShape.<Explanation>named("Explanation")
          .with("why", Formats.TEXT, Explanation::sentence)
          .maybe("transaction", Formats.TRANSACTION_ID, Explanation::transaction)
          .with("history", RECORDED.list(), Explanation::history);

  // Where it stands.

  private static final ObjectShape<Conclusion> CONCLUSION =
      ObjectShape.<Conclusion>named("Conclusion")
          .with("gasUsed", Words.DIGITS, Conclusion::gasUsed)
          .maybe("reason", Formats.TEXT, each -> failed(each).map(Conclusion.Failed::reason))
          .maybe(
              "retryable", Formats.BOOLEAN, each -> failed(each).map(Conclusion.Failed::retryable));

  private static Optional<Conclusion.Failed> failed(Conclusion conclusion) {
    return switch (conclusion) {
      case Conclusion.Succeeded ignored -> Optional.empty();
      case Conclusion.Failed failed -> Optional.of(failed);
    };
  }

  private static final ObjectShape<Execution> EXECUTION =
      ObjectShape.<Execution>named("Execution")
          .with("attempt", Shape.NUMBER, execution -> execution.key().attempt())
          .with("gasUnitPrice", Words.DIGITS, Execution::price)
          .all(Words.time("startAt"), Execution::startAt)
          .maybe("transaction", Formats.TRANSACTION_ID, Execution::transaction)
          .maybe("conclusion", CONCLUSION, Execution::conclusion);

  static final ObjectShape<Intervention> INTERVENTION =
      ObjectShape.<Intervention>named("Intervention")
          .with("did", Words.among(Intervention.Kind.class), Intervention::kind)
          .with("by", Words.ACCOUNT, Intervention::by)
          .all(Words.time("at"), Intervention::at)
          .with(
              "during",
              Shape.NUMBER,
              Intervention::occurrence,
              "the occurrence that was present or next")
          .with("note", Formats.TEXT, Intervention::note, "why, in the words of who did it");

  /** A schedule beside the rules of its queue, by which it is due. */
  record Shown(ScheduleView view, QueueSetup setup) {
    private Proposal proposal() {
      return view.schedule().proposal();
    }

    private FamilyShape<?> shape() {
      return FamilyShape.of(view.schedule().family());
    }

    private JsonNode target() {
      return shape().target(proposal());
    }

    private Optional<ParkedFor> parkedFor() {
      return view.state() == ScheduleState.PARKED
          ? view.schedule().due().parkedFor()
          : Optional.empty();
    }

    /** When its present occurrence is due; empty if no time alone makes it so. */
    private Optional<Instant> next() {
      return view.next(setup);
    }
  }

  static final ObjectShape<Shown> SCHEDULE =
      ObjectShape.<Shown>named("Schedule")
          .with("id", Words.SCHEDULE_ID, shown -> shown.view().schedule().id())
          .with("family", Words.FAMILY, shown -> shown.view().schedule().family())
          .with("owner", Words.ACCOUNT, shown -> shown.proposal().owner())
          .with("incarnation", Shape.NUMBER, shown -> shown.view().schedule().incarnation())
          .with("occurrence", Shape.NUMBER, shown -> shown.view().schedule().occurrence())
          .with("terms", TERMS, shown -> shown.proposal().terms())
          .with(
              "target",
              Shape.oneOf(FamilyShape.TARGETS, Function.<JsonNode>identity()),
              Shown::target)
          .all(DESCRIPTION, shown -> shown.proposal().description())
          .with("late", Words.LATE, shown -> shown.proposal().late())
          .with("maxAttempts", Shape.NUMBER, shown -> shown.proposal().retry().maxAttempts())
          .maybe(
              "pauses",
              Words.DURATION.list(),
              shown ->
                  Optional.of(shown.proposal().retry().pauses()).filter(list -> !list.isEmpty()),
              "between its attempts, if they were given")
          .maybe(
              "failures",
              Shape.NUMBER,
              shown ->
                  Optional.of((long) shown.view().schedule().interventions().failures())
                      .filter(count -> count > 0),
              "runs in a row that have failed, of one that is paused for it (`pauseAfter`)")
          .with("state", Words.STATE, shown -> shown.view().state())
          .maybe("parkedFor", Words.among(ParkedFor.class), Shown::parkedFor)
          .with("next", Formats.TIME.orNull(), Shown::next)
          .maybe("execution", EXECUTION, shown -> shown.view().execution())
          .maybe(
              "paused",
              Formats.BOOLEAN,
              shown -> Optional.of(shown.view().schedule().isPaused()).filter(paused -> paused),
              "true if nothing of it begins until its owner resumes it")
          .maybe(
              "interventions",
              INTERVENTION.list(),
              shown ->
                  Optional.of(shown.view().schedule().interventions().newest())
                      .filter(done -> !done.isEmpty()),
              "what its owner has done to it, the newest "
                  + Interventions.MOST
                  + ", oldest first; left out if nothing");

  private static final ObjectShape<ScheduleId> GONE =
      ObjectShape.<ScheduleId>named("EndedSchedule")
          .with("id", Words.SCHEDULE_ID, id -> id)
          .with("family", Words.FAMILY, ScheduleId::family)
          .with("state", Words.STATE, id -> ScheduleState.SETTLED);

  /** A schedule, also one that is gone, as long as it has an outcome that is remembered. */
  record Known(ScheduleId id, Optional<Shown> shown, Optional<History.Recorded> lastOutcome) {
    /** Empty if there is nothing that is known of it. */
    static Optional<Known> of(ScheduleId id, KnownSchedule known, QueueSetup setup) {
      return known.view().isEmpty() && known.lastOutcome().isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Known(id, known.view().map(view -> new Shown(view, setup)), known.lastOutcome()));
    }
  }

  private static final ObjectShape<Known> STANDING =
      ObjectShape.<Known>named("KnownSchedule")
          .all(SCHEDULE, known -> known.shown().orElseThrow())
          .maybe("lastOutcome", RECORDED, Known::lastOutcome);

  private static final ObjectShape<Known> ENDED =
      ObjectShape.<Known>named("EndedSchedule")
          .all(GONE, Known::id)
          .maybe("lastOutcome", RECORDED, Known::lastOutcome);

  static final Shape<Known> KNOWN =
      Shape.oneOf(
          List.of(STANDING, ENDED),
          known -> known.shown().isPresent() ? STANDING.write(known) : ENDED.write(known));

  /**
   * One page of schedules.
   *
   * @param next an id, or a place in the order of due times, as the page was asked for
   */
  record Page(List<Shown> schedules, Optional<String> next) {
    static Page of(SchedulePage page, QueueSetup setup) {
      return new Page(
          page.schedules().stream().map(view -> new Shown(view, setup)).toList(),
          page.next().map(CommandFields::id));
    }

    static Page of(DuePage page, QueueSetup setup) {
      return new Page(
          page.schedules().stream().map(placed -> new Shown(placed.view(), setup)).toList(),
          page.next().map(DuePlace::toString));
    }
  }

  static final ObjectShape<Page> PAGE =
      ObjectShape.<Page>named("SchedulePage")
          .with("schedules", SCHEDULE.list(), Page::schedules)
          .with("next", Formats.TEXT.orNull(), Page::next, "null on the last page");

  // A queue as a whole.

  /** A family's row beside the profile of the multi-signature one. */
  private record FamilyRow(QueueOverview.FamilyOverview family, Profile profile) {}

  /** A queue beside the profile of its multi-signature family. */
  record Overview(QueueOverview queue, Profile profile) {
    private List<FamilyRow> families() {
      return queue.families().stream().map(family -> new FamilyRow(family, profile)).toList();
    }
  }

  private static final ObjectShape<FamilyRow> FAMILY_ROW =
      ObjectShape.<FamilyRow>named("FamilyOverview")
          .with("family", Words.FAMILY, row -> row.family().family())
          .with("service", Words.among(Service.class), row -> row.family().service())
          .with("waiting", Shape.NUMBER, row -> row.family().waiting())
          .maybe(
              "profile",
              Words.among(Profile.class),
              row ->
                  Optional.of(row.profile())
                      .filter(any -> row.family().family() == FamilyKind.MULTI_SIGNATURE));

  private static final ObjectShape<PartitionOverview> PARTITION_ROW =
      ObjectShape.<PartitionOverview>named("PartitionOverview")
          .with("index", Shape.NUMBER, PartitionOverview::index)
          .with("schedules", Shape.NUMBER, PartitionOverview::schedules)
          .with("executing", Shape.NUMBER, PartitionOverview::executing)
          .with("waiting", Shape.NUMBER, PartitionOverview::waiting)
          .with("firstDue", Words.CONSENSUS.orNull(), PartitionOverview::firstDue);

  static final ObjectShape<Overview> OVERVIEW =
      ObjectShape.<Overview>named("QueueOverview")
          .all(Words.time("clock"), overview -> overview.queue().clock())
          .with("admissions", Shape.NUMBER, overview -> overview.queue().admissions())
          .with("schedules", Shape.NUMBER, overview -> overview.queue().schedules())
          .with("executing", Shape.NUMBER, overview -> overview.queue().executing())
          .with("families", FAMILY_ROW.list(), Overview::families)
          .with(
              "firstDue",
              Words.CONSENSUS.orNull(),
              overview -> overview.queue().firstDue(),
              "when the first of what waits is due, or has been since; null if nothing waits for a"
                  + " time")
          .with(
              "partitions",
              PARTITION_ROW.list(),
              overview -> overview.queue().partitions(),
              "each by itself, of a queue that is spread; empty for any other");

  static final ObjectShape<QueueAudit> AUDIT =
      ObjectShape.<QueueAudit>named("QueueAudit")
          .with("conserved", Formats.BOOLEAN, QueueAudit::isConserved)
          .with("sumOfAccounts", Words.DIGITS, audit -> audit.book().sumOfAccounts())
          .with("held", Words.DIGITS, audit -> audit.book().heldAccount())
          .with("sumOfHolds", Words.DIGITS, audit -> audit.book().sumOfHolds())
          .with("owed", Words.DIGITS, QueueAudit::owed)
          .with("overdrawn", Shape.NUMBER, audit -> audit.book().overdrawn(), "accounts below 0");

  static final ObjectShape<Forecast> FORECAST =
      ObjectShape.<Forecast>named("Forecast")
          .all(Words.time("from"), Forecast::from)
          .with("taken", Shape.NUMBER, Forecast::taken)
          .with("capacity", Shape.NUMBER, Forecast::capacity)
          .with("price", Words.DIGITS, Forecast::price)
          .with(
              "unreached",
              Shape.NUMBER,
              Forecast::unreached,
              "of `taken`, that will expire unless others go")
          .with("full", Formats.BOOLEAN, Forecast::full);
}
