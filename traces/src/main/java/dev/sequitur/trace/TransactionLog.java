package dev.sequitur.trace;

import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.schedule.OccurrenceKey;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The lines that a node writes of its transactions: one that fails at INFO, that one was accepted
 * and confirmed at DEBUG, each message about one at TRACE. They name it, and never what is in it.
 * While a level is off, a line costs a look at the level. Thread-safe.
 */
public final class TransactionLog {
  /** The logger's name, whose level may be changed while the node runs. */
  public static final String NAME = "dev.sequitur.transaction";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final String TRANSACTION = "transaction";
  private static final String CONTRACT = "contract";

  private TransactionLog() {}

  /** These are durable now. */
  public static void accepted(List<Intent> fresh, TransactionSpans spans) {
    if (!LOG.isDebugEnabled()) {
      return;
    }
    for (var intent : fresh) {
      var line = about(LOG.atDebug(), intent.transaction().id(), spans);
      line =
          switch (intent.transaction()) {
            case PrivateTransaction it -> line.addKeyValue(CONTRACT, it.contract().toString());
            case PublicTransaction it ->
                it.to().isEmpty() ? line : line.addKeyValue(CONTRACT, it.to().get().toString());
            case NewGroup ignored -> line;
          };
      var schedule =
          intent.idempotencyKey().map(IdempotencyKey::name).flatMap(OccurrenceKey::scheduleOf);
      if (schedule.isPresent()) {
        line = line.addKeyValue("schedule", schedule.get());
      }
      line.log("Accepted");
    }
  }

  /** These have their receipts. Why one has failed its receipt says to those who may read it. */
  public static void ended(List<NumberedReceipt> stored, TransactionSpans spans) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    for (var each : stored) {
      var receipt = each.receipt();
      if (!receipt.success()) {
        line(LOG.atInfo(), receipt, spans).log("Failed");
      } else {
        line(LOG.atDebug(), receipt, spans).log("Confirmed");
      }
    }
  }

  private static LoggingEventBuilder about(
      LoggingEventBuilder line, TransactionId transaction, TransactionSpans spans) {
    var named = line.addKeyValue(TRANSACTION, transaction.toString());
    return spans.traceId(transaction).map(id -> named.addKeyValue("trace_id", id)).orElse(named);
  }

  private static LoggingEventBuilder line(
      LoggingEventBuilder line, Receipt receipt, TransactionSpans spans) {
    var named =
        about(line, receipt.transaction(), spans)
            .addKeyValue(CONTRACT, receipt.contract().toString());
    return receipt
        .onLedger()
        .map(
            at ->
                named
                    .addKeyValue("block", at.block().value())
                    .addKeyValue("hash", at.hash().toString()))
        .orElse(named);
  }

  /** This node sends these, to others or to itself. */
  public static void sent(List<Envelope> envelopes, TransactionSpans spans) {
    if (LOG.isTraceEnabled()) {
      envelopes.forEach(each -> lines(each, "Sent to " + each.to(), spans));
    }
  }

  /** These have come, from others or from itself. */
  public static void received(List<Envelope> envelopes, TransactionSpans spans) {
    if (LOG.isTraceEnabled()) {
      envelopes.forEach(each -> lines(each, "Received from " + each.from(), spans));
    }
  }

  private static void lines(Envelope envelope, String what, TransactionSpans spans) {
    if (envelope.payload() instanceof Message.Heartbeat) {
      return;
    }
    for (var transaction : envelope.payload().transactions()) {
      var line =
          about(LOG.atTrace(), transaction, spans)
              .addKeyValue("type", envelope.payload().getClass().getSimpleName());
      envelope
          .contract()
          .map(contract -> line.addKeyValue(CONTRACT, contract.toString()))
          .orElse(line)
          .log(what);
    }
  }
}
