package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.queue.History.Booked;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Of what has happened in a queue a listener is told.
 *
 * @param type only of this one
 * @param which as outcomes are chosen; its limit says nothing
 */
record EventFilters(QueueName queue, Optional<EventType> type, OutcomeQuery which) {
  private static final Field<EventType> TYPE =
      Field.optional(
          "type",
          OutcomeFields.oneOf(EventType.class, "types", "parked"),
          "only events of this type");

  /** Of a new listener. */
  static final List<Field<?>> SENT =
      Stream.concat(Stream.of(CommandFields.QUEUE, TYPE), OutcomeFields.WHICH.stream()).toList();

  /** As a caller reads them. */
  static final ObjectShape<EventFilters> SHOWN =
      ObjectShape.<EventFilters>named("EventFilters")
          .with("queue", Shape.words("the name of a queue", "default"), EventFilters::queue)
          .with("from", Shape.NUMBER, EventFilters::from, "it began with this number")
          .maybe("family", Words.FAMILY, filters -> filters.which.family())
          .maybe("owner", Words.ACCOUNT, filters -> filters.which.owner())
          .maybe("type", Words.among(EventType.class), EventFilters::type)
          .maybe("outcome", Words.among(Outcome.class), filters -> filters.which.outcome())
          .maybe("label", Formats.TEXT, filters -> filters.which.label())
          .maybe("since", Formats.TIME, filters -> filters.which.since())
          .maybe("until", Formats.TIME, filters -> filters.which.until());

  /** By {@link #SENT}. */
  static EventFilters of(Sent sent) {
    if (sent.has(OutcomeFields.OUTCOME)
        && sent.find(TYPE).filter(type -> type != EventType.ENDED).isPresent()) {
      throw sent.wrong(": Only what has ended has an outcome: name the type ended, or none.");
    }
    var type = sent.find(TYPE);
    boolean owned = sent.has(CommandFields.OF_OWNER) || sent.has(CommandFields.LABEL);
    if (owned && type.filter(it -> it == EventType.SHUTDOWN).isPresent()) {
      throw sent.wrong(
          ": A shutdown is of a whole family, and no owner's, and has no label: leave these out, or"
              + " name another type.");
    } else if (sent.has(CommandFields.LABEL)
        && type.filter(it -> it == EventType.RECORD).isPresent()) {
      throw sent.wrong(": What multi-signature records has no labels: leave the label out.");
    }
    return new EventFilters(
        sent.get(CommandFields.QUEUE), type, OutcomeFields.query(sent, OutcomeQuery.MOST));
  }

  /** The number of the first. */
  long from() {
    return which.from();
  }

  /**
   * The same, of a queue whose events have an order.
   *
   * @throws RpcFailure if they have none
   */
  EventFilters ordered(SchedulerNode scheduler) {
    scheduler
        .refusesOrder(queue)
        .ifPresent(
            why -> {
              throw new RpcFailure(ErrorCode.SCHEDULE_NOT_ALLOWED, why);
            });
    return this;
  }

  /** As it is stored with the listener: the same filters are always the same bytes. */
  Bytes toBytes() {
    return Bytes.of(JsonText.write(SHOWN.write(this)));
  }

  static EventFilters of(Bytes stored) {
    return of(JsonText.parse(stored.toByteArray()));
  }

  /** As {@link #SHOWN} has written them. */
  static EventFilters of(JsonNode json) {
    return new EventFilters(
        new QueueName(json.path("queue").textValue()),
        text(json, "type").map(word -> known(EventType.class, word)),
        new OutcomeQuery(
            json.path("from").longValue(),
            OutcomeQuery.MOST,
            text(json, "family").map(EventFilters::family),
            text(json, "owner").map(AccountId::new),
            Optional.empty(),
            text(json, "outcome").map(word -> known(Outcome.class, word)),
            text(json, "since").map(Instant::parse),
            text(json, "until").map(Instant::parse),
            text(json, "label")));
  }

  private static Optional<String> text(JsonNode json, String field) {
    return Optional.ofNullable(json.path(field).textValue());
  }

  /** Without it the filters would let more through than was asked for. */
  private static <E extends Enum<E>> E known(Class<E> constants, String word) {
    return OutcomeFields.find(constants, word)
        .orElseThrow(
            () -> new IllegalArgumentException("No " + constants.getSimpleName() + ": " + word));
  }

  private static FamilyKind family(String word) {
    for (var kind : FamilyKind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("No family: " + word);
  }

  /** Whether it is one of these; what {@link #from} says aside. Statements tell of the rest. */
  boolean wants(Happened happened) {
    return !(happened instanceof Booked)
        && which.matches(happened)
        && type.map(it -> it == EventType.of(happened)).orElse(true);
  }
}
