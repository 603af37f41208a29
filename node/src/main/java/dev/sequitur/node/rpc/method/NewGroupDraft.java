package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonDigest;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain.Construction;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.NewGroup;
import java.util.Optional;

/** A transaction that makes a group as a caller wrote it, its inputs read by the domain. */
record NewGroupDraft(Optional<String> idempotencyKey, NewGroup transaction) {
  private static final String CONSTRUCTOR = "constructor";

  private static final Field<ContractAddress> TO =
      Field.optional(
              "to",
              IntentDraft.CONTRACT_FORMAT,
              "the privacy group's contract; left out to make one by the constructor of `domain`")
          .mentions(Field.Mention.CONTRACT);
  private static final Field<String> FUNCTION =
      Field.optional(
          "function",
          Formats.TEXT,
          "the name of one of the domain's functions; to make a group, left out or empty");

  /**
   * The object of {@code ptx_sendTransaction} of a private transaction, without its type: for a
   * group, or to make one.
   */
  static final ObjectFormat SENT = IntentDraft.transaction(TO, FUNCTION);

  /**
   * Whether it makes a group; if not, it is for one.
   *
   * @param sent by {@link #SENT}
   * @throws RpcFailure if it may have been meant for one
   */
  static boolean isMeant(Sent sent) {
    if (sent.has(TO)) {
      return false;
    }
    if (!sent.has(IntentDraft.DOMAIN)) {
      throw sent.wrong(
          TO,
          " is missing: send the address of the privacy group's contract, or domain to make a"
              + " group.");
    }
    if (sent.find(FUNCTION).filter(name -> !name.isEmpty()).isPresent()) {
      throw sent.wrong(
          TO,
          " is missing: send the address of the privacy group's contract, or leave function out to"
              + " make a group.");
    }
    return true;
  }

  /**
   * @param sent by {@link #SENT}
   * @throws RpcFailure with a sentence
   * @throws RefusedIntent if the domain makes no group of that
   */
  static NewGroupDraft of(Sent sent, NodeContext context, TransactionId id) {
    refuse(sent, IntentDraft.DEPENDS_ON, "a group is made at once");
    refuse(sent, IntentDraft.MAX_ATTEMPTS, "a group is made or refused");
    refuse(sent, IntentDraft.DEADLINE, "a group is made or refused");
    IntentDraft.refuseByteCode(sent);
    var domain = context.domain(sent.get(IntentDraft.DOMAIN));
    var from = sent.get(IntentDraft.FROM).at(context.node().name());
    var data = sent.get(IntentDraft.DATA);
    var inputs = Bytes.of(JsonText.write(named(sent, data)));
    return switch (domain.construct(from, inputs)) {
      case Construction.Refused(var reason) ->
          throw new RefusedIntent(ErrorCode.NODE_INTENT_INVALID.code(), reason);
      case Construction.Wanted wanted ->
          new NewGroupDraft(
              sent.find(IntentDraft.IDEMPOTENCY_KEY),
              new NewGroup(id, from, inputs, request(domain.name(), wanted)));
    };
  }

  private static void refuse(Sent sent, Field<?> field, String why) {
    if (sent.has(field)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s means nothing here: %s. Leave it out.".formatted(sent.path(field), why));
    }
  }

  private static GroupRequest request(String domain, Construction.Wanted wanted) {
    return GroupMethods.request(
        domain,
        wanted.name(),
        wanted.members(),
        JsonText.object(),
        JsonText.parse(wanted.configuration().toByteArray()));
  }

  /** By the ABI that was sent, if it describes the constructor. */
  private static JsonNode named(Sent sent, JsonNode values) {
    var entry = sent.find(IntentDraft.ABI).flatMap(NamedInputs::constructor);
    if (entry.isEmpty() && values.isArray()) {
      throw sent.wrong(
          IntentDraft.DATA,
          " is an array, and no constructor in abi names what is in it: send an object.");
    }
    return entry
        .map(it -> NamedInputs.of(sent, IntentDraft.DATA, "the constructor in abi", it, values))
        .orElse(values);
  }

  /** Over everything a repeat of the idempotency key must have in common. */
  Hash bodyHash() {
    var digest =
        new CanonicalDigest()
            .add(TransactionKind.PRIVATE.word())
            .add(CONSTRUCTOR)
            .add(transaction.request().domain())
            .add(transaction.from().toString());
    JsonDigest.add(digest, JsonText.parse(transaction.inputs().toByteArray()));
    return digest.finish();
  }
}
