package dev.sequitur.schedule.signing;

import dev.sequitur.schedule.Refusal;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Hedera's response codes, by its names, with its numbers in each profile: {@code mvp} as of the
 * release that first had scheduled transactions, {@code current} as of today. Some numbers were
 * given other meanings in between (MSIG-13). What the numbers are for comes last: a sentence that
 * says what to do.
 */
public enum ResponseCode {
  OK(0, 0, Refusal.Code.BAD_STATE, "It was taken over: its outcome comes later."),
  PAYER_ACCOUNT_NOT_FOUND(
      2,
      2,
      Refusal.Code.NOT_ALLOWED,
      "The account that is to pay does not exist: name an account of this queue."),
  INVALID_NODE_ACCOUNT(
      3,
      3,
      Refusal.Code.NOT_ALLOWED,
      "It is signed for another queue: name the node account of this one."),
  TRANSACTION_EXPIRED(
      4,
      4,
      Refusal.Code.BAD_TIME,
      "Its time of validity is over: submit it anew with a later valid start."),
  INVALID_TRANSACTION_START(
      5, 5, Refusal.Code.BAD_TIME, "Its valid start is in the future: submit it when it has come."),
  INVALID_TRANSACTION_DURATION(
      6, 6, Refusal.Code.BAD_TIME, "Choose a valid duration that is above 0 and within the limit."),
  INVALID_SIGNATURE(
      7,
      7,
      Refusal.Code.NOT_ALLOWED,
      "A key that has to sign this transaction has not: have the admin key sign, or the new key"
          + " of an account beside its old one."),
  MEMO_TOO_LONG(8, 8, Refusal.Code.TOO_LARGE, "A memo has at most 100 bytes: shorten it."),
  INSUFFICIENT_TX_FEE(
      9,
      9,
      Refusal.Code.PRICE_TOO_LOW,
      "The fee is above the transaction's greatest fee: allow more."),
  INSUFFICIENT_PAYER_BALANCE(
      10,
      10,
      Refusal.Code.INSUFFICIENT_BALANCE,
      "The account that is to pay has too little: fund it."),
  DUPLICATE_TRANSACTION(
      11,
      11,
      Refusal.Code.DUPLICATE,
      "The same was handled before: use another transaction id, or another nonce in the body."),
  BUSY(12, 12, Refusal.Code.BUSY, "Too much at once: try again in a moment."),
  NOT_SUPPORTED(13, 13, Refusal.Code.BAD_STATE, "This is not done here."),
  INVALID_ACCOUNT_ID(
      15, 15, Refusal.Code.UNKNOWN_ACCOUNT, "There is no such account: name one of this queue."),
  INVALID_TRANSACTION_ID(
      17,
      17,
      Refusal.Code.BAD_STATE,
      "The transaction id is incomplete: name a valid start and an account."),
  SUCCESS(22, 22, Refusal.Code.BAD_STATE, "It was done."),
  KEY_REQUIRED(26, 26, Refusal.Code.NOT_ALLOWED, "Name a key."),
  BAD_ENCODING(
      27,
      27,
      Refusal.Code.BAD_STATE,
      "A key cannot be read: send a plain key, a key list or a threshold key."),
  INSUFFICIENT_ACCOUNT_BALANCE(
      28,
      28,
      Refusal.Code.INSUFFICIENT_BALANCE,
      "An account of the transfer has too little: fund it."),
  CONTRACT_REVERT_EXECUTED(33, 33, Refusal.Code.BAD_STATE, "The private transaction failed."),
  INVALID_EXPIRATION_TIME(
      45,
      45,
      Refusal.Code.BAD_TIME,
      "Choose an expiration time that is to come, and no further away than the node allows"
          + " (scheduler.multi-signature.longest-expiry-time)."),
  INVALID_PAYER_SIGNATURE(
      43,
      43,
      Refusal.Code.NOT_ALLOWED,
      "The account that is to pay has not signed: sign with its present key."),
  INVALID_ACCOUNT_AMOUNTS(
      48,
      48,
      Refusal.Code.BAD_STATE,
      "The amounts of a transfer must sum to zero, and none of them be zero."),
  INVALID_TRANSACTION_BODY(
      50,
      50,
      Refusal.Code.BAD_STATE,
      "The transaction's body cannot be read, or is not one of this call."),
  TRANSACTION_OVERSIZE(64, 64, Refusal.Code.TOO_LARGE, "The body is too long: send a shorter one."),
  KEY_PREFIX_MISMATCH(
      68,
      68,
      Refusal.Code.BAD_STATE,
      "Two signatures have the same prefix of a public key: send each once."),
  ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS(
      74, 74, Refusal.Code.BAD_STATE, "An account stands twice in the transfer: name it once."),
  TRANSFER_LIST_SIZE_LIMIT_EXCEEDED(
      92, 92, Refusal.Code.TOO_LARGE, "The transfer has too many rows: make two of it."),
  INVALID_SCHEDULE_ID(
      201,
      201,
      Refusal.Code.UNKNOWN_SCHEDULE,
      "There is no such schedule, or it has expired, was deleted or has run."),
  SCHEDULE_IS_IMMUTABLE(
      202,
      202,
      Refusal.Code.NOT_ALLOWED,
      "The schedule was created without an admin key: nobody can delete it."),
  INVALID_SCHEDULE_PAYER_ID(
      203,
      203,
      Refusal.Code.UNKNOWN_ACCOUNT,
      "The account that is to pay for the execution does not exist."),
  NO_NEW_VALID_SIGNATURES(
      205,
      205,
      Refusal.Code.BAD_STATE,
      "No signature is new: the schedule still waits for others."),
  UNRESOLVABLE_REQUIRED_SIGNERS(
      206,
      206,
      Refusal.Code.UNKNOWN_ACCOUNT,
      "Who has to sign cannot be found: an account, or the key of an identity, does not exist."),
  UNPARSEABLE_SCHEDULED_TRANSACTION(
      207, Absent.HERE, Refusal.Code.BAD_STATE, "The body to be scheduled cannot be read."),
  UNSCHEDULABLE_TRANSACTION(
      208,
      Absent.HERE,
      Refusal.Code.NOT_ALLOWED,
      "Schedule a transfer, a new account or a private transaction."),
  SCHEDULED_TRANSACTION_NOT_IN_WHITELIST(
      Absent.HERE,
      207,
      Refusal.Code.NOT_ALLOWED,
      "Schedule a transfer, a new account or a private transaction."),
  SOME_SIGNATURES_WERE_INVALID(
      209,
      208,
      Refusal.Code.NOT_ALLOWED,
      "A signature is wrong, or its key need not sign: none was recorded."),
  TRANSACTION_ID_FIELD_NOT_ALLOWED(
      210,
      209,
      Refusal.Code.BAD_STATE,
      "Leave scheduled and nonce unset in the id of a transaction that you submit."),
  IDENTICAL_SCHEDULE_ALREADY_CREATED(
      Absent.HERE,
      210,
      Refusal.Code.DUPLICATE,
      "The same is scheduled already, or ended and has not expired: sign that schedule if it waits,"
          + " or create another one with another memo."),
  /** The first release had no such code; its memos are not stored with one either. */
  INVALID_ZERO_BYTE_IN_STRING(
      211, 211, Refusal.Code.BAD_STATE, "A memo must not have a zero byte."),
  /** The text's name; its release had no number for it, so it has that of its successor. */
  SCHEDULE_DELETED(
      212,
      Absent.HERE,
      Refusal.Code.UNKNOWN_SCHEDULE,
      "The schedule has expired, was deleted or has run."),
  SCHEDULE_ALREADY_DELETED(
      Absent.HERE, 212, Refusal.Code.UNKNOWN_SCHEDULE, "The schedule was deleted."),
  SCHEDULE_ALREADY_EXECUTED(
      Absent.HERE, 213, Refusal.Code.ALREADY_STARTED, "The schedule has run."),
  SCHEDULE_EXPIRATION_TIME_TOO_FAR_IN_FUTURE(
      Absent.HERE, 306, Refusal.Code.BAD_TIME, "Choose an earlier expiration time."),
  SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME(
      Absent.HERE,
      307,
      Refusal.Code.TIME_NOT_IN_FUTURE,
      "Choose an expiration time in the future."),
  SCHEDULE_PENDING_EXPIRATION(
      Absent.HERE, 314, Refusal.Code.BAD_STATE, "The schedule has expired and is about to go."),
  SCHEDULE_EXPIRY_IS_BUSY(
      Absent.HERE,
      370,
      Refusal.Code.BUSY,
      "Too many schedules expire in that second: choose another one."),
  MISSING_EXPIRY_TIME(
      Absent.HERE,
      372,
      Refusal.Code.BAD_TIME,
      "Waiting for a time needs an expiration time: name one."),
  RECEIPT_NOT_FOUND(
      18,
      18,
      Refusal.Code.BAD_STATE,
      "No receipt of this transaction is kept: it was not submitted, or too long ago."),
  RECORD_NOT_FOUND(
      19,
      19,
      Refusal.Code.BAD_STATE,
      "No record of this transaction is kept: it was not submitted, or too long ago."),
  UNKNOWN(21, 21, Refusal.Code.BAD_STATE, "It is being worked on: ask again."),
  INVALID_TRANSACTION(
      1, 1, Refusal.Code.BAD_STATE, "It schedules nothing: name what is to be scheduled."),
  INVALID_RECEIVING_NODE_ACCOUNT(
      35,
      35,
      Refusal.Code.NOT_ALLOWED,
      "What is paid for a question goes to the node account of this front."),
  ACCOUNT_ID_DOES_NOT_EXIST(
      60, 60, Refusal.Code.UNKNOWN_ACCOUNT, "There is no such account: name one of this queue."),
  AUTORENEW_DURATION_NOT_IN_RANGE(
      81,
      81,
      Refusal.Code.BAD_TIME,
      "An account is renewed for 2592000 to 8000001 seconds: choose one of them."),
  EXPIRATION_REDUCTION_NOT_ALLOWED(
      110,
      110,
      Refusal.Code.BAD_TIME,
      "Accounts do not expire here, and cannot be made to: leave the time out."),
  REQUESTED_NUM_AUTOMATIC_ASSOCIATIONS_EXCEEDS_ASSOCIATION_LIMIT(
      Absent.HERE,
      264,
      Refusal.Code.NOT_ALLOWED,
      "There are no tokens here that an account could be associated with: leave that out."),
  PROXY_ACCOUNT_ID_FIELD_IS_DEPRECATED(
      Absent.HERE, 320, Refusal.Code.BAD_STATE, "An account has no proxy any more: leave it out."),
  STAKING_NOT_ENABLED(
      Absent.HERE, 323, Refusal.Code.BAD_STATE, "Nobody stakes here: leave that out."),
  INVALID_MAX_AUTO_ASSOCIATIONS(
      Absent.HERE,
      346,
      Refusal.Code.NOT_ALLOWED,
      "There are no tokens here that an account could be associated with: leave that out."),
  ACCOUNT_DELETED(
      72, 72, Refusal.Code.UNKNOWN_ACCOUNT, "The account was deleted: name another one."),
  TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT(
      107,
      107,
      Refusal.Code.BAD_STATE,
      "Name another account for the money of the one that is deleted."),
  PAYER_ACCOUNT_DELETED(
      Absent.HERE, 256, Refusal.Code.UNKNOWN_ACCOUNT, "The account that is to pay was deleted."),
  INVALID_TRANSFER_ACCOUNT_ID(
      Absent.HERE,
      285,
      Refusal.Code.UNKNOWN_ACCOUNT,
      "The account for the money of the one that is deleted does not exist."),
  ENTITY_NOT_ALLOWED_TO_DELETE(
      100, 100, Refusal.Code.NOT_ALLOWED, "Accounts with numbers below 1001 are never deleted."),
  AUTHORIZATION_FAILED(
      101,
      101,
      Refusal.Code.NOT_ALLOWED,
      "The account 0.0.2 is changed by itself alone: let it pay for its change.");

  /** An enum's constants cannot name its own fields before these are there. */
  private static final class Absent {
    static final int HERE = -1;
  }

  private final int mvp;
  private final int current;
  private final Refusal.Code code;
  private final String sentence;

  ResponseCode(int mvp, int current, Refusal.Code code, String sentence) {
    this.mvp = mvp;
    this.current = current;
    this.code = code;
    this.sentence = sentence;
  }

  /** For what is no transaction to be scheduled. */
  public static ResponseCode unschedulable(Profile profile) {
    return profile == Profile.MVP
        ? ResponseCode.UNSCHEDULABLE_TRANSACTION
        : ResponseCode.SCHEDULED_TRANSACTION_NOT_IN_WHITELIST;
  }

  /** Empty if the profile has no such code. */
  public OptionalInt number(Profile profile) {
    int number = profile == Profile.MVP ? mvp : current;
    return number == Absent.HERE ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /** What to do. */
  public String sentence() {
    return sentence;
  }

  /**
   * The same as all families say it, with name and number before the sentence.
   *
   * @throws IllegalStateException if the profile has no such code
   */
  public Refusal refusal(Profile profile) {
    int number =
        number(profile)
            .orElseThrow(() -> new IllegalStateException(this + " in the profile " + profile));
    return new Refusal(code, Optional.of(name()), name() + " (" + number + "): " + sentence);
  }
}
