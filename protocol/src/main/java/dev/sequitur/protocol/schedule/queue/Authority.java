package dev.sequitur.protocol.schedule.queue;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.Refusal;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.family.MultiSignatureState;
import dev.sequitur.protocol.schedule.family.Schedule;
import dev.sequitur.protocol.schedule.signing.EntityId;
import java.util.Optional;

/**
 * Whose key must agree (DECISIONS F5). Callers act for the accounts that they name, and are
 * believed; but what has a key in this queue is moved by signatures of that key alone: an account
 * that the multi-signature family has opened, and what runs from an identity to which a key is
 * bound. That family verifies them; all others are kept from it, when something is scheduled and
 * again when each attempt of it starts, since the key may have come in between.
 */
final class Authority {
  private Authority() {}

  /** Why nobody may act for this account without its signatures. */
  static Optional<Refusal> refusesActing(QueueState state, AccountId signer) {
    boolean hasKey =
        EntityId.of(signer)
            .flatMap(id -> keys(state).flatMap(known -> known.entities().account(id)))
            .isPresent();
    return hasKey
        ? refused(
            "Signatures of its key move the account "
                + signer
                + ", and nothing else does: have it sign a multi-signature transaction.")
        : Optional.empty();
  }

  /** Why a family may not have this run. */
  static Optional<Refusal> refusesRunning(QueueState state, FamilyKind family, Target target) {
    return family != FamilyKind.MULTI_SIGNATURE
            && target instanceof Target.PrivateCall call
            && isBound(state, call.from())
        ? refused(
            "A key is bound to "
                + call.from()
                + ", and has to sign what runs from it: schedule it by a ScheduleCreate.")
        : Optional.empty();
  }

  /** Why a schedule may not start any more. */
  static Optional<Refusal> refusesStart(QueueState state, Schedule schedule) {
    var family = schedule.family();
    return family == FamilyKind.MULTI_SIGNATURE
        ? Optional.empty()
        : refusesRunning(state, family, schedule.proposal().target())
            .or(() -> refusesActing(state, schedule.proposal().owner()));
  }

  private static boolean isBound(QueueState state, Identity identity) {
    return keys(state).flatMap(known -> known.entities().key(identity)).isPresent();
  }

  private static Optional<MultiSignatureState> keys(QueueState state) {
    return state.families().get(FamilyKind.MULTI_SIGNATURE) instanceof MultiSignatureState known
        ? Optional.of(known)
        : Optional.empty();
  }

  private static Optional<Refusal> refused(String sentence) {
    return Optional.of(new Refusal(Refusal.Code.NOT_ALLOWED, sentence));
  }
}
