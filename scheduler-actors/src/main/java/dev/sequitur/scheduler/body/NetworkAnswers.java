package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.ScheduleInfo;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes answers as Hedera's clients read them, in the profile {@code current}. Thread-safe.
 *
 * @param ledger which ledger they are of, that clients tell networks apart by
 * @param messages the version of the definitions that the messages follow
 * @param rates that receipts show
 */
public record NetworkAnswers(Bytes ledger, Version messages, ExchangeRates rates) {

  private static final int COST_ANSWER = 2;

  /** Accounts do not expire here; clients want a time. */
  private static final ConsensusTime NEVER = ConsensusTime.ofSeconds(AccountChange.NEVER_SECOND);

  /** Of messages, or of a program. */
  public record Version(int major, int minor, int patch) {}

  /** What is answered to a submitted transaction before its receipt can be asked for. */
  public static Bytes precheck(ResponseCode code) {
    return new MessageBytes().number(1, number(code)).finish();
  }

  /** What a question costs. */
  public static Bytes cost(NetworkQuery.Kind kind, Amount price) {
    var header = new MessageBytes().number(2, COST_ANSWER).number(3, price.units());
    return new MessageBytes()
        .message(kind.answered, new MessageBytes().message(1, header))
        .finish();
  }

  /** An answer without anything but a code. */
  public static Bytes code(NetworkQuery.Kind kind, boolean costOnly, ResponseCode code) {
    var header = new MessageBytes().number(1, number(code)).number(2, costOnly ? COST_ANSWER : 0);
    return new MessageBytes()
        .message(kind.answered, new MessageBytes().message(1, header))
        .finish();
  }

  /** The message of a key, such as the mirror's view shows of one that is made of others. */
  public static Bytes key(AccountKey key) {
    return CommonMessages.write(key).finish();
  }

  private static MessageBytes ok() {
    return new MessageBytes().message(1, new MessageBytes());
  }

  private static Bytes answer(NetworkQuery.Kind kind, MessageBytes content) {
    return new MessageBytes().message(kind.answered, content).finish();
  }

  public static Bytes balance(EntityId account, Amount balance) {
    var content = ok().message(2, CommonMessages.write(account)).number(3, balance.units());
    return answer(NetworkQuery.Kind.BALANCE, content);
  }

  /** An account as it stands; what Hedera knows of one beside that is left out. */
  public Bytes account(EntityId id, Account account, Amount balance) {
    var info =
        new MessageBytes()
            .message(1, CommonMessages.write(id))
            .message(7, CommonMessages.write(account.key()))
            .number(8, balance.units())
            .flag(11, account.receiverSigRequired())
            .message(12, CommonMessages.write(NEVER))
            .message(13, new MessageBytes().number(1, account.autoRenewSeconds()))
            .text(16, account.memo())
            .bytes(20, ledger)
            // Clients show it without asking whether it is there: it stakes to nobody.
            .message(22, new MessageBytes().flag(1, account.declineReward()));
    return answer(NetworkQuery.Kind.ACCOUNT_INFO, ok().message(2, info));
  }

  /** The node account itself, which clients ask for to see whether anybody is there. */
  public Bytes nodeAccount(EntityId id) {
    var info =
        new MessageBytes()
            .message(1, CommonMessages.write(id))
            .message(7, new MessageBytes().message(6, new MessageBytes()))
            .message(12, CommonMessages.write(NEVER))
            .message(13, new MessageBytes().number(1, Account.USUAL_RENEWAL))
            .bytes(20, ledger)
            .message(22, new MessageBytes());
    return answer(NetworkQuery.Kind.ACCOUNT_INFO, ok().message(2, info));
  }

  /** The receipt of a record, with the rates of when it was decided. */
  public Bytes receipt(TransactionRecord record) {
    return answer(NetworkQuery.Kind.RECEIPT, ok().message(2, writeReceipt(record)));
  }

  /** One that is being worked on: clients ask again. */
  public static Bytes receiptToCome() {
    var unknown = new MessageBytes().number(1, number(ResponseCode.UNKNOWN));
    return answer(NetworkQuery.Kind.RECEIPT, ok().message(2, unknown));
  }

  /**
   * @param payer who was charged its fee
   */
  public Bytes record(TransactionRecord record, EntityId payer) {
    var content =
        new MessageBytes()
            .message(1, writeReceipt(record))
            .bytes(2, record.transactionHash())
            .message(3, CommonMessages.write(record.consensusTimestamp()))
            .message(4, CommonMessages.write(record.transactionId()))
            .text(5, record.memo())
            .number(6, record.fee())
            .message(10, ScheduledBodies.writeRows(rows(record, payer)));
    record.scheduleRef().ifPresent(id -> content.message(12, CommonMessages.write(id)));
    return answer(NetworkQuery.Kind.RECORD, ok().message(3, content));
  }

  /**
   * The transfer list: the fee is among the rows, and its payer's row has both.
   *
   * @param payer who was charged the fee
   */
  public static List<AccountAmount> rows(TransactionRecord record, EntityId payer) {
    var rows = new ArrayList<AccountAmount>();
    long fee = record.fee();
    long ofPayer = -fee;
    for (var row : record.transfers()) {
      if (row.account().equals(payer)) {
        ofPayer += row.units();
      } else {
        rows.add(row);
      }
    }
    if (ofPayer != 0) {
      rows.add(0, new AccountAmount(payer, ofPayer));
    }
    if (fee != 0) {
      rows.add(new AccountAmount(EntityId.FEES, fee));
    }
    return rows;
  }

  private MessageBytes writeReceipt(TransactionRecord record) {
    var receipt = record.receipt();
    var message = new MessageBytes().number(1, number(receipt.status()));
    receipt.account().ifPresent(id -> message.message(2, CommonMessages.write(id)));
    message.message(5, rates.at(record.consensusTimestamp()));
    receipt.schedule().ifPresent(id -> message.message(12, CommonMessages.write(id)));
    receipt.scheduledTransaction().ifPresent(id -> message.message(13, CommonMessages.write(id)));
    return message;
  }

  public Bytes schedule(ScheduleInfo schedule) {
    var terms = schedule.terms();
    var creation = terms.creation();
    var signers = new MessageBytes();
    schedule.signers().forEach(key -> signers.message(1, CommonMessages.write((AccountKey) key)));
    var info = new MessageBytes().message(1, CommonMessages.write(terms.id()));
    put(info, 2, schedule.deleted());
    put(info, 3, schedule.executed());
    put(info, 4, Optional.of(ConsensusTime.ofSeconds(terms.expirySecond())));
    info.message(5, creation.transaction().bytes()).text(6, creation.memo());
    creation.adminKey().ifPresent(key -> info.message(7, CommonMessages.write(key)));
    info.message(8, signers)
        .message(9, CommonMessages.write(terms.creator()))
        .message(10, CommonMessages.write(terms.payer()))
        .message(11, CommonMessages.write(terms.scheduledId()))
        .bytes(12, ledger)
        .flag(13, creation.waitForExpiry());
    return answer(NetworkQuery.Kind.SCHEDULE_INFO, ok().message(2, info));
  }

  private static void put(MessageBytes message, int field, Optional<ConsensusTime> time) {
    time.ifPresent(at -> message.message(field, CommonMessages.write(at)));
  }

  /**
   * @param program the version of Sequitur
   */
  public Bytes version(Version program) {
    var content = ok().message(2, write(messages)).message(3, write(program));
    return answer(NetworkQuery.Kind.VERSION, content);
  }

  private static MessageBytes write(Version version) {
    return new MessageBytes()
        .number(1, version.major())
        .number(2, version.minor())
        .number(3, version.patch());
  }

  /** Those of the older profile alone are never among them. */
  private static int number(ResponseCode code) {
    return code.number(Profile.CURRENT)
        .orElseThrow(() -> new IllegalStateException(code + " is not of the profile current"));
  }
}
