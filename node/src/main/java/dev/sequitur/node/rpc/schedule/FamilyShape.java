package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.ChainPlan;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignatureNotice;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.Overlap;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.schedule.recurring.TaskTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What JSON-RPC writes of the schedules of one family, in the words of its specification. Whoever
 * writes schedules of all families asks here, and names none.
 */
class FamilyShape<T extends Terms> {
  private static final String PASSED = "It has passed, or has begun: choose a later time.";

  private final Class<T> type;
  private final Shape<T> terms;

  private FamilyShape(Class<T> type, Shape<T> terms) {
    this.type = type;
    this.terms = terms;
  }

  static FamilyShape<?> of(FamilyKind kind) {
    return switch (kind) {
      case MULTI_SIGNATURE -> MULTI_SIGNATURE;
      case RECURRING -> RECURRING;
      case GAS_PRIORITY -> GAS_PRIORITY;
      case PLAN_EXECUTION -> PLAN_EXECUTION;
      case CHAIN_EXECUTION -> CHAIN_EXECUTION;
    };
  }

  final Shape<T> terms() {
    return terms;
  }

  final JsonNode write(Terms value) {
    return terms.write(type.cast(value));
  }

  /** What is run, in one of the shapes of {@link #TARGETS}. */
  final JsonNode target(Proposal proposal) {
    return target(type.cast(proposal.terms()), proposal);
  }

  JsonNode target(T value, Proposal proposal) {
    return TargetShapes.TARGET.write(proposal.target());
  }

  /** Where one stood that has failed, in the family's words; empty if it has none for that. */
  Optional<JsonNode> key(Family family, DueKey due) {
    return Optional.empty();
  }

  JsonNode notice(FamilyNotice told) {
    throw new IllegalStateException("This family tells nothing of its own: " + told);
  }

  /** A sentence on why nothing can be scheduled for a time. */
  String whyFull(Forecast full, Instant now) {
    if (!full.from().toInstant().isAfter(now)) {
      return PASSED;
    }
    return full.taken() >= full.capacity()
        ? "It has no room: choose another time."
        : "It lies further ahead than the family takes: choose an earlier time.";
  }

  // Multi-signature.

  private static final ObjectShape<MultiSignatureNotice.Exported> RECORD =
      ObjectShape.<MultiSignatureNotice.Exported>named("RecordEvent")
          .constant("type", "record")
          .with("record", SigningShapes.RECORD, MultiSignatureNotice.Exported::record);

  private static final FamilyShape<MultiSignatureTerms> MULTI_SIGNATURE =
      new FamilyShape<>(MultiSignatureTerms.class, SigningShapes.TERMS) {
        @Override
        JsonNode target(MultiSignatureTerms value, Proposal proposal) {
          return SigningShapes.TARGET.write(value.creation().transaction().action());
        }

        @Override
        JsonNode notice(FamilyNotice told) {
          return switch ((MultiSignatureNotice) told) {
            case MultiSignatureNotice.Exported exported -> RECORD.write(exported);
          };
        }
      };

  // Recurring.

  private static final ObjectShape<RecurringTerms> TIMES =
      ObjectShape.<RecurringTerms>named("RecurringTerms")
          .with("providedId", Words.MESSAGE, RecurringTerms::providedId)
          .with("times", Words.MILLIS.list(), RecurringTerms::timesMs)
          .maybe(
              "backFillOf",
              Words.SCHEDULE_ID,
              task -> task.fills().map(RecurringTerms.BackFilled::series),
              "of a back-fill: the series of which it runs a past time again")
          .maybe(
              "backFillTime",
              Words.MILLIS,
              task -> task.fills().map(RecurringTerms.BackFilled::timeMs),
              "that time");

  private static final ObjectShape<SeriesTerms> SERIES =
      ObjectShape.<SeriesTerms>named("SeriesTerms")
          .with("providedId", Words.MESSAGE, SeriesTerms::providedId)
          .maybe("first", Words.MILLIS, series -> every(series).map(Cadence.Every::firstMs))
          .maybe(
              "frequency",
              Words.DURATION,
              series -> every(series).map(each -> Duration.ofMillis(each.everyMs())))
          .maybe("cron", Formats.TEXT, series -> cron(series).map(each -> each.expression().text()))
          .maybe("zone", Formats.TEXT, series -> cron(series).map(CronCadence::zone))
          .maybe(
              "runs",
              Shape.NUMBER,
              SeriesTerms::runs,
              "left out if it goes on until it is cancelled")
          .maybe("notBefore", Words.MILLIS, series -> series.policy().start())
          .maybe("notAfter", Words.MILLIS, series -> series.policy().end())
          .maybe("daysOff", Formats.TEXT, series -> series.policy().list())
          .maybe(
              "overlap",
              Words.among(Overlap.class),
              series -> Optional.of(series.policy().overlap()).filter(it -> it != Overlap.WAIT))
          .maybe(
              "jitter",
              Words.DURATION,
              series -> Optional.of(series.policy().jitter()).filter(it -> !it.isZero()))
          .maybe(
              "pauseAfter",
              Shape.NUMBER,
              series -> Optional.of((long) series.pauseAfter()).filter(it -> it > 0),
              "failures in a row");

  private static Optional<Cadence.Every> every(SeriesTerms series) {
    return switch (series.cadence()) {
      case Cadence.Every every -> Optional.of(every);
      case CronCadence ignored -> Optional.empty();
    };
  }

  private static Optional<CronCadence> cron(SeriesTerms series) {
    return switch (series.cadence()) {
      case Cadence.Every ignored -> Optional.empty();
      case CronCadence cron -> Optional.of(cron);
    };
  }

  private static final FamilyShape<TaskTerms> RECURRING =
      new FamilyShape<>(
          TaskTerms.class,
          Shape.oneOf(
              List.of(TIMES, SERIES),
              task ->
                  switch (task) {
                    case RecurringTerms times -> TIMES.write(times);
                    case SeriesTerms series -> SERIES.write(series);
                  }));

  // Gas-priority.

  private static final FamilyShape<GasPriorityTerms> GAS_PRIORITY =
      new FamilyShape<>(
          GasPriorityTerms.class,
          ObjectShape.<GasPriorityTerms>named("GasPriorityTerms")
              .with("scheduledTime", Words.MILLIS, GasPriorityTerms::scheduledTimeMs)
              .with("maxGasAmount", Words.DIGITS, GasPriorityTerms::maxGasAmount)
              .with("maxGasUnitPrice", Words.DIGITS, GasPriorityTerms::maxGasUnitPrice)
              .maybe("idempotencyKey", Formats.TEXT, GasPriorityTerms::key)
              .maybe(
                  "repetitionOf",
                  Words.SCHEDULE_ID,
                  GasPriorityTerms::first,
                  "the id of the first run, which cancels it")
              .maybe(
                  "setAside",
                  Formats.BOOLEAN,
                  terms -> Optional.of(true).filter(yes -> terms.setAside()),
                  "that what it pays is set aside, too; else left out")) {
        @Override
        Optional<JsonNode> key(Family family, DueKey due) {
          return Optional.of(
              GasPriorityMethods.KEY.write(new GasPriorityMethods.Key((GasPriority) family, due)));
        }
      };

  // Plan executions.

  static final ObjectShape<PlanTerms> PLAN =
      ObjectShape.<PlanTerms>named("PlanTerms")
          .with("plan", Shape.NUMBER, PlanTerms::plan)
          .with("timestamp", Words.SECONDS, PlanTerms::timestamp)
          .with("value", Words.DIGITS, PlanTerms::value);

  private static final FamilyShape<PlanTerms> PLAN_EXECUTION =
      new FamilyShape<>(PlanTerms.class, PLAN) {
        @Override
        String whyFull(Forecast full, Instant now) {
          return full.from().toInstant().isAfter(now)
              ? "It is too near for an execution to be scheduled: choose a later time."
              : PASSED;
        }
      };

  // Executions of a contract on a chain.

  /** What the contract calls, and not this node. */
  private static final ObjectShape<ChainExecutionTerms> CONTRACT_CALL =
      ObjectShape.<ChainExecutionTerms>named("ContractCallTarget")
          .constant("type", "contract-call")
          .with("to", Words.ACCOUNT, ChainExecutionTerms::to);

  /** Its money is the chain's, and not the queue's. */
  private static final FamilyShape<ChainExecutionTerms> CHAIN_EXECUTION =
      new FamilyShape<>(
          ChainExecutionTerms.class,
          ObjectShape.<ChainExecutionTerms>named("ChainExecutionTerms")
              .with("plan", Shape.NUMBER, ChainExecutionTerms::plan)
              .with("to", Words.ACCOUNT, ChainExecutionTerms::to)
              .with("dataSize", Shape.NUMBER, value -> (long) value.dataSize(), "bytes")
              .with("timestamp", Formats.TIME, value -> ChainPlan.time(value.timestamp()))
              .with(
                  "value",
                  Words.DIGITS,
                  ChainExecutionTerms::value,
                  "in the chain's smallest unit")) {
        @Override
        JsonNode target(ChainExecutionTerms value, Proposal proposal) {
          return CONTRACT_CALL.write(value);
        }

        @Override
        String whyFull(Forecast full, Instant now) {
          return "It is scheduled at the contract, and not here.";
        }
      };

  /** Of all families; a schedule has one of them. */
  static final List<Shape<?>> TARGETS =
      List.of(TargetShapes.TARGET, SigningShapes.TARGET, CONTRACT_CALL);
}
