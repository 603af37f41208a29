package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusClock;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Throttle;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.signing.KeyRing;
import org.pcollections.TreePMap;

/**
 * All that a queue knows; all of it is durable. Sorted collections only, so that equal states have
 * equal encodings.
 *
 * @param admissions how many schedules were ever admitted
 * @param keys whose key must agree, and the number that the next account or numbered schedule gets
 * @param services of families that are not simply active
 * @param crossings what it knows of the queue's other partitions, if it is one of several
 */
@Copyable
public record QueueState(
    ConsensusClock clock,
    long admissions,
    Book book,
    KeyRing keys,
    Entries entries,
    TreePMap<FamilyKind, Service> services,
    TreePMap<FamilyKind, FamilyState> families,
    TreePMap<String, Throttle> throttles,
    History history,
    Crossings crossings)
    implements QueueStateBuilder.With {

  public static QueueState initial() {
    return new QueueState(
        ConsensusClock.INITIAL,
        0,
        Book.EMPTY,
        KeyRing.EMPTY,
        Entries.EMPTY,
        TreePMap.empty(),
        TreePMap.empty(),
        TreePMap.empty(),
        History.EMPTY,
        Crossings.NONE);
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

  /** With its indexes made anew from what they follow from, for one that was kept without. */
  public QueueState reindexed() {
    return with()
        .book(book.reindexed())
        .entries(entries.reindexed())
        .history(history.reindexed())
        .build();
  }

  QueueState with(FamilyKind family, Service service) {
    return withServices(
        service == Service.ACTIVE ? services.minus(family) : services.plus(family, service));
  }

  QueueState with(FamilyKind family, FamilyState state) {
    return families.get(family) == state ? this : withFamilies(families.plus(family, state));
  }

  QueueState with(String operation, Throttle throttle) {
    return withThrottles(throttles.plus(operation, throttle));
  }

  QueueState admitted(QueueEvent.Admitted admitted) {
    var owner = book.shared(admitted.schedule().proposal().owner());
    var schedule = admitted.schedule().sharing(owner);
    return with()
        .admissions(schedule.incarnation())
        .book(
            admitted.deposit().isZero()
                ? book
                : book.add(schedule.hold(), owner, admitted.deposit()))
        .entries(entries.admit(schedule))
        .build();
  }

  QueueState settled(Entries nextEntries, Book paid, History nextHistory) {
    return with().entries(nextEntries).book(paid).history(nextHistory).build();
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
    return withEntries(entries.remove());
  }
}
