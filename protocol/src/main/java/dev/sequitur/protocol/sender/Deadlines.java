package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.Identity;
import java.util.Optional;
import java.util.Set;

/**
 * What its caller no longer waits for (SND-8). Silence ends nothing else: who is silent has refused
 * nothing.
 */
final class Deadlines {
  private Deadlines() {}

  static void onTick(SenderStep step) {
    var members = members(step);
    for (var transaction : step.state().transactions().values()) {
      var over = over(step, transaction, members);
      if (over.isPresent() && canBeTakenBack(transaction.state())) {
        Relinquishing.begin(step, transaction);
        Ending.revert(step, transaction.id(), over.get() + " " + waitedFor(transaction));
      }
    }
  }

  /** Of the present range; empty if its group has never changed, as of most. */
  private static Optional<Set<Identity>> members(SenderStep step) {
    return Optional.of(step.group())
        .filter(group -> group.committees().number() > 0)
        .map(group -> Set.copyOf(group.committee().identities()));
  }

  /** Why nobody tries any more to fulfil it, in a sentence. */
  private static Optional<String> over(
      SenderStep step, SenderTransaction transaction, Optional<Set<Identity>> members) {
    var sender = transaction.transaction().from();
    if (members.filter(it -> !it.contains(sender)).isPresent()
        && !mayBeOnItsWay(step, transaction)) {
      return Optional.of(
          sender + " is no member of the group any more, and nobody endorses for it.");
    }
    return transaction
        .transaction()
        .deadline()
        .filter(it -> !it.isAfter(step.now()) && !mayBeOnItsWay(step, transaction))
        .map(it -> "Its deadline, " + it + ", has passed.");
  }

  /**
   * What was granted once stays so when its submitter is lost, and when its sender is removed: what
   * a committee has endorsed may be enough for a later one, too (CMT-6). After a restart nobody
   * knows what was, until submitters have had the time to name it.
   */
  private static boolean mayBeOnItsWay(SenderStep step, SenderTransaction transaction) {
    var progress = transaction.progress();
    return progress.granted() || progress.holders().anybodyUntil().isAfter(step.now());
  }

  /** What is granted may be on its way to the base ledger, which decides then (CNF-1). */
  private static boolean canBeTakenBack(TransactionState state) {
    return switch (state) {
      case PENDING, PARKED, DELEGATING, DELEGATED, ASSEMBLING -> true;
      case PREPARED, DISPATCHED, CONFIRMED, REVERTED -> false;
    };
  }

  private static String waitedFor(SenderTransaction transaction) {
    var delegate = transaction.progress().delegate().map(Object::toString).orElse("a coordinator");
    return switch (transaction.state()) {
      case PENDING ->
          transaction.waitsFor().isEmpty()
              ? "It waited for its next try."
              : "It waited for the confirmation of " + transaction.waitsFor() + ".";
      case PARKED -> "It was parked: " + transaction.parkedFor();
      case DELEGATING -> "It waited for " + delegate + " to answer.";
      case ASSEMBLING -> "It waited for the domain on this node.";
      case DELEGATED -> "It waited for " + transaction.waitsAtCoordinator() + ".";
      case PREPARED, DISPATCHED, CONFIRMED, REVERTED ->
          throw new IllegalStateException("It is out of reach: " + transaction.id());
    };
  }
}
