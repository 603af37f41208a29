package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Bytes;
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

  record AccountFound(Optional<Account> account) implements MultiSignatureAnswer {}

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
