package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.family.Forecast;
import dev.sequitur.protocol.schedule.family.MultiSignatureSettings;
import dev.sequitur.protocol.schedule.family.Plan;
import dev.sequitur.protocol.schedule.family.PlanQuery;
import dev.sequitur.protocol.schedule.signing.Profile;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** How full a family is at a time, and what it costs there. */
final class ForecastMethods {
  private final NodeContext context;

  ForecastMethods(NodeContext context) {
    this.context = context;
  }

  RpcMethod forecast() {
    return new RpcMethod(
        "schedule_forecast",
        List.of(Parameter.of("place", Formats.OBJECT, "family and time")),
        "`{from, fromNs, taken, capacity, price, full, why}` and what the family adds, or null if it"
            + " is not served",
        "How full a family is at a time as it stands now, and what a place there costs at least."
            + " Fields: `family`, `at` (RFC 3339), `queue`. `full` says that nothing can be"
            + " scheduled for it, and `why` then says why: there is no room, it has passed, or it is"
            + " too near or too far. Of gas-priority, `taken` stand in the tick, its first block"
            + " runs `capacity`, and `price` is for a unit of gas. Of recurring, `taken` have booked"
            + " the slot, which takes `capacity`, and `price` is for a time. Of plan-execution,"
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
        true,
        this::answer);
  }

  private CompletionStage<JsonNode> answer(Call call) {
    var place = new CommandFields(call.object(0));
    var family = place.family();
    var at = place.time("at");
    var requestor = place.optionalAccount("requestor");
    var plan = place.optionalNumber("plan");
    if (requestor.isPresent() != plan.isPresent()
        || (plan.isPresent() && family != FamilyKind.PLAN_EXECUTION)) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          place.fields().path()
              + " has only one of requestor and plan, or another family than plan-execution: name"
              + " both, or none.");
    }
    place.queue();
    place.fields().refuseUnknown();
    return context
        .scheduler()
        .forecast(place.queue(), family, at)
        .thenCompose(
            found ->
                found.isEmpty()
                    ? CompletableFuture.completedFuture(NullNode.instance)
                    : json(place, found.get()));
  }

  private CompletionStage<JsonNode> json(CommandFields place, Forecast forecast) {
    var family = place.family();
    var json = ScheduleJson.forecast(forecast).put("why", why(family, forecast).orElse(null));
    if (family == FamilyKind.MULTI_SIGNATURE) {
      addSettings(json, MultiSignatureMethods.settings(context));
    } else if (family == FamilyKind.PLAN_EXECUTION) {
      return withPlans(json, place, forecast);
    }
    return CompletableFuture.completedFuture(json);
  }

  private Optional<String> why(FamilyKind family, Forecast forecast) {
    if (!forecast.full()) {
      return Optional.empty();
    } else if (!forecast.from().toInstant().isAfter(context.clock().instant())) {
      return Optional.of("It has passed, or has begun: choose a later time.");
    } else if (family == FamilyKind.PLAN_EXECUTION) {
      return Optional.of("It is too near for an execution to be scheduled: choose a later time.");
    }
    return Optional.of(
        forecast.taken() >= forecast.capacity()
            ? "It has no room: choose another time."
            : "It lies further ahead than the family takes: choose an earlier time.");
  }

  private CompletionStage<JsonNode> withPlans(
      ObjectNode json, CommandFields place, Forecast forecast) {
    var scheduler = context.scheduler();
    return scheduler
        .ask(place.queue(), new PlanQuery.Plans())
        .thenAccept(offer -> addPlans(json, offer.plans(), forecast.from().seconds()))
        .thenCompose(added -> remaining(place))
        .thenApply(
            remaining -> {
              remaining.ifPresent(count -> json.put("remainingExecutions", count.executions()));
              return json;
            });
  }

  private CompletionStage<Optional<PlanQuery.Count>> remaining(CommandFields place) {
    Optional<AccountId> requestor = place.optionalAccount("requestor");
    if (requestor.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    var query = new PlanQuery.RemainingExecutions(requestor.get(), place.number("plan"));
    return context.scheduler().ask(place.queue(), query).thenApply(Optional::of);
  }

  private static void addPlans(ObjectNode json, List<Plan> plans, long second) {
    var sold = json.putArray("plans");
    for (int i = 0; i < plans.size(); i++) {
      var plan = plans.get(i);
      if (plan.active()) {
        long window = Math.min(plan.window(), second);
        var row = PlanQueryMethods.plan(i, plan);
        row.put("earliest", Instant.ofEpochSecond(second - window).toString());
        row.put("latest", latest(second, plan.window()).toString());
        sold.add(row);
      }
    }
  }

  /** A window may be longer than any time. */
  private static Instant latest(long second, long window) {
    long last = ConsensusTime.END.getEpochSecond() - 1;
    return Instant.ofEpochSecond(window > last - second ? last : second + window);
  }

  private static void addSettings(ObjectNode json, MultiSignatureSettings settings) {
    var fees = settings.fees();
    json.putObject("fees")
        .put("create", fees.create().toString())
        .put("sign", fees.sign().toString())
        .put("delete", fees.delete().toString())
        .put("perSignature", fees.perSignature().toString())
        .put("cryptoTransfer", fees.cryptoTransfer().toString())
        .put("cryptoCreate", fees.cryptoCreate().toString())
        .put("cryptoUpdate", fees.cryptoUpdate().toString())
        .put("privateTransaction", fees.privateTransaction().toString());
    var throttles = settings.throttles();
    json.putObject("throttles")
        .put("create", throttles.create())
        .put("sign", throttles.sign())
        .put("delete", throttles.delete())
        .put("getInfo", throttles.getInfo());
    var expiry = settings.expiry();
    json.put("txExpiryTimeSecs", expiry.txExpiryTimeSecs());
    if (settings.profile() == Profile.CURRENT) {
      json.put("maxFutureSecs", expiry.maxFutureSecs());
    } else {
      json.putNull("maxFutureSecs");
    }
  }
}
