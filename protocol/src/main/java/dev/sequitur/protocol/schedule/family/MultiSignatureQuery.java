package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.signing.Account;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.PublicKey;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.protocol.schedule.signing.TransactionRecord;
import java.util.List;
import java.util.Optional;

/** {@link MultiSignatureQueries} as questions that may come from another JVM of the node. */
public sealed interface MultiSignatureQuery<R> extends FamilyQuery<R> {
  @Override
  default FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  @Override
  default R answer(Family family, QueueView view) {
    if (family instanceof MultiSignature mine) {
      return answer(new MultiSignatureQueries(mine, view));
    }
    throw new IllegalStateException("Not this family: " + family.kind());
  }

  R answer(MultiSignatureQueries queries);

  /** ScheduleGetInfo. */
  record GetInfo(EntityId schedule)
      implements MultiSignatureQuery<MultiSignatureQueries.InfoAnswer> {
    @Override
    public MultiSignatureQueries.InfoAnswer answer(MultiSignatureQueries queries) {
      return queries.getInfo(schedule);
    }
  }

  /** All records of a transaction. */
  record GetRecords(TransactionId transaction) implements MultiSignatureQuery<Kept> {
    @Override
    public Kept answer(MultiSignatureQueries queries) {
      return new Kept(queries.records(transaction));
    }
  }

  /**
   * @param records oldest first; the newest holds the receipt
   */
  record Kept(List<TransactionRecord> records) {
    public Kept {
      records = List.copyOf(records);
    }
  }

  /** An account with its key. */
  record GetAccount(EntityId id) implements MultiSignatureQuery<Known> {
    @Override
    public Known answer(MultiSignatureQueries queries) {
      return new Known(queries.account(id));
    }
  }

  /**
   * @param account empty if there is none
   */
  record Known(Optional<Account> account) {}

  /**
   * Which of these schedules wait for a key's signature.
   *
   * @param schedules some of those that wait, a page of them
   */
  record PendingFor(PublicKey key, List<EntityId> schedules) implements MultiSignatureQuery<Pending> {
    public PendingFor {
      schedules = List.copyOf(schedules);
    }

    @Override
    public Pending answer(MultiSignatureQueries queries) {
      return new Pending(
          schedules.stream()
              .filter(schedule -> queries.keysMissing(schedule).contains(key))
              .toList());
    }
  }

  /** Those of the question that do. */
  record Pending(List<EntityId> schedules) {
    public Pending {
      schedules = List.copyOf(schedules);
    }
  }
}
