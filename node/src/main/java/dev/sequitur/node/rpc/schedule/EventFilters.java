package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.List;
import java.util.Optional;

/**
 * Of what has happened in a queue a listener is told.
 *
 * @param from the number of the first
 * @param family only of this one
 * @param owner only of this one's schedules
 */
record EventFilters(
    QueueName queue, long from, Optional<FamilyKind> family, Optional<AccountId> owner) {
  private static final Field<FamilyKind> FAMILY =
      Field.optional("family", CommandFields.KIND, "only of this one");
  private static final Field<AccountId> OWNER =
      Field.optional("owner", CommandFields.ACCOUNT, "only of this one's schedules");

  /** Of a new listener. */
  static final List<Field<?>> SENT =
      List.of(CommandFields.QUEUE, OutcomeFields.FROM, FAMILY, OWNER);

  /** As a caller reads them. */
  static final ObjectShape<EventFilters> SHOWN =
      ObjectShape.<EventFilters>named("EventFilters")
          .with("queue", Shape.words("the name of a queue", "default"), EventFilters::queue)
          .with("from", Shape.NUMBER, EventFilters::from, "it began with this number")
          .maybe("family", Words.FAMILY, EventFilters::family)
          .maybe("owner", Words.ACCOUNT, EventFilters::owner);

  /** By {@link #SENT}. */
  static EventFilters of(Sent sent) {
    return new EventFilters(
        sent.get(CommandFields.QUEUE),
        sent.get(OutcomeFields.FROM),
        sent.find(FAMILY),
        sent.find(OWNER));
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
        json.path("from").longValue(),
        Optional.ofNullable(json.path("family").textValue()).map(EventFilters::family),
        Optional.ofNullable(json.path("owner").textValue()).map(AccountId::new));
  }

  private static FamilyKind family(String word) {
    for (var kind : FamilyKind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("No family: " + word);
  }

  /** Whether it is one of these; what {@link #from} says aside. */
  boolean wants(Happened happened) {
    var about = happened.whose();
    return family.map(it -> about.map(Subject::family).equals(Optional.of(it))).orElse(true)
        && owner.map(it -> about.map(Subject::owner).equals(Optional.of(it))).orElse(true);
  }
}
