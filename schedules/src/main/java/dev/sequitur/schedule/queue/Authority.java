package dev.sequitur.schedule.queue;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Optional;

/**
 * Whose key must agree (ACC-5). Callers act for the accounts that they name, and are believed; but
 * what has a key in this queue is moved by signatures of that key alone: an account on the key
 * ring, and what runs from an identity to which a key is bound. A {@link Family.Signed} family
 * verifies them; all others are kept from it, when something is scheduled and again when each
 * attempt of it starts, since the key may have come in between.
 *
 * <p>A name that is written as an entity's id belongs to whoever gets that number (ACC-7). Until
 * then nobody acts in it, as nobody can tell whose it will be; only the queue's administrator may
 * be called so.
 */
final class Authority {
  private Authority() {}

  /** Why nobody signs by this name. */
  static Optional<Refusal> refusesSigning(AccountId signer) {
    return signer.isReserved()
        ? refused(Refusal.Code.NOT_ALLOWED, "Nobody can sign for a name with a leading @ or a #.")
        : Optional.empty();
  }

  /** Why nobody may act for this account without its signatures, or at all. */
  static Optional<Refusal> refusesActing(QueueStep step, AccountId signer) {
    if (!EntityId.isWrittenLike(signer)) {
      return Optional.empty();
    } else if (account(step.state(), signer).isPresent()) {
      return refused(
          Refusal.Code.NOT_ALLOWED,
          "Signatures of its key move the account "
              + signer
              + ", and nothing else does: have it sign a multi-signature transaction.");
    }
    return signer.equals(step.setup.administrator())
        ? Optional.empty()
        : refused(
            Refusal.Code.UNKNOWN_ACCOUNT,
            "No account "
                + signer
                + " is open in this queue, so nobody can act for it: use a name that is no number,"
                + " or have the administrator open an account and sign with its key.");
  }

  /** Why a family may not have this run. */
  static Optional<Refusal> refusesRunning(QueueStep step, Family family, Target target) {
    if (family instanceof Family.Signed) {
      return Optional.empty();
    }
    return switch (target) {
      case Target.Repeat repeat ->
          Partitioning.refusesRepeating(step.state(), repeat)
              .or(() -> refusesRunning(step, family, repeat.action()));
      case Target.Transfer pay ->
          refusesPaying(step, pay.to()).or(() -> needsReceiver(step.state(), pay.to()));
      case Target.Call call -> refusesRunningFrom(step, call.from());
      case Target.Notify ignored -> Optional.empty();
      case Target.ByFamily() -> Optional.empty();
    };
  }

  private static Optional<Refusal> refusesRunningFrom(QueueStep step, Identity identity) {
    return isBound(step.state(), identity)
        ? refused(
            Refusal.Code.NOT_ALLOWED,
            "A key is bound to "
                + identity
                + ", and has to sign what runs from it: schedule it by a ScheduleCreate.")
        : Optional.empty();
  }

  /** Why nothing may be paid to this account: whoever gets its number would have the money. */
  static Optional<Refusal> refusesPaying(QueueStep step, AccountId to) {
    return refusesPaying(step.setup, step.state(), to);
  }

  static Optional<Refusal> refusesPaying(QueueSetup setup, QueueState state, AccountId to) {
    var holder = to.holder();
    return !EntityId.isWrittenLike(holder)
            || account(state, holder).isPresent()
            || holder.equals(setup.administrator())
        ? Optional.empty()
        : refused(
            Refusal.Code.UNKNOWN_ACCOUNT,
            "No account "
                + holder
                + " is open in this queue, so nothing can be paid to it: name one that is, or a"
                + " name that is no number.");
  }

  /** Why an account is paid by what it has signed alone. */
  static Optional<Refusal> needsReceiver(QueueState state, AccountId to) {
    return account(state, to.holder())
        .filter(Account::receiverSigRequired)
        .flatMap(
            account ->
                refused(
                    Refusal.Code.NOT_ALLOWED,
                    "The account "
                        + to.holder()
                        + " takes nothing without its signature (receiverSigRequired): pay it by a"
                        + " multi-signature transfer."));
  }

  /** Why a schedule may not start any more. */
  static Optional<Refusal> refusesStart(QueueStep step, Schedule schedule) {
    var family = step.setup.family(schedule.family());
    return family instanceof Family.Signed
        ? Optional.empty()
        : refusesRunning(step, family, schedule.proposal().target())
            .or(() -> refusesActing(step, schedule.proposal().owner()));
  }

  private static Optional<Account> account(QueueState state, AccountId name) {
    return EntityId.of(name).flatMap(state.keys()::account);
  }

  private static boolean isBound(QueueState state, Identity identity) {
    return state.keys().key(identity).isPresent();
  }

  private static Optional<Refusal> refused(Refusal.Code code, String sentence) {
    return Optional.of(new Refusal(code, sentence));
  }
}
