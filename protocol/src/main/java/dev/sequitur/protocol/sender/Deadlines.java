package dev.sequitur.protocol.sender;

/**
 * What its caller no longer waits for (SND-8). Silence ends nothing else: who is silent has refused
 * nothing.
 */
final class Deadlines {
  private Deadlines() {}

  static void onTick(SenderStep step) {
    for (var transaction : step.state().transactions().values()) {
      var deadline = transaction.transaction().deadline();
      if (deadline.isPresent()
          && !deadline.get().isAfter(step.now())
          && !mayBeOnItsWay(step, transaction)
          && canBeTakenBack(transaction.state())) {
        Relinquishing.begin(step, transaction);
        Ending.revert(
            step,
            transaction.id(),
            "Its deadline, " + deadline.get() + ", has passed. " + waitedFor(transaction));
      }
    }
  }

  /**
   * What was granted once stays so when its submitter is lost; after a restart nobody knows what
   * was, until submitters have had the time to name it.
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
