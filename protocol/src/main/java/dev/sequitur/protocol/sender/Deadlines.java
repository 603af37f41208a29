package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.Identity;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /**
   * Of the present range and of now: who was added waits for its range. Empty if its group has
   * never changed, as of most.
   */
  private static Optional<Set<Identity>> members(SenderStep step) {
    var now = step.setup.selection().group();
    return Optional.of(now.committees())
        .filter(committees -> committees.number() > 0)
        .map(
            any ->
                Stream.of(step.group(), now)
                    .flatMap(group -> group.committee().identities().stream())
                    .collect(Collectors.toSet()));
  }

  /** Why nobody tries any more to fulfil it, in a sentence. */
  private static Optional<String> over(
      SenderStep step, SenderTransaction transaction, Optional<Set<Identity>> members) {
    var sender = transaction.transaction().from();
    if (members.filter(it -> !it.contains(sender)).isPresent()
        && areHoldersKnown(step, transaction)) {
      return Optional.of(
          sender + " is no member of the group any more, and nobody endorses for it.");
    }
    return transaction
        .transaction()
        .deadline()
        .filter(it -> !it.isAfter(step.now()) && !mayBeOnItsWay(step, transaction))
        .map(it -> "Its deadline, " + it + ", has passed.");
  }

  /** What was granted once stays so when its submitter is lost. */
  private static boolean mayBeOnItsWay(SenderStep step, SenderTransaction transaction) {
    return transaction.progress().granted() || !areHoldersKnown(step, transaction);
  }

  /**
   * After a restart nobody knows what was granted, until submitters have had the time to name it.
   */
  private static boolean areHoldersKnown(SenderStep step, SenderTransaction transaction) {
    return !transaction.progress().holders().anybodyUntil().isAfter(step.now());
  }

  /**
   * What is granted may be on its way to the base ledger, which decides then (CNF-1). Where its
   * leave has come to nothing, it is pending again.
   */
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
