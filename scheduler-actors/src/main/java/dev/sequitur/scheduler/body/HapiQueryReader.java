package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;

/** Reads questions as Hedera's clients ask them. Thread-safe. */
public final class HapiQueryReader {
  private static final int HEADER = 1;
  private static final int ASKED = 2;
  private static final int PAYMENT = 1;
  private static final int RESPONSE_TYPE = 2;
  private static final int COST_ANSWER = 2;

  private HapiQueryReader() {}

  /**
   * @param kind which question the call takes
   * @param query the bytes of a Query
   * @throws RefusedTransactionException with the response code and a sentence for the caller
   */
  public static NetworkQuery.Asked read(NetworkQuery.Kind kind, Bytes query)
      throws RefusedTransactionException {
    try {
      var fields = MessageFields.of("Query", query);
      var question = fields.takeMessage(kind.asked, kind.message);
      fields.requireNothingLeft();
      if (question.isEmpty()) {
        throw fields.unreadable("is not the " + kind.message + " that this call takes");
      }
      var header = question.get().takeMessage(HEADER, "QueryHeader");
      var payment = header.isPresent() ? header.get().takeBytes(PAYMENT) : Optional.<Bytes>empty();
      boolean costOnly = header.isPresent() && isCostOnly(header.get());
      var content = new CanonicalDigest().add(kind.name());
      question.get().addTo(content, HEADER);
      var read = read(kind, question.get());
      question.get().requireNothingLeft();
      return new NetworkQuery.Asked(costOnly, read, payment, content.finish());
    } catch (UnreadableMessageException e) {
      throw new RefusedTransactionException(e.code(), e.getMessage());
    }
  }

  private static boolean isCostOnly(MessageFields header)
      throws UnreadableMessageException, RefusedTransactionException {
    long type = header.takeNumber(RESPONSE_TYPE);
    header.requireNothingLeft();
    if (type != 0 && type != COST_ANSWER) {
      throw new RefusedTransactionException(
          ResponseCode.NOT_SUPPORTED, "Ask for the answer or for its cost: there are no proofs.");
    }
    return type == COST_ANSWER;
  }

  private static NetworkQuery read(NetworkQuery.Kind kind, MessageFields fields)
      throws UnreadableMessageException {
    return switch (kind) {
      case BALANCE -> new NetworkQuery.Balance(entity(fields, ResponseCode.INVALID_ACCOUNT_ID));
      case ACCOUNT_INFO ->
          new NetworkQuery.AccountInfo(entity(fields, ResponseCode.INVALID_ACCOUNT_ID));
      case SCHEDULE_INFO ->
          new NetworkQuery.ScheduleInfo(entity(fields, ResponseCode.INVALID_SCHEDULE_ID));
      case RECEIPT -> {
        // One transaction has one receipt here: there are neither duplicates nor children.
        fields.takeFlag(3);
        fields.takeFlag(4);
        yield new NetworkQuery.Receipt(transaction(fields));
      }
      case RECORD -> {
        fields.takeFlag(3);
        fields.takeFlag(4);
        yield new NetworkQuery.Record(transaction(fields));
      }
      case VERSION -> new NetworkQuery.Version();
    };
  }

  private static EntityId entity(MessageFields fields, ResponseCode otherwise)
      throws UnreadableMessageException {
    var entity = fields.takeMessage(ASKED, "id");
    if (entity.isEmpty()) {
      throw new UnreadableMessageException(otherwise, otherwise.sentence());
    }
    try {
      return CommonMessages.readEntity(entity.get());
    } catch (UnreadableMessageException e) {
      throw new UnreadableMessageException(otherwise, e.getMessage());
    }
  }

  private static AccountTransactionId transaction(MessageFields fields)
      throws UnreadableMessageException {
    var id = fields.takeMessage(ASKED, "TransactionID");
    if (id.isEmpty()) {
      throw new UnreadableMessageException(
          ResponseCode.INVALID_TRANSACTION_ID, ResponseCode.INVALID_TRANSACTION_ID.sentence());
    }
    return CommonMessages.readTransactionId(id.get());
  }
}
