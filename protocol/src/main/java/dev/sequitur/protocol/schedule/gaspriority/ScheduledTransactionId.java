package dev.sequitur.protocol.schedule.gaspriority;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.CanonicalEncoding;
import dev.sequitur.protocol.schedule.LatePolicy;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.Proposal;

/**
 * The {@code txn_id} of a gas-priority schedule: SHA3-256 over its fields in a fixed order, each
 * preceded by its length in four bytes (GAS-4). Numbers are eight bytes, big-endian; texts UTF-8;
 * an alternative is its name, then its fields.
 */
final class ScheduledTransactionId {
  private ScheduledTransactionId() {}

  static Hash of(Proposal proposal, GasPriorityTerms terms) {
    var encoding =
        new CanonicalEncoding()
            .add("gas-priority")
            .add(proposal.owner().value())
            .add(terms.scheduledTimeMs())
            .add(terms.maxGasAmount())
            .add(terms.maxGasUnitPrice());
    add(encoding, proposal.target());
    add(encoding, proposal.late());
    encoding
        .add(proposal.retry().maxAttempts())
        .add(proposal.retry().backoff().initial().toMillis())
        .add(proposal.retry().backoff().cap().toMillis());
    return encoding.sha3();
  }

  private static void add(CanonicalEncoding encoding, Target target) {
    switch (target) {
      case Target.Transfer(var to, var amount) ->
          encoding.add("transfer").add(to.value()).add(amount.units());
      case Target.Notify(var message) -> encoding.add("notify").add(message);
      case Target.Repeat repeat -> {
        encoding.add("repeat").add(repeat.everyMillis()).add(repeat.more());
        add(encoding, repeat.action());
      }
      case Target.PrivateCall call ->
          encoding
              .add("private-call")
              .add(call.contract().value())
              .add(call.domain())
              .add(call.function())
              .add(call.from().toString())
              .add(call.inputs());
      case Target.ByFamily() ->
          throw new IllegalStateException("No gas-priority schedule is run by its family.");
    }
  }

  private static void add(CanonicalEncoding encoding, LatePolicy late) {
    switch (late) {
      case LatePolicy.AsSpecified() -> encoding.add("AsSpecified");
      case LatePolicy.Skip() -> encoding.add("Skip");
      case LatePolicy.RunOnce() -> encoding.add("RunOnce");
      case LatePolicy.RunAll() -> encoding.add("RunAll");
      case LatePolicy.RunWithin(var window) -> encoding.add("RunWithin").add(window.toMillis());
      case LatePolicy.ExpireAndRefund() -> encoding.add("ExpireAndRefund");
    }
  }
}
