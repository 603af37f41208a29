package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.book.Audit;
import dev.sequitur.schedule.book.Hold;

/**
 * The conservation of money, counted anew from every schedule, named hold and account.
 *
 * @param owed what the terms of all unsettled schedules, and the families of their named holds, say
 *     must be held, with what is on its way to other partitions
 */
public record QueueAudit(Audit book, Amount owed) {
  static QueueAudit of(QueueSetup setup, QueueState state) {
    var owed = Amount.ZERO;
    for (var schedule : state.entries().schedules().values()) {
      if (!state.entries().removals().contains(schedule.id())) {
        var held = state.book().hold(schedule.hold()).map(Hold::amount).orElse(Amount.ZERO);
        owed = owed.plus(setup.family(schedule.family()).owed(schedule, held));
      }
    }
    for (var crossing : state.crossings().open().entrySet()) {
      // What was set aside for the schedule from the start is owed by its terms.
      if (!setup.setsAside(state.entries().schedules().get(crossing.getKey()))) {
        owed = owed.plus(crossing.getValue().amount());
      }
    }
    for (var entry : state.families().entrySet()) {
      owed = owed.plus(setup.family(entry.getKey()).owed(entry.getValue()));
    }
    return new QueueAudit(state.book().audit(), owed);
  }

  /** Of two partitions of a queue together, each counted for itself. */
  public QueueAudit plus(QueueAudit other) {
    return new QueueAudit(book.plus(other.book), owed.plus(other.owed));
  }

  public boolean isConserved() {
    return book.isConserved() && owed.equals(book.sumOfHolds());
  }
}
