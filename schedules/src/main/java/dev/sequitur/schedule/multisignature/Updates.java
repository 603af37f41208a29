package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;

/** What holds for the change of an account, scheduled or at once (MSIG-21). */
final class Updates {
  private Updates() {}

  /** The treasury is changed by what it pays for itself. */
  static Optional<ResponseCode> refusedAccount(EntityId account, EntityId payer) {
    return account.equals(EntityId.TREASURY) && !payer.equals(EntityId.TREASURY)
        ? Optional.of(ResponseCode.AUTHORIZATION_FAILED)
        : Optional.empty();
  }

  /** What the account cannot be told here, whoever has signed. */
  static Optional<ResponseCode> refusal(AccountChange change) {
    return change.memo().flatMap(SubmissionRules::refusedMemo).or(change::refusal);
  }

  static Act change(EntityId id, Account account, AccountChange change) {
    return new Act.ChangeAccount(id, account.changed(change));
  }
}
