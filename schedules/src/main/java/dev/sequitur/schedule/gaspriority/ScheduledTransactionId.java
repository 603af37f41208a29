package dev.sequitur.schedule.gaspriority;

import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;

/**
 * The {@code txn_id} of a gas-priority schedule: SHA3-256 over its fields in a fixed order, each
 * preceded by its length in four bytes (GAS-4). Numbers are eight bytes, big-endian; texts UTF-8;
 * an alternative is its name, then its fields. What is not asked for has no field: retries' pauses,
 * that what it pays is set aside, a key.
 */
final class ScheduledTransactionId {
  private ScheduledTransactionId() {}

  static Hash of(Proposal proposal, GasPriorityTerms terms) {
    var digest =
        CanonicalDigest.sha3()
            .add("gas-priority")
            .add(proposal.owner().value())
            .add(terms.scheduledTimeMs())
            .add(terms.maxGasAmount())
            .add(terms.maxGasUnitPrice());
    add(digest, proposal.target());
    add(digest, proposal.late());
    digest
        .add(proposal.retry().maxAttempts())
        .add(proposal.retry().backoff().initial().toMillis())
        .add(proposal.retry().backoff().cap().toMillis());
    var pauses = proposal.retry().pauses();
    if (!pauses.isEmpty()) {
      digest.add("pauses").add(pauses.size());
      pauses.forEach(pause -> digest.add(pause.toMillis()));
    }
    if (terms.setAside()) {
      // Two fields, so that no key alone is the same.
      digest.add("set-aside").add(1);
    }
    terms.key().ifPresent(digest::add);
    return digest.finish();
  }

  private static void add(CanonicalDigest digest, Target target) {
    switch (target) {
      case Target.Transfer(var to, var amount) ->
          digest.add("transfer").add(to.value()).add(amount.units());
      case Target.Notify(var message) -> digest.add("notify").add(message);
      case Target.Repeat repeat -> {
        digest.add("repeat").add(repeat.everyMillis()).add(repeat.more());
        add(digest, repeat.action());
      }
      case Target.PrivateCall call ->
          digest
              .add("private-call")
              .add(call.contract().value())
              .add(call.domain())
              .add(call.function())
              .add(call.from().toString())
              .add(call.inputs());
      case Target.PublicCall call ->
          digest
              .add("public-call")
              .add(call.from().toString())
              .add(call.to().map(ContractAddress::value).orElse(""))
              .add(call.data())
              .add(call.value().toString())
              .add(call.gas());
      case Target.ByFamily() ->
          throw new IllegalStateException("No gas-priority schedule is run by its family.");
    }
  }

  private static void add(CanonicalDigest digest, LatePolicy late) {
    switch (late) {
      case LatePolicy.AsSpecified() -> digest.add("AsSpecified");
      case LatePolicy.Skip() -> digest.add("Skip");
      case LatePolicy.RunOnce() -> digest.add("RunOnce");
      case LatePolicy.RunAll() -> digest.add("RunAll");
      case LatePolicy.RunWithin(var window) -> digest.add("RunWithin").add(window.toMillis());
      case LatePolicy.RunOnceWithin(var window) ->
          digest.add("RunOnceWithin").add(window.toMillis());
      case LatePolicy.ExpireAndRefund() -> digest.add("ExpireAndRefund");
    }
  }
}
