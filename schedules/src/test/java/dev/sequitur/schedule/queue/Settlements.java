package dev.sequitur.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.OccurrenceKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which schedules a journal took in, and which it gave their last outcome: each by its incarnation.
 */
record Settlements(Set<Long> admitted, Set<Long> ended) {
  /** Fails if an occurrence has two outcomes. */
  static Settlements of(List<QueueEvent> journal) {
    var admitted = new HashSet<Long>();
    var ended = new HashSet<Long>();
    var occurrences = new HashSet<String>();
    for (var event : journal) {
      if (event instanceof QueueEvent.Admitted taken) {
        admitted.add(taken.schedule().incarnation());
      }
      var settled =
          event instanceof QueueEvent.Ran ran
              ? ran.settled()
              : event instanceof QueueEvent.Settled end ? end : null;
      if (settled != null) {
        OccurrenceKey key = settled.key();
        for (long of = 0; of < settled.occurrences(); of++) {
          assertThat(occurrences.add(key.incarnation() + "/" + (key.occurrence() + of)))
              .as("twice: %s", settled)
              .isTrue();
        }
        if (settled.next().isEmpty()) {
          ended.add(key.incarnation());
        }
      }
    }
    return new Settlements(admitted, ended);
  }
}
