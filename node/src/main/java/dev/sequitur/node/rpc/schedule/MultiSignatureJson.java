package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.json.JsonText;
import dev.sequitur.protocol.schedule.RetryPolicy;
import dev.sequitur.protocol.schedule.family.MultiSignatureResult;
import dev.sequitur.protocol.schedule.family.MultiSignatureTerms;
import dev.sequitur.protocol.schedule.family.ScheduleInfo;
import dev.sequitur.protocol.schedule.signing.Action;
import dev.sequitur.protocol.schedule.signing.EntityId;
import dev.sequitur.protocol.schedule.signing.Receipt;
import dev.sequitur.protocol.schedule.signing.TransactionId;
import dev.sequitur.protocol.schedule.signing.TransactionRecord;
import java.time.Instant;

/** What the multi-signature methods answer, with Hedera's names. */
final class MultiSignatureJson {
  private MultiSignatureJson() {}

  static ObjectNode result(MultiSignatureResult result) {
    return receipt(result.receipt()).put("number", result.responseCode());
  }

  static ObjectNode receipt(Receipt receipt) {
    var json = JsonText.object().put("status", receipt.status().name());
    json.put("accountID", receipt.account().map(EntityId::toString).orElse(null));
    json.put("scheduleID", receipt.schedule().map(EntityId::toString).orElse(null));
    json.put(
        "scheduledTransactionID",
        receipt.scheduledTransaction().map(TransactionId::toString).orElse(null));
    return json;
  }

  static ObjectNode record(TransactionRecord record) {
    var json = JsonText.object();
    json.set("receipt", receipt(record.receipt()));
    json.put("transactionHash", record.transactionHash().toHex());
    ScheduleJson.time(json, "consensusTimestamp", record.consensusTimestamp());
    json.put("transactionID", record.transactionId().toString())
        .put("memo", record.memo())
        .put("transactionFee", Long.toString(record.fee()));
    var transfers = json.putArray("transferList");
    for (var row : record.transfers()) {
      transfers
          .addObject()
          .put("account", row.account().toString())
          .put("amount", Long.toString(row.units()));
    }
    json.put("scheduleRef", record.scheduleRef().map(EntityId::toString).orElse(null));
    record.privateTransaction().ifPresent(id -> json.put("privateTransaction", id.toString()));
    return json;
  }

  static ObjectNode info(ScheduleInfo info) {
    var terms = info.terms();
    var json = terms(terms);
    var signers = json.putArray("signers");
    info.signers().forEach(key -> signers.add(SigningFields.text(key)));
    json.put("deletionTime", info.deleted().map(at -> at.toInstant().toString()).orElse(null));
    json.put("executionTime", info.executed().map(at -> at.toInstant().toString()).orElse(null));
    return json;
  }

  static ObjectNode terms(MultiSignatureTerms terms) {
    var creation = terms.creation();
    var json =
        JsonText.object()
            .put("scheduleID", terms.id().toString())
            .put("creatorAccountID", terms.creator().toString())
            .put("payerAccountID", terms.payer().toString())
            .put("transactionBody", creation.transaction().bytes().toHex())
            .put("scheduledTransactionID", terms.scheduledId().toString())
            .put("scheduleMemo", creation.memo())
            .put("memo", creation.transaction().memo())
            .put("nonce", Integer.toUnsignedLong(creation.transaction().nonce()));
    json.set("adminKey", creation.adminKey().map(SigningFields::json).orElse(json.nullNode()));
    json.put("expiry", Instant.ofEpochSecond(terms.expirySecond()).toString())
        .put("waitForExpiry", creation.waitForExpiry());
    json.set("does", action(creation.transaction().action()));
    return json;
  }

  /** The same as a target of the other families: with its type. */
  static JsonNode target(Action action) {
    return switch (action) {
      case Action.PrivateTransaction privately -> ScheduleJson.target(privately.call());
      case Action.CryptoCreate ignored -> target("crypto-create", action);
      case Action.CryptoTransfer ignored -> target("crypto-transfer", action);
      case Action.Unschedulable not -> throw not.neverScheduled();
    };
  }

  private static JsonNode target(String type, Action action) {
    return JsonText.object().put("type", type).setAll(action(action));
  }

  private static ObjectNode action(Action action) {
    var json = JsonText.object();
    switch (action) {
      case Action.CryptoTransfer(var transfers) -> {
        var rows = json.putArray("transfers");
        for (var row : transfers) {
          rows.addObject()
              .put("account", row.account().toString())
              .put("amount", Long.toString(row.units()));
        }
      }
      case Action.CryptoCreate create -> {
        var account = json.putObject("account");
        account.set("key", SigningFields.json(create.key()));
        account
            .put("initialBalance", create.initialBalance().toString())
            .put("receiverSigRequired", create.receiverSigRequired())
            .put("memo", create.memo());
      }
      case Action.PrivateTransaction(var call, var retry) -> {
        json.set("transaction", ScheduleJson.target(call));
        if (!retry.equals(RetryPolicy.NEVER)) {
          json.putObject("retry")
              .put("maxAttempts", retry.maxAttempts())
              .put("first", retry.backoff().initial().toString())
              .put("most", retry.backoff().cap().toString());
        }
      }
      case Action.Unschedulable not -> throw not.neverScheduled();
    }
    return json;
  }
}
