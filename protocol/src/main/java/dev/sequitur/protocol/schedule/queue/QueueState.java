package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.ConsensusClock;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.Service;
import dev.sequitur.protocol.schedule.Throttle;
import dev.sequitur.protocol.schedule.book.Book;
import dev.sequitur.protocol.schedule.book.HoldId;
import dev.sequitur.protocol.schedule.family.FamilyState;
import org.pcollections.TreePMap;

/**
 * All that a queue knows; all of it is durable. Sorted collections only, so that equal states have
 * equal encodings.
 *
 * @param admissions how many schedules were ever admitted
 * @param services of families that are not simply active
 */
public record QueueState(
    ConsensusClock clock,
    long admissions,
    Book book,
    Entries entries,
    TreePMap<FamilyKind, Service> services,
    TreePMap<FamilyKind, FamilyState> families,
    TreePMap<String, Throttle> throttles,
    History history) {

  public static QueueState initial() {
    return new QueueState(
        ConsensusClock.INITIAL,
        0,
        Book.EMPTY,
        Entries.EMPTY,
        TreePMap.empty(),
        TreePMap.empty(),
        TreePMap.empty(),
        History.EMPTY);
  }

  public Service service(FamilyKind family) {
    return services.getOrDefault(family, Service.ACTIVE);
  }

  /** What the bucket of an operation holds, under the limit that it has now. */
  Throttle throttle(String operation, long opsPerSecond) {
    var known = throttles.get(operation);
    return known == null ? Throttle.empty(opsPerSecond) : known.limitedTo(opsPerSecond);
  }

  /** Whether nothing waits or runs: the queue may leave memory. */
  public boolean isIdle() {
    return entries.schedules().isEmpty();
  }

  /** With its indexes made anew from its schedules and outcomes, for one that was kept without. */
  public QueueState reindexed() {
    return with(entries.reindexed()).with(history.reindexed());
  }

  QueueState with(ConsensusClock next) {
    return new QueueState(next, admissions, book, entries, services, families, throttles, history);
  }

  QueueState with(Book next) {
    return new QueueState(clock, admissions, next, entries, services, families, throttles, history);
  }

  QueueState with(Entries next) {
    return new QueueState(clock, admissions, book, next, services, families, throttles, history);
  }

  QueueState with(FamilyKind family, Service service) {
    var next = service == Service.ACTIVE ? services.minus(family) : services.plus(family, service);
    return new QueueState(clock, admissions, book, entries, next, families, throttles, history);
  }

  QueueState with(FamilyKind family, FamilyState state) {
    if (families.get(family) == state) {
      return this;
    }
    return new QueueState(
        clock,
        admissions,
        book,
        entries,
        services,
        families.plus(family, state),
        throttles,
        history);
  }

  QueueState with(String operation, Throttle throttle) {
    return new QueueState(
        clock,
        admissions,
        book,
        entries,
        services,
        families,
        throttles.plus(operation, throttle),
        history);
  }

  QueueState with(History next) {
    return new QueueState(clock, admissions, book, entries, services, families, throttles, next);
  }

  QueueState admitted(QueueEvent.Admitted admitted) {
    var owner = book.shared(admitted.schedule().proposal().owner());
    var schedule = admitted.schedule().sharing(owner);
    return new QueueState(
        clock,
        schedule.incarnation(),
        admitted.deposit().isZero() ? book : book.add(schedule.hold(), owner, admitted.deposit()),
        entries.admit(schedule),
        services,
        families,
        throttles,
        history);
  }

  QueueState settled(Entries nextEntries, Book paid, History nextHistory) {
    return new QueueState(
        clock, admissions, paid, nextEntries, services, families, throttles, nextHistory);
  }

  /** Capture, then either the next occurrence or the end of the hold, if it has one. */
  Book.Closed paid(HoldId hold, QueueEvent.Settled settled) {
    if (settled.charge().isZero() && book.hold(hold).isEmpty()) {
      return new Book.Closed(book, Amount.ZERO);
    } else if (settled.next().isPresent()) {
      var captured = book.capture(hold, settled.payee(), settled.charge());
      return new Book.Closed(captured, Amount.ZERO);
    }
    return book.close(hold, settled.payee(), settled.charge());
  }

  /**
   * @throws IllegalStateException if another number was marked for removal
   */
  QueueState removed(int count) {
    if (entries.removals().size() != count) {
      throw new IllegalStateException(
          "To be removed are " + entries.removals().size() + ", not " + count);
    }
    return with(entries.remove());
  }
}
