package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.List;
import java.util.Optional;

/** What the multi-signature family answers to a {@link MultiSignatureQuery}. */
public sealed interface MultiSignatureAnswer {
  /**
   * @param info only with {@link ResponseCode#OK}
   */
  record InfoFound(ResponseCode status, Optional<ScheduleInfo> info)
      implements MultiSignatureAnswer {}

  /**
   * @param records oldest first; the newest holds the receipt. None if there is no such
   *     transaction, or not any more
   */
  record Records(List<TransactionRecord> records) implements MultiSignatureAnswer {
    public Records {
      records = List.copyOf(records);
    }
  }

  /**
   * @param records in the order that was asked for
   * @param last the time that was looked at last, if others of the range follow: a page may be
   *     short, or empty, and not be the last, since one question looks at only so many
   * @param since from when on all are kept: of what is older, none or some are
   */
  record RecordsFound(
      ResponseCode status, List<Found> records, Optional<ConsensusTime> last, ConsensusTime since)
      implements MultiSignatureAnswer {
    public RecordsFound {
      records = List.copyOf(records);
    }

    /**
     * @param trigger the terms of the schedule that it was triggered by, if it was and that can
     *     still be asked for
     */
    public record Found(TransactionRecord record, Optional<MultiSignatureTerms> trigger) {}
  }

  /**
   * @param deleted whether it is not there because it was deleted
   */
  record AccountFound(Optional<Account> account, boolean deleted) implements MultiSignatureAnswer {}

  /** An account, also one that was deleted, and what it can spend. */
  record Holder(EntityId id, Account account, Amount balance) {}

  /**
   * @param at of when it is
   * @param accounts in the order that was asked for
   */
  record AccountsFound(ConsensusTime at, List<Holder> accounts) implements MultiSignatureAnswer {
    public AccountsFound {
      accounts = List.copyOf(accounts);
    }
  }

  /**
   * @param schedules in the order that was asked for, without those of others than the creator
   * @param last the number that was looked at last, if others of the range follow: a page may be
   *     short, or empty, and not be the last, since one question looks at only so many numbers
   */
  record InfosFound(ResponseCode status, List<ScheduleInfo> schedules, Optional<EntityId> last)
      implements MultiSignatureAnswer {
    public InfosFound {
      schedules = List.copyOf(schedules);
    }
  }

  record Schedules(List<EntityId> schedules) implements MultiSignatureAnswer {
    public Schedules {
      schedules = List.copyOf(schedules);
    }
  }

  /**
   * @param outer keys whose signatures over the outer transaction may matter
   * @param inner keys whose signatures over the scheduled body may count
   * @param body of the schedule in question; empty if it is not there
   * @param storedBodies how many executed bodies the store has: it is asked after this was
   */
  record SigningKeys(List<PublicKey> outer, List<PublicKey> inner, Bytes body, long storedBodies)
      implements MultiSignatureAnswer {
    public SigningKeys {
      outer = List.copyOf(outer);
      inner = List.copyOf(inner);
    }
  }
}
