package dev.sequitur.node.hapi.mirror;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.Holder;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.multisignature.ScheduleInfo;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.scheduler.body.NetworkAnswers;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes what a mirror node shows. What a queue does not keep (when an account was opened, a
 * signature's own bytes) is null; what there is none of here (tokens, stakes) is empty.
 */
final class MirrorJson {
  private static final long NANOS = 1_000_000_000;

  private MirrorJson() {}

  /** Seconds and nine digits of nanoseconds. */
  static String time(ConsensusTime time) {
    return time.seconds() + "." + Long.toString(NANOS + time.nanos() % NANOS).substring(1);
  }

  private static String time(Optional<ConsensusTime> time) {
    return time.map(MirrorJson::time).orElse(null);
  }

  private static void putKey(ObjectNode json, String field, Optional<AccountKey> key) {
    if (key.isEmpty()) {
      json.putNull(field);
      return;
    }
    var object = json.putObject(field);
    if (key.get() instanceof PublicKey(var algorithm, var value)) {
      object.put("_type", algorithm.name()).put("key", hex(value.toByteArray()));
    } else {
      object
          .put("_type", "ProtobufEncoded")
          .put("key", hex(NetworkAnswers.key(key.get()).toByteArray()));
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static ObjectNode links(ObjectNode json, Optional<String> next) {
    json.putObject("links").put("next", next.orElse(null));
    return json;
  }

  /** One row of the balances. */
  static ObjectNode balance(Holder holder) {
    var json =
        JsonText.object()
            .put("account", holder.id().toString())
            .put("balance", holder.balance().units());
    json.putArray("tokens");
    return json;
  }

  /** Without its transactions. */
  static ObjectNode account(Holder holder, ConsensusTime at) {
    var id = holder.id();
    var account = holder.account();
    var json =
        JsonText.object()
            .put("account", id.toString())
            .putNull("alias")
            .put("auto_renew_period", account.autoRenewSeconds());
    putBalance(json, holder.balance(), at);
    json.put("created_timestamp", time(account.opened()))
        .put("decline_reward", account.declineReward())
        .put("deleted", account.deleted())
        .put("ethereum_nonce", 0)
        .put("evm_address", "0x%040x".formatted(id.number()))
        .putNull("expiry_timestamp");
    putKey(json, "key", Optional.of(account.key()));
    json.put("max_automatic_token_associations", 0)
        .put("memo", account.memo())
        .put("pending_reward", 0)
        .put("receiver_sig_required", account.receiverSigRequired())
        .putNull("staked_account_id")
        .putNull("staked_node_id")
        .putNull("stake_period_start");
    return json;
  }

  private static void putBalance(ObjectNode json, Amount balance, ConsensusTime at) {
    json.putObject("balance")
        .put("timestamp", time(at))
        .put("balance", balance.units())
        .putArray("tokens");
  }

  static ObjectNode schedule(ScheduleInfo info) {
    var terms = info.terms();
    var creation = terms.creation();
    var json = JsonText.object();
    putKey(json, "admin_key", creation.adminKey());
    json.put("consensus_timestamp", time(terms.created()))
        .put("creator_account_id", terms.creator().toString())
        .put("deleted", info.deleted().isPresent())
        .put("executed_timestamp", time(info.executed()))
        .put("expiration_time", time(ConsensusTime.ofSeconds(terms.expirySecond())))
        .put("memo", creation.memo())
        .put("payer_account_id", terms.payer().toString())
        .put("schedule_id", terms.id().toString());
    var signatures = json.putArray("signatures");
    for (var key : info.signers()) {
      signatures
          .addObject()
          .putNull("consensus_timestamp")
          .put("public_key_prefix", base64(key.value().toByteArray()))
          .putNull("signature")
          .put("type", key.algorithm().name());
    }
    return json.put("transaction_body", base64(creation.transaction().bytes().toByteArray()))
        .put("wait_for_expiry", creation.waitForExpiry());
  }

  /**
   * @param trigger the terms of the schedule that it was triggered by, if it was and they are known
   */
  static ObjectNode transaction(TransactionRecord record, Optional<MultiSignatureTerms> trigger) {
    var id = record.transactionId();
    var receipt = record.receipt();
    var asked = record.asked();
    var entity =
        receipt
            .account()
            .or(receipt::schedule)
            .or(() -> asked.flatMap(TransactionRecord.Asked::about))
            .or(() -> trigger.flatMap(MirrorJson::changed));
    var json = JsonText.object();
    json.putArray("assessed_custom_fees");
    json.putNull("batch_key")
        .putNull("bytes")
        .put("charged_tx_fee", record.fee())
        .put("consensus_timestamp", time(record.consensusTimestamp()))
        .put("entity_id", entity.map(EntityId::toString).orElse(null))
        .putArray("max_custom_fees");
    putNumber(
        json,
        "max_fee",
        asked
            .map(TransactionRecord.Asked::maxFee)
            .or(() -> trigger.map(terms -> terms.creation().transaction().maxFee())));
    json.put("memo_base64", base64(record.memo().getBytes(StandardCharsets.UTF_8)))
        .put("name", name(record, trigger))
        .putArray("nft_transfers");
    json.put("node", asked.map(named -> named.node().toString()).orElse(null))
        .put("nonce", Integer.toUnsignedLong(id.nonce()))
        .putNull("parent_consensus_timestamp")
        .put("result", result(receipt.status()))
        .put("scheduled", id.scheduled());
    json.putArray("staking_reward_transfers");
    json.putArray("token_transfers");
    json.put("transaction_hash", base64(record.transactionHash().toByteArray()))
        .put("transaction_id", text(id));
    var transfers = json.putArray("transfers");
    var payer = trigger.map(MultiSignatureTerms::payer).orElse(id.account());
    for (var row : NetworkAnswers.rows(record, payer)) {
      transfers
          .addObject()
          .put("account", row.account().toString())
          .put("amount", row.units())
          .put("is_approval", false);
    }
    putNumber(json, "valid_duration_seconds", asked.map(TransactionRecord.Asked::validSeconds));
    return json.put("valid_start_timestamp", time(id.validStart()));
  }

  /** The account that a schedule changes, if it changes one. */
  private static Optional<EntityId> changed(MultiSignatureTerms terms) {
    return terms.creation().transaction().action() instanceof Action.CryptoUpdate update
        ? Optional.of(update.account())
        : Optional.empty();
  }

  /** In a string, as a mirror node writes these. */
  private static void putNumber(ObjectNode json, String field, Optional<Long> number) {
    json.put(field, number.map(value -> Long.toString(value)).orElse(null));
  }

  /** One that was handed over and has no outcome yet is what clients know as unknown. */
  private static String result(ResponseCode code) {
    return (code == ResponseCode.OK ? ResponseCode.UNKNOWN : code).name();
  }

  /** Of what was triggered as far as it is known. */
  private static String name(TransactionRecord record, Optional<MultiSignatureTerms> trigger) {
    if (trigger.isPresent()) {
      return switch (trigger.get().creation().transaction().action()) {
        case Action.CryptoTransfer ignored -> "CRYPTOTRANSFER";
        case Action.CryptoCreate ignored -> "CRYPTOCREATEACCOUNT";
        case Action.CryptoUpdate ignored -> "CRYPTOUPDATEACCOUNT";
        case Action.PrivateTransaction ignored -> "CONTRACTCALL";
        case Action.Unschedulable never -> throw never.neverScheduled();
      };
    }
    return record
        .asked()
        .map(asked -> ofSubmitted(asked.operation()))
        .orElseGet(() -> record.transfers().isEmpty() ? "UNKNOWN" : "CRYPTOTRANSFER");
  }

  /** Two of them have a longer name there. */
  private static String ofSubmitted(String operation) {
    return switch (operation) {
      case "CryptoCreate" -> "CRYPTOCREATEACCOUNT";
      case "CryptoUpdate" -> "CRYPTOUPDATEACCOUNT";
      default -> operation.toUpperCase(Locale.ROOT);
    };
  }

  private static String text(AccountTransactionId id) {
    return id.account() + "-" + time(id.validStart()).replace('.', '-');
  }

  /**
   * A front as a node of its network.
   *
   * @param address an address, or a name
   */
  static ObjectNode node(EntityId account, long number, InetSocketAddress address) {
    var host = address.getHostString();
    var json = JsonText.object();
    json.putNull("admin_key")
        .put("decline_reward", true)
        .put("description", "")
        .put("file_id", "0.0.102")
        .putNull("grpc_proxy_endpoint")
        .putNull("max_stake")
        .put("memo", account.toString())
        .putNull("min_stake")
        .put("node_account_id", account.toString())
        .putNull("node_cert_hash")
        .put("node_id", number)
        .putNull("public_key")
        .putNull("reward_rate_start");
    boolean digits = host.matches("[0-9.]+");
    json.putArray("service_endpoints")
        .addObject()
        .put("domain_name", digits ? "" : host)
        .put("ip_address_v4", digits ? host : "")
        .put("port", address.getPort());
    json.putNull("stake")
        .putNull("stake_not_rewarded")
        .putNull("stake_rewarded")
        .putNull("staking_period");
    json.putObject("timestamp").put("from", time(ConsensusTime.ZERO)).putNull("to");
    return json;
  }

  static ObjectNode failure(MirrorFailure failure) {
    var json = JsonText.object();
    json.putObject("_status").putArray("messages").addObject().put("message", failure.getMessage());
    return json;
  }
}
