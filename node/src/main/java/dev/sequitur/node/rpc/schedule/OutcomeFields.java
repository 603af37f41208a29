package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.scheduler.OutcomeQuery;
import java.time.Instant;

/** Which page of a queue's outcomes is wanted. */
final class OutcomeFields {
  private OutcomeFields() {}

  static final Field<Long> FROM =
      Field.or("from", CommandFields.NUMBER, 0L, "the number of the first");
  static final Field<Instant> SINCE =
      Field.optional("since", CommandFields.INSTANT, "only what ended then or later");
  static final Field<Instant> UNTIL =
      Field.optional("until", CommandFields.INSTANT, "only what ended before");
  static final Field<Integer> LIMIT = CommandFields.limit(OutcomeQuery.MOST);
}
