package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.AccountFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.AccountsFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.InfoFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.InfosFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.Records;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.Schedules;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.List;
import java.util.Optional;

/** What can be asked of the multi-signature family; nothing changes by it. */
public sealed interface MultiSignatureQuery<R extends MultiSignatureAnswer> extends FamilyQuery<R> {
  @Override
  default FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  @Override
  default R answer(Family family, QueueView view) {
    return answer(new MultiSignatureQueries(Family.own(MultiSignature.class, family), view));
  }

  R answer(MultiSignatureQueries queries);

  /** The specification's query. */
  record ScheduleGetInfo(EntityId schedule) implements MultiSignatureQuery<InfoFound> {
    @Override
    public InfoFound answer(MultiSignatureQueries queries) {
      return queries.getInfo(schedule);
    }

    @Override
    public Optional<InfoFound> busy() {
      return Optional.of(new InfoFound(ResponseCode.BUSY, Optional.empty()));
    }
  }

  /** The receipt and the records of a transaction, as long as they are kept. */
  record GetRecords(AccountTransactionId transaction) implements MultiSignatureQuery<Records> {
    @Override
    public Records answer(MultiSignatureQueries queries) {
      return new Records(queries.records(transaction));
    }
  }

  /**
   * Records by their times, with those of what was triggered, as long as they are kept.
   *
   * @param account only those by which this one paid, gave, got something or was opened
   */
  record RecordsIn(TimeRange range, Optional<EntityId> account)
      implements MultiSignatureQuery<RecordsFound> {
    @Override
    public RecordsFound answer(MultiSignatureQueries queries) {
      return queries.records(range, account);
    }

    @Override
    public Optional<RecordsFound> busy() {
      return Optional.of(
          new RecordsFound(ResponseCode.BUSY, List.of(), Optional.empty(), ConsensusTime.ZERO));
    }
  }

  record GetAccount(EntityId account) implements MultiSignatureQuery<AccountFound> {
    @Override
    public AccountFound answer(MultiSignatureQueries queries) {
      return new AccountFound(queries.account(account), queries.isDeleted(account));
    }
  }

  /** Accounts by their numbers, with what each can spend. */
  record AccountsIn(EntityRange range) implements MultiSignatureQuery<AccountsFound> {
    @Override
    public AccountsFound answer(MultiSignatureQueries queries) {
      return queries.accounts(range);
    }
  }

  /**
   * Schedules by their numbers, with those that have their end and can still be asked for.
   *
   * @param creator only of this one
   */
  record SchedulesIn(EntityRange range, Optional<EntityId> creator)
      implements MultiSignatureQuery<InfosFound> {
    @Override
    public InfosFound answer(MultiSignatureQueries queries) {
      return queries.schedules(range, creator);
    }

    @Override
    public Optional<InfosFound> busy() {
      return Optional.of(new InfosFound(ResponseCode.BUSY, List.of(), Optional.empty()));
    }
  }

  /** Of these schedules, those that still wait for a signature of one of these keys. */
  record WaitingFor(List<PublicKey> keys, List<EntityId> among)
      implements MultiSignatureQuery<Schedules> {
    public WaitingFor {
      keys = List.copyOf(keys);
      among = List.copyOf(among);
    }

    @Override
    public Schedules answer(MultiSignatureQueries queries) {
      return new Schedules(queries.waitingFor(keys, among));
    }
  }

  /** By which keys the signatures of a ScheduleCreate are to be verified. */
  record KeysToCreate(EntityId payer, Creation creation)
      implements MultiSignatureQuery<SigningKeys> {
    @Override
    public SigningKeys answer(MultiSignatureQueries queries) {
      return queries.keysToCreate(payer, creation);
    }
  }

  /** By which keys the signatures of a ScheduleSign or a ScheduleDelete are to be verified. */
  record KeysOfSchedule(EntityId payer, EntityId schedule)
      implements MultiSignatureQuery<SigningKeys> {
    @Override
    public SigningKeys answer(MultiSignatureQueries queries) {
      return queries.keysOfSchedule(payer, schedule);
    }
  }

  /** By which keys the signatures for these accounts are to be verified. */
  record KeysOfAccounts(List<EntityId> accounts) implements MultiSignatureQuery<SigningKeys> {
    public KeysOfAccounts {
      accounts = List.copyOf(accounts);
    }

    @Override
    public SigningKeys answer(MultiSignatureQueries queries) {
      return queries.keysOfAccounts(accounts);
    }
  }
}
