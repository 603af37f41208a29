package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.sender.SenderState.Remembered;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.pcollections.HashTreePSet;
import org.pcollections.TreePVector;

/** Takes up new transactions, and after a restart those of before it. */
final class Arriving {
  private Arriving() {}

  static void accepted(SenderStep step, List<PrivateTransaction> transactions) {
    arrive(step, transactions, Map.of(), step.now());
  }

  static void loaded(SenderStep step, SenderInput.PendingLoaded loaded) {
    // Submitters that still hold some of them are heard first ("Startup processing").
    var grace = step.setup.settings().heartbeats().submitterInterval().multipliedBy(2);
    arrive(step, loaded.transactions(), loaded.prepared(), step.now().plus(grace));
  }

  /** One that is here already is left alone. */
  private static void arrive(
      SenderStep step,
      List<PrivateTransaction> transactions,
      Map<TransactionId, Instant> prepared,
      Instant earliest) {
    var dependants = new ArrayList<TransactionId>();
    for (var transaction : transactions) {
      var known = step.get(transaction.id());
      if (known != null) {
        hasten(step, known, earliest);
      } else if (!step.state().ended().contains(transaction.id())) {
        var arrived = arrived(step, transaction, earliest);
        var preparedAt = prepared.get(transaction.id());
        step.become(
            step.state()
                .with(
                    step.state()
                        .live()
                        .arrived(preparedAt == null ? arrived : arrived.leftToCaller(preparedAt))));
        if (preparedAt == null && !transaction.dependsOn().isEmpty()) {
          dependants.add(transaction.id());
        }
      }
    }
    dependants.forEach(id -> Depending.await(step, step.get(id)));
  }

  /** It was loaded as one of before the restart, and is a new one. */
  private static void hasten(SenderStep step, SenderTransaction known, Instant earliest) {
    if (known.attempts() == 0
        && known.state() == TransactionState.PENDING
        && known.notBefore().isAfter(earliest)) {
      step.put(known.retried(0, earliest));
    }
  }

  private static SenderTransaction arrived(
      SenderStep step, PrivateTransaction transaction, Instant earliest) {
    var remembered = step.state().remembered().getOrDefault(transaction.id(), Remembered.NOTHING);
    var parkedUntil = remembered.parkedUntil();
    var notBefore = remembered.notBefore().isAfter(earliest) ? remembered.notBefore() : earliest;
    return new SenderTransaction(
            transaction,
            step.state().live().arrivals(),
            TransactionState.PENDING,
            SenderTransaction.Progress.NONE,
            step.now(),
            step.now(),
            remembered.attempts(),
            parkedUntil.orElse(notBefore),
            HashTreePSet.empty(),
            TreePVector.empty())
        .in(
            parkedUntil.isPresent() ? TransactionState.PARKED : TransactionState.PENDING,
            step.now(),
            "accepted");
  }
}
