package dev.sequitur.node.rpc.schedule;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings.Throttles;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.signing.OperationFees;
import dev.sequitur.schedule.signing.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** How full a family is at a time, and what it costs there. */
record ForecastMethods(NodeContext context) {
  private static final Field<Instant> AT = Field.of("at", CommandFields.INSTANT, "");
  private static final Field<AccountId> REQUESTOR =
      Field.optional(
              "requestor",
              CommandFields.ACCOUNT,
              "of plan-execution, with `plan`: who has executions left")
          .mentions(Field.Mention.ACCOUNT);
  private static final Field<Long> PLAN =
      Field.optional("plan", CommandFields.NUMBER, "with `requestor`: the number of the plan");
  private static final Field<Sent> PLACE =
      Field.of(
          "place",
          ObjectFormat.of(
              "ForecastRequest", CommandFields.FAMILY, AT, CommandFields.QUEUE, REQUESTOR, PLAN),
          "family and time");

  RpcMethod forecast() {
    return RpcMethod.reading(
        "schedule_forecast",
        List.of(PLACE),
        TOLD.orNull(),
        "`{from, fromNs, taken, capacity, price, unreached, full, why}` and what the family adds, or null if it"
            + " is not served",
        "How full a family is at a time as it stands now, and what a place there costs at least."
            + " `full` says that nothing can be"
            + " scheduled for it, and `why` then says why: there is no room, it has passed, or it is"
            + " too near or too far. Of gas-priority, `taken` stand in the tick, its first block"
            + " runs `capacity`, `unreached` of them will expire, since blocks do not come to them"
            + " in time, and `price` is for a unit of gas. Of recurring, `taken` have booked"
            + " the slot of series in which it lies, a minute by default, which takes `capacity`,"
            + " and `price` is for a time; a task books the one with which its hour begins. Of"
            + " plan-execution,"
            + " `taken` are scheduled for that second, a block executes `capacity`, and `price` is"
            + " that of the cheapest plan in the queue's own money; `plans` are those that are sold,"
            + " each with the ends of the window around that time, `earliest` and `latest`, and with"
            + " `requestor` and `plan` named, `remainingExecutions` says how many of that plan are"
            + " bought and not scheduled. Of multi-signature, `price` is that of creating a schedule"
            + " and executing it; in the profile mvp `taken` of at most `capacity` still wait by"
            + " then unless they are signed, in current `taken` expire in that second, which takes"
            + " `capacity`; `fees` has each fee, `throttles` the operations that a second takes,"
            + " `txExpiryTimeSecs` how long one waits that names no time, and `maxFutureSecs` how far"
            + " ahead a time may be named (null in mvp, where none is).",
        this::answer);
  }

  private CompletionStage<Optional<Told>> answer(Call call) {
    var place = call.get(PLACE);
    var family = place.get(CommandFields.FAMILY);
    if (place.has(REQUESTOR) != place.has(PLAN)
        || (place.has(PLAN) && family != FamilyKind.PLAN_EXECUTION)) {
      throw place.wrong(
          " has only one of requestor and plan, or another family than plan-execution: name"
              + " both, or none.");
    }
    return context
        .scheduler()
        .forecast(place.get(CommandFields.QUEUE), family, place.get(AT))
        .thenCompose(found -> Answers.ifThere(found, forecast -> told(place, forecast)));
  }

  private CompletionStage<Told> told(Sent place, Forecast forecast) {
    var family = place.get(CommandFields.FAMILY);
    var told =
        new Told(
            forecast,
            why(family, forecast),
            Optional.of(MultiSignatureMethods.settings(context))
                .filter(any -> family == FamilyKind.MULTI_SIGNATURE),
            Optional.empty(),
            Optional.empty());
    return family == FamilyKind.PLAN_EXECUTION ? withPlans(told, place) : completedFuture(told);
  }

  private Optional<String> why(FamilyKind family, Forecast forecast) {
    return forecast.full()
        ? Optional.of(FamilyShape.of(family).whyFull(forecast, context.clock().instant()))
        : Optional.empty();
  }

  private CompletionStage<Told> withPlans(Told told, Sent place) {
    return context
        .scheduler()
        .ask(place.get(CommandFields.QUEUE), new PlanQuery.Plans())
        .thenCombine(
            remaining(place),
            (offer, remaining) ->
                new Told(
                    told.forecast(),
                    told.why(),
                    told.settings(),
                    Optional.of(sold(offer, told.forecast().from().seconds())),
                    remaining.map(PlanQuery.Count::executions)));
  }

  private CompletionStage<Optional<PlanQuery.Count>> remaining(Sent place) {
    return Answers.ifThere(
        place.find(REQUESTOR),
        requestor ->
            context
                .scheduler()
                .ask(
                    place.get(CommandFields.QUEUE),
                    new PlanQuery.RemainingExecutions(requestor, place.get(PLAN))));
  }

  private static List<Sold> sold(PlanQuery.Offer offer, long second) {
    return PlanQueryMethods.numbered(offer).stream()
        .filter(each -> each.plan().active())
        .map(
            each -> {
              long window = each.plan().window();
              return new Sold(
                  each,
                  Instant.ofEpochSecond(second - Math.min(window, second)),
                  latest(second, window));
            })
        .toList();
  }

  /** A window may be longer than any time. */
  private static Instant latest(long second, long window) {
    long last = ConsensusTime.END.getEpochSecond() - 1;
    return Instant.ofEpochSecond(window > last - second ? last : second + window);
  }

  /** A plan that is sold, and the ends of the window around the time. */
  private record Sold(PlanQueryMethods.NumberedPlan plan, Instant earliest, Instant latest) {}

  private static final ObjectShape<Sold> SOLD =
      ObjectShape.<Sold>named("SoldPlan")
          .all(PlanQueryMethods.PLAN, Sold::plan)
          .with("earliest", Formats.TIME, Sold::earliest)
          .with("latest", Formats.TIME, Sold::latest);

  private static final ObjectShape<OperationFees> FEES =
      ObjectShape.<OperationFees>named("Fees")
          .with("create", Words.DIGITS, OperationFees::create)
          .with("sign", Words.DIGITS, OperationFees::sign)
          .with("delete", Words.DIGITS, OperationFees::delete)
          .with("perSignature", Words.DIGITS, OperationFees::perSignature)
          .with("cryptoTransfer", Words.DIGITS, OperationFees::cryptoTransfer)
          .with("cryptoCreate", Words.DIGITS, OperationFees::cryptoCreate)
          .with("cryptoUpdate", Words.DIGITS, OperationFees::cryptoUpdate)
          .with("privateTransaction", Words.DIGITS, OperationFees::privateTransaction)
          .with("query", Words.DIGITS, OperationFees::query);

  private static final ObjectShape<Throttles> THROTTLES =
      ObjectShape.<Throttles>named("Throttles")
          .with("create", Shape.NUMBER, Throttles::create, "a second")
          .with("sign", Shape.NUMBER, Throttles::sign)
          .with("delete", Shape.NUMBER, Throttles::delete)
          .with("getInfo", Shape.NUMBER, Throttles::getInfo);

  private static final ObjectShape<MultiSignatureSettings> SETTINGS =
      ObjectShape.<MultiSignatureSettings>named("MultiSignatureSettings")
          .with("fees", FEES, MultiSignatureSettings::fees)
          .with("throttles", THROTTLES, MultiSignatureSettings::throttles)
          .with("txExpiryTimeSecs", Shape.NUMBER, settings -> settings.expiry().txExpiryTimeSecs())
          .with(
              "maxFutureSecs",
              Shape.NUMBER.orNull(),
              settings ->
                  Optional.of(settings.expiry().maxFutureSecs())
                      .filter(any -> settings.profile() == Profile.CURRENT));

  /** A forecast with what its family adds. */
  private record Told(
      Forecast forecast,
      Optional<String> why,
      Optional<MultiSignatureSettings> settings,
      Optional<List<Sold>> plans,
      Optional<Long> remaining) {}

  private static final ObjectShape<Told> TOLD =
      ObjectShape.<Told>named("ForecastOfFamily")
          .all(ScheduleShapes.FORECAST, Told::forecast)
          .with("why", Formats.TEXT.orNull(), Told::why, "nothing can be scheduled for it")
          .allIf(SETTINGS, Told::settings)
          .maybe("plans", SOLD.list(), Told::plans)
          .maybe("remainingExecutions", Shape.NUMBER, Told::remaining);
}
