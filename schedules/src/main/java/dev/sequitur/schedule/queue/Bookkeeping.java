package dev.sequitur.schedule.queue;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.book.Book;
import dev.sequitur.schedule.book.Hold;
import dev.sequitur.schedule.book.HoldId;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.family.Posting.Kind;
import java.util.Optional;

/** What has to be kept for statements of what moves money, since nothing else keeps it (ACC-10). */
final class Bookkeeping {
  private Bookkeeping() {}

  static Optional<Posting> of(QueueEvent.Posted posted) {
    var amount = posted.amount();
    return amount.isZero()
        ? Optional.empty()
        : switch (posted.why()) {
          case FUNDED -> Optional.of(Posting.of(posted.to(), Kind.FUNDED, amount));
          case WITHDRAWN -> Optional.of(Posting.of(posted.from(), Kind.WITHDRAWN, amount));
          case BEGUN -> funded(posted, "to begin the queue with");
          case OPENED -> funded(posted, "as it was opened");
          case ARRIVED, TOLD -> Optional.empty();
        };
  }

  private static Optional<Posting> funded(QueueEvent.Posted posted, String what) {
    return Optional.of(
        new Posting(posted.to(), Kind.FUNDED, posted.amount(), Optional.empty(), what));
  }

  static Optional<Posting> of(QueueEvent.SetAside aside) {
    return bought(aside.hold())
        .map(
            named ->
                new Posting(
                    aside.owner(), Kind.SET_ASIDE, aside.amount(), Optional.empty(), named.name()));
  }

  /** What somebody else gets is told by the outcome of what it pays for. */
  static Optional<Posting> of(Book before, QueueEvent.Captured captured) {
    return bought(captured.hold())
        .flatMap(named -> back(before, named, captured.amount()))
        .filter(posting -> posting.account().equals(captured.to()));
  }

  static Optional<Posting> of(Book before, QueueEvent.Released released) {
    return bought(released.hold())
        .flatMap(
            named -> back(before, named, before.hold(named).map(Hold::amount).orElse(Amount.ZERO)));
  }

  private static Optional<Posting> back(Book before, HoldId.Named named, Amount amount) {
    return before
        .hold(named)
        .filter(hold -> !amount.isZero())
        .map(
            hold ->
                new Posting(hold.owner(), Kind.GIVEN_BACK, amount, Optional.empty(), named.name()));
  }

  /** What is held for a schedule, or is on its way for one, has an outcome. */
  private static Optional<HoldId.Named> bought(HoldId hold) {
    return hold instanceof HoldId.Named named && !Partitioning.isOnItsWay(named)
        ? Optional.of(named)
        : Optional.empty();
  }
}
