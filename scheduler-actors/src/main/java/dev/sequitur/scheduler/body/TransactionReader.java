package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/** Reads transactions as Hedera's clients make them. Thread-safe. */
public final class TransactionReader {
  /** Of a Transaction, when the parts of the signed one stand beside each other. */
  private static final int BODY_BYTES = 4;

  /** Of a SignedTransaction: that it was written by a certain old program. */
  private static final int USE_MESSAGE_HASH = 3;

  private static final int CRYPTO_CREATE = 11;
  private static final int CRYPTO_DELETE = 12;
  private static final int CRYPTO_TRANSFER = 14;
  private static final int CRYPTO_UPDATE = 15;
  private static final int SCHEDULE_CREATE = 42;
  private static final int SCHEDULE_DELETE = 43;
  private static final int SCHEDULE_SIGN = 44;

  /** Of a TransactionBody, as the two below. */
  private static final int BATCH_KEY = 73;

  private static final int MAX_CUSTOM_FEES = 1_001;
  private static final int HIGH_VOLUME = 1_002;

  private final Profile profile;
  private final Addressee addressee;
  private final ScheduledBodies bodies;
  private final int mostBytes;

  private TransactionReader(Profile profile, Addressee addressee, int mostBytes) {
    this.profile = profile;
    this.addressee = addressee;
    this.bodies = new ScheduledBodies(profile, addressee);
    this.mostBytes = mostBytes;
  }

  /** Refuses what is for another queue. */
  public static TransactionReader of(Profile profile, NodeAccount queue) {
    return new TransactionReader(profile, new Addressee(Optional.of(queue)), Integer.MAX_VALUE);
  }

  /** For who only wants to know what it is, such as one that is asked to sign. */
  public static TransactionReader ofAnyQueue(Profile profile) {
    return new TransactionReader(profile, new Addressee(Optional.empty()), Integer.MAX_VALUE);
  }

  /**
   * One that refuses what is longer before it looks at it: each key and each signature costs.
   *
   * @param bytes of a transaction, with its signatures and what it schedules
   */
  public TransactionReader atMost(int bytes) {
    return new TransactionReader(profile, addressee, bytes);
  }

  /**
   * @param transaction the bytes of a Transaction
   * @throws RefusedTransactionException with the response code and a sentence for the caller
   */
  public SubmittedTransaction read(Bytes transaction) throws RefusedTransactionException {
    if (transaction.size() > mostBytes) {
      throw new RefusedTransactionException(
          ResponseCode.TRANSACTION_OVERSIZE,
          "a transaction has at most "
              + mostBytes
              + " bytes, with its signatures and what it schedules: send a shorter one.");
    }
    try {
      var fields = MessageFields.of("Transaction", transaction);
      var signed = fields.takeBytes(5).filter(bytes -> !bytes.isEmpty());
      // An older client sends the parts of the signed transaction beside each other.
      var parts = signed.isPresent() ? MessageFields.of("SignedTransaction", signed.get()) : fields;
      int body = signed.isPresent() ? 1 : BODY_BYTES;
      int map = signed.isPresent() ? 2 : 3;
      var bodyBytes = parts.takeBytes(body).orElse(Bytes.EMPTY);
      var signatures = signatures(parts.takeMessage(map, "SignatureMap"));
      if (signed.isPresent()) {
        parts.takeZeros(USE_MESSAGE_HASH);
        fields.takeEmpty(BODY_BYTES);
      }
      parts.requireNothingLeft();
      fields.requireNothingLeft();
      var hash = sha384(signed.orElse(transaction));
      return read(bodyBytes, hash, signatures);
    } catch (UnreadableMessageException e) {
      throw new RefusedTransactionException(e.code(), e.getMessage());
    }
  }

  /** A body alone, such as one that somebody is asked to sign. */
  public ScheduledTransaction readScheduled(Bytes body) throws RefusedTransactionException {
    try {
      return bodies.read(body);
    } catch (UnreadableMessageException e) {
      throw new RefusedTransactionException(codeOfScheduled(e.code()), e.getMessage());
    }
  }

  private ResponseCode codeOfScheduled(ResponseCode why) {
    if (why == ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED
        || why == ResponseCode.INVALID_NODE_ACCOUNT
        || (why == ResponseCode.NOT_SUPPORTED && profile == Profile.CURRENT)) {
      return why;
    }
    return profile == Profile.MVP
        ? ResponseCode.UNPARSEABLE_SCHEDULED_TRANSACTION
        : ResponseCode.INVALID_TRANSACTION_BODY;
  }

  private SubmittedTransaction read(Bytes bodyBytes, Bytes hash, List<SignaturePair> signatures)
      throws UnreadableMessageException, RefusedTransactionException {
    var fields = MessageFields.of("TransactionBody", bodyBytes);
    var content = content(fields, signatures);
    var id = fields.takeMessage(1, "TransactionID");
    long fee = fields.takeNumber(3);
    var duration = fields.takeMessage(4, "Duration");
    var memo = fields.takeText(6);
    var node = addressee.take(fields);
    fields.ignoreNumbers(5);
    if (id.isEmpty() && bodyBytes.size() > 0) {
      throw unreadable(ResponseCode.INVALID_TRANSACTION_ID);
    } else if (id.isEmpty() || duration.isEmpty() || fee < 0) {
      throw fields.unreadable("needs a transactionID, a transactionValidDuration and a fee");
    }
    long seconds = duration.get().takeNumber(1);
    duration.get().requireNothingLeft();
    var header = new Header(CommonMessages.readTransactionId(id.get()), seconds, fee, memo);
    fields.takeZeros(HIGH_VOLUME);
    fields.requireUnsupportedAbsent(BATCH_KEY, MAX_CUSTOM_FEES, HIGH_VOLUME);
    var operation = operation(fields);
    fields.requireNothingLeft();
    return new SubmittedTransaction(
        node, node, bodyBytes, hash, content, signatures, header, operation);
  }

  private Operation operation(MessageFields fields)
      throws UnreadableMessageException, RefusedTransactionException {
    fields.requireAtMostOne(
        "operation",
        SCHEDULE_CREATE,
        SCHEDULE_SIGN,
        SCHEDULE_DELETE,
        CRYPTO_CREATE,
        CRYPTO_UPDATE,
        CRYPTO_DELETE,
        CRYPTO_TRANSFER);
    var create = fields.takeMessage(SCHEDULE_CREATE, "ScheduleCreateTransactionBody");
    var sign = fields.takeMessage(SCHEDULE_SIGN, "ScheduleSignTransactionBody");
    var delete = fields.takeMessage(SCHEDULE_DELETE, "ScheduleDeleteTransactionBody");
    var account = fields.takeMessage(CRYPTO_CREATE, "CryptoCreateTransactionBody");
    var update = fields.takeMessage(CRYPTO_UPDATE, "CryptoUpdateTransactionBody");
    var transfer = fields.takeMessage(CRYPTO_TRANSFER, "CryptoTransferTransactionBody");
    // In mvp it is none of those that are done.
    var deletion =
        profile == Profile.MVP
            ? Optional.<MessageFields>empty()
            : fields.takeMessage(CRYPTO_DELETE, "CryptoDeleteTransactionBody");
    if (create.isPresent()) {
      return profile == Profile.MVP ? mvpCreate(create.get()) : create(create.get());
    } else if (sign.isPresent()) {
      var schedule = schedule(sign.get());
      // In current the signatures are those of the transaction itself, and it has no such field.
      var sigMap =
          profile == Profile.MVP
              ? signatures(sign.get().takeMessage(2, "SignatureMap"))
              : List.<SignaturePair>of();
      sign.get().requireNothingLeft();
      return new Operation.ScheduleSign(schedule, sigMap);
    } else if (delete.isPresent()) {
      var schedule = schedule(delete.get());
      delete.get().requireNothingLeft();
      return new Operation.ScheduleDelete(schedule);
    } else if (account.isPresent()) {
      return new Operation.CryptoCreate(ScheduledBodies.readCreate(account.get()));
    } else if (update.isPresent()) {
      var told = AccountUpdates.read(update.get(), profile);
      return new Operation.CryptoUpdate(told.account(), told.change());
    } else if (deletion.isPresent()) {
      return delete(deletion.get());
    } else if (transfer.isPresent()) {
      return new Operation.CryptoTransfer(ScheduledBodies.readTransfer(transfer.get()));
    }
    throw new RefusedTransactionException(
        ResponseCode.NOT_SUPPORTED,
        "This transaction is none of scheduleCreate, scheduleSign, scheduleDelete,"
            + " cryptoCreateAccount, cryptoUpdateAccount"
            + (profile == Profile.MVP ? "" : ", cryptoDelete")
            + " and cryptoTransfer.");
  }

  private Operation mvpCreate(MessageFields fields)
      throws UnreadableMessageException, RefusedTransactionException {
    var body = readScheduled(fields.takeBytes(1).orElse(Bytes.EMPTY));
    var adminKey = key(fields.takeBytes(2));
    var payer = entity(fields.takeMessage(3, "AccountID"));
    var sigMap = signatures(fields.takeMessage(4, "SignatureMap"));
    var memo = fields.takeText(5);
    var expiration = second(fields.takeMessage(6, "Timestamp"));
    fields.requireNothingLeft();
    var creation = new Creation(body, adminKey, payer, memo, expiration, false);
    return new Operation.ScheduleCreate(creation, sigMap);
  }

  private Operation create(MessageFields fields)
      throws UnreadableMessageException, RefusedTransactionException {
    var scheduled = fields.takeBytes(1);
    if (scheduled.isEmpty()) {
      throw new RefusedTransactionException(
          ResponseCode.INVALID_TRANSACTION, ResponseCode.INVALID_TRANSACTION.sentence());
    }
    var body = readScheduled(scheduled.get());
    var memo = fields.takeText(2);
    var adminKey = key(fields.takeBytes(3));
    var named = fields.takeMessage(4, "AccountID");
    var payer =
        named.isPresent()
            ? Optional.of(
                CommonMessages.readEntity(named.get(), ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST))
            : Optional.<EntityId>empty();
    var expiration = fields.takeMessage(5, "Timestamp");
    // Whether it can be is for the rules to say, also of one that no queue's clock has.
    var second =
        expiration.isPresent()
            ? Optional.of(CommonMessages.readSecond(expiration.get()))
            : Optional.<Long>empty();
    boolean waits = fields.takeFlag(13);
    fields.requireNothingLeft();
    return new Operation.ScheduleCreate(
        new Creation(body, adminKey, payer, memo, second, waits), List.of());
  }

  private static Operation.CryptoDelete delete(MessageFields fields)
      throws UnreadableMessageException {
    var to = fields.takeMessage(1, "AccountID");
    var account = fields.takeMessage(2, "AccountID");
    fields.requireNothingLeft();
    if (to.isEmpty() || account.isEmpty()) {
      throw unreadable(ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST);
    }
    var operation =
        new Operation.CryptoDelete(
            CommonMessages.readEntity(account.get(), ResponseCode.INVALID_ACCOUNT_ID),
            CommonMessages.readEntity(to.get(), ResponseCode.INVALID_TRANSFER_ACCOUNT_ID));
    if (operation.account().equals(operation.to())) {
      throw unreadable(ResponseCode.TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT);
    }
    return operation;
  }

  private static UnreadableMessageException unreadable(ResponseCode code) {
    return new UnreadableMessageException(code, code.sentence());
  }

  private static Optional<Long> second(Optional<MessageFields> timestamp)
      throws UnreadableMessageException {
    return timestamp.isPresent()
        ? Optional.of(CommonMessages.readTime(timestamp.get()).seconds())
        : Optional.empty();
  }

  private static EntityId entity(MessageFields fields, int field, String name)
      throws UnreadableMessageException {
    return entity(fields.takeMessage(field, name))
        .orElseThrow(() -> fields.unreadable("names no " + name));
  }

  /** None, and one of another shard, is told as one that is not there. */
  private static EntityId schedule(MessageFields fields) throws UnreadableMessageException {
    try {
      return entity(fields, 1, "ScheduleID");
    } catch (UnreadableMessageException e) {
      throw new UnreadableMessageException(ResponseCode.INVALID_SCHEDULE_ID, e.getMessage());
    }
  }

  private static Optional<EntityId> entity(Optional<MessageFields> fields)
      throws UnreadableMessageException {
    return fields.isPresent()
        ? Optional.of(CommonMessages.readEntity(fields.get()))
        : Optional.empty();
  }

  private static Optional<AccountKey> key(Optional<Bytes> bytes) throws UnreadableMessageException {
    return bytes.isPresent() ? Optional.of(CommonMessages.readKey(bytes.get())) : Optional.empty();
  }

  private static List<SignaturePair> signatures(Optional<MessageFields> map)
      throws UnreadableMessageException {
    return map.isPresent() ? CommonMessages.readSignatures(map.get()) : List.of();
  }

  private static Hash content(MessageFields body, List<SignaturePair> signatures) {
    var digest = new CanonicalDigest();
    body.addTo(digest, Addressee.NODE_ACCOUNT_ID);
    signatures.stream().map(SignaturePair::prefix).sorted().forEach(digest::add);
    return digest.finish();
  }

  private static Bytes sha384(Bytes content) {
    try {
      return Bytes.of(MessageDigest.getInstance("SHA-384").digest(content.toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java runtime has no SHA-384.", e);
    }
  }
}
