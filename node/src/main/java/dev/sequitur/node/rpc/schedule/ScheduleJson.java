package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.schedule.Conclusion;
import dev.sequitur.protocol.schedule.ConsensusTime;
import dev.sequitur.protocol.schedule.Cost;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.LatePolicy;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.execution.Execution;
import dev.sequitur.protocol.schedule.family.Forecast;
import dev.sequitur.protocol.schedule.family.MultiSignatureTerms;
import dev.sequitur.protocol.schedule.family.Proposal;
import dev.sequitur.protocol.schedule.queue.Explanation;
import dev.sequitur.protocol.schedule.queue.History;
import dev.sequitur.protocol.schedule.queue.Outcomes;
import dev.sequitur.protocol.schedule.queue.QueueAudit;
import dev.sequitur.protocol.schedule.queue.QueueSetup;
import dev.sequitur.protocol.schedule.signing.Profile;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** What the methods of the schedules answer, as JSON. Amounts are decimal digits in strings. */
final class ScheduleJson {
  private ScheduleJson() {}

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A consensus time twice: for people, and exactly. */
  static void time(ObjectNode json, String name, ConsensusTime time) {
    json.put(name, time.toInstant().toString());
    json.put(name + "Ns", Long.toString(time.nanos()));
  }

  /** UTF-8 text if it is that; otherwise 0x and hexadecimal digits. */
  static String message(Bytes message) {
    var text = message.toUtf8();
    boolean readable = Bytes.utf8(text).equals(message) && !text.startsWith("0x");
    return readable ? text : message.toHex();
  }

  static ObjectNode schedule(ScheduleView view, QueueSetup setup) {
    var schedule = view.schedule();
    var proposal = schedule.proposal();
    var json =
        JsonText.object()
            .put("id", CommandFields.id(schedule.id()))
            .put("family", CommandFields.name(schedule.family()))
            .put("owner", proposal.owner().value())
            .put("incarnation", schedule.incarnation())
            .put("occurrence", schedule.occurrence());
    json.set("terms", TermsJson.terms(proposal.terms()));
    json.set("target", target(proposal));
    json.put("late", late(proposal.late()));
    json.put("maxAttempts", proposal.retry().maxAttempts());
    json.put("state", word(view.state()));
    if (view.state() == ScheduleState.PARKED) {
      schedule.due().parkedFor().ifPresent(cause -> json.put("parkedFor", word(cause)));
    }
    json.put("next", next(view, setup).map(Instant::toString).orElse(null));
    view.execution().ifPresent(execution -> json.set("execution", execution(execution)));
    return json;
  }

  /** Also of one that is gone, as long as it has an outcome that is remembered; null without. */
  static JsonNode known(KnownSchedule known, ScheduleId id, QueueSetup setup) {
    if (known.view().isEmpty() && known.lastOutcome().isEmpty()) {
      return NullNode.instance;
    }
    var json = known.view().map(view -> schedule(view, setup)).orElseGet(() -> gone(id));
    known.lastOutcome().ifPresent(last -> json.set("lastOutcome", recorded(last)));
    return json;
  }

  private static ObjectNode gone(ScheduleId id) {
    return JsonText.object()
        .put("id", CommandFields.id(id))
        .put("family", CommandFields.name(id.family()))
        .put("state", word(ScheduleState.SETTLED));
  }

  /** When its present occurrence is due; empty if no time alone makes it so. */
  private static Optional<Instant> next(ScheduleView view, QueueSetup setup) {
    var schedule = view.schedule();
    if (view.ended() || schedule.due().isParked()) {
      return Optional.empty();
    } else if (schedule.proposal().terms() instanceof MultiSignatureTerms terms) {
      return terms.creation().waitForExpiry()
          ? Optional.of(Instant.ofEpochSecond(terms.expirySecond()))
          : Optional.empty();
    }
    long due = setup.family(schedule.family()).dueNanos(schedule.due());
    return Optional.of(new ConsensusTime(due).toInstant());
  }

  private static JsonNode execution(Execution execution) {
    var json =
        JsonText.object()
            .put("attempt", execution.key().attempt())
            .put("gasUnitPrice", Long.toString(execution.price()));
    time(json, "startAt", execution.startAt());
    privateTransaction(json, execution.privateTransaction());
    execution.conclusion().ifPresent(conclusion -> json.set("conclusion", conclusion(conclusion)));
    return json;
  }

  private static JsonNode conclusion(Conclusion conclusion) {
    var json = JsonText.object().put("gasUsed", Long.toString(conclusion.gasUsed()));
    if (conclusion instanceof Conclusion.Failed failed) {
      json.put("reason", failed.reason()).put("retryable", failed.retryable());
    }
    return json;
  }

  /** What it runs, also where its family's own terms say that. */
  private static JsonNode target(Proposal proposal) {
    return proposal.terms() instanceof MultiSignatureTerms terms
        ? MultiSignatureJson.target(terms.creation().transaction().action())
        : target(proposal.target());
  }

  static JsonNode target(Target target) {
    return switch (target) {
      case Target.Transfer(var to, var amount) ->
          JsonText.object()
              .put("type", "transfer")
              .put("to", to.value())
              .put("amount", amount.toString());
      case Target.Notify(var message) ->
          JsonText.object().put("type", "notify").put("message", message(message));
      case Target.Repeat repeat -> {
        var json =
            JsonText.object()
                .put("type", "repeat")
                .put("every", Duration.ofMillis(repeat.everyMillis()).toString())
                .put("more", repeat.more());
        yield json.set("action", target(repeat.action()));
      }
      case Target.PrivateCall call -> {
        var json =
            JsonText.object()
                .put("type", "private")
                .put("domain", call.domain())
                .put("from", call.from().toString())
                .put("to", call.contract().value())
                .put("function", call.function());
        yield json.set("data", JsonText.parse(call.inputs().toByteArray()));
      }
      case Target.ByFamily() ->
          throw new IllegalStateException("Only its family knows what this runs.");
    };
  }

  private static String late(LatePolicy policy) {
    return switch (policy) {
      case LatePolicy.RunWithin(var window) -> window.toString();
      case LatePolicy.Skip() -> "skip";
      case LatePolicy.RunOnce() -> "run-once";
      case LatePolicy.RunAll() -> "run-all";
      case LatePolicy.ExpireAndRefund() -> "expire-and-refund";
      case LatePolicy.AsSpecified() -> "as-specified";
    };
  }

  static ObjectNode schedule(OccurrenceKey key) {
    return JsonText.object().put("schedule", CommandFields.id(key.schedule()));
  }

  static void occurrence(ObjectNode json, OccurrenceKey key) {
    json.put("incarnation", key.incarnation())
        .put("occurrence", key.occurrence())
        .put("attempt", key.attempt());
  }

  /** Left out if there is none, as almost all that run have none. */
  private static void privateTransaction(ObjectNode json, Optional<TransactionId> transaction) {
    transaction.ifPresent(id -> json.put("privateTransaction", id.toString()));
  }

  static ObjectNode explanation(Explanation explanation) {
    var json = JsonText.object().put("why", explanation.sentence());
    privateTransaction(json, explanation.privateTransaction());
    var history = json.putArray("history");
    explanation.history().forEach(recorded -> history.add(recorded(recorded)));
    return json;
  }

  static ObjectNode outcomes(Outcomes page) {
    var json = JsonText.object();
    var outcomes = json.putArray("outcomes");
    for (var each : page.outcomes()) {
      outcomes
          .addObject()
          .put("number", each.number())
          .put("schedule", CommandFields.id(each.recorded().key().schedule()))
          .setAll(recorded(each.recorded()));
    }
    return json.put("forgotten", page.forgotten()).put("next", page.next());
  }

  static ObjectNode recorded(History.Recorded recorded) {
    var json = JsonText.object();
    occurrence(json, recorded.key());
    if (recorded.occurrences() > 1) {
      json.put("occurrences", recorded.occurrences());
    }
    json.put("outcome", word(recorded.outcome()));
    time(json, "at", recorded.at());
    json.put("note", recorded.note());
    json.set("cost", cost(recorded.cost()));
    privateTransaction(json, recorded.privateTransaction());
    recorded.rescheduledAs().ifPresent(id -> json.put("rescheduledAs", id.toString()));
    return json;
  }

  private static JsonNode cost(Cost cost) {
    return JsonText.object()
        .put("gasUnitPrice", Long.toString(cost.gasUnitPrice()))
        .put("gasUsed", Long.toString(cost.gasUsed()))
        .put("charged", cost.charged().toString())
        .put("refunded", cost.refunded().toString());
  }

  static ObjectNode overview(QueueOverview overview, Profile profile) {
    var json = JsonText.object();
    time(json, "clock", overview.clock());
    json.put("admissions", overview.admissions())
        .put("schedules", overview.schedules())
        .put("executing", overview.executing());
    ArrayNode families = json.putArray("families");
    for (var family : overview.families()) {
      var row = families.addObject();
      row.put("family", CommandFields.name(family.family()))
          .put("service", word(family.service()))
          .put("waiting", family.waiting());
      if (family.family() == FamilyKind.MULTI_SIGNATURE) {
        row.put("profile", word(profile));
      }
    }
    return json;
  }

  static ObjectNode audit(QueueAudit audit) {
    var book = audit.book();
    return JsonText.object()
        .put("conserved", audit.isConserved())
        .put("sumOfAccounts", Long.toString(book.sumOfAccounts()))
        .put("held", book.heldAccount().toString())
        .put("sumOfHolds", book.sumOfHolds().toString())
        .put("owed", audit.owed().toString())
        .put("overdrawn", book.overdrawn());
  }

  static ObjectNode forecast(Forecast forecast) {
    var json = JsonText.object();
    time(json, "from", forecast.from());
    return json.put("taken", forecast.taken())
        .put("capacity", forecast.capacity())
        .put("price", Long.toString(forecast.price()))
        .put("full", forecast.full());
  }

  static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }
}
