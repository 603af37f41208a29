package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What clients of Paladin nodes ask for and no node of ours has. What can be none is answered as by
 * a node that has none, and all else is refused with a sentence. Parameters are read all the same,
 * so that a mistake is told.
 */
final class AbsentMethods {
  private static final String WITHOUT_METHODS =
      "The domains here bring no methods of their own along. Ask them by ptx_call or pgroup_call.";

  private static final Field<String> ID = Field.of("id", Formats.NAME, "");
  private static final Field<String> DOMAIN = Field.of("domain", Formats.TEXT, "");
  private static final Field<String> QUALIFIER = Field.of("qualifier", Formats.TEXT, "");
  private static final Field<String> SCHEMA = Field.of("schema", Formats.TEXT, "");
  private static final Field<JsonNode> DATA = Field.of("data", Formats.ANY, "");
  private static final Field<String> STATE = Field.of("stateId", Formats.TEXT, "");
  private static final Field<GivenIdentity> RECIPIENT =
      Field.of("recipient", GivenIdentity.FORMAT, "");
  private static final Field<JsonNode> DOMAIN_CALL = Field.of("rpcCall", Formats.OBJECT, "");

  List<RpcMethod> methods() {
    return List.of(
        none(
            "transport_queryReliableMessages",
            "ReliableMessageQuery",
            Map.of(
                "sequence", FieldKind.NUMBER,
                "id", FieldKind.ID,
                "created", FieldKind.TIME,
                "node", FieldKind.TEXT,
                "messageType", FieldKind.TEXT),
            "what a node resends until it is acknowledged stands in the state of each transaction:"
                + " sequencer_getStatus shows it."),
        none(
            "transport_queryReliableMessageAcks",
            "ReliableMessageAckQuery",
            Map.of(
                "messageId", FieldKind.ID,
                "time", FieldKind.TIME,
                "error", FieldKind.TEXT),
            "see transport_queryReliableMessages."),
        none(
            "ptx_queryDispatches",
            "DispatchQuery",
            Map.of(
                "id", FieldKind.TEXT,
                "transactionId", FieldKind.ID,
                "publicTransactionId", FieldKind.NUMBER),
            "many private transactions share one of the base ledger, which is none of the node's"
                + " public transactions. bidx_getTransactionByHash shows what it carries."),
        one("ptx_getDispatch", "see ptx_queryDispatches."),
        none(
            "ptx_queryChainedDispatches",
            "ChainedDispatchQuery",
            Map.of(
                "id", FieldKind.ID,
                "chainedTransactionId", FieldKind.ID,
                "transactionId", FieldKind.ID,
                "sender", FieldKind.TEXT,
                "domain", FieldKind.TEXT,
                "contractAddress", FieldKind.ID),
            "no transaction here makes another private one."),
        one("ptx_getChainedDispatch", "see ptx_queryChainedDispatches."),
        RpcMethod.refused(
            "domain_invokeRPC",
            List.of(GroupMethods.ADDRESS, QUALIFIER, DOMAIN_CALL),
            WITHOUT_METHODS),
        RpcMethod.refused(
            "pgroup_invokeRPC",
            List.of(DOMAIN, GroupMessageMethods.GROUP, QUALIFIER, DOMAIN_CALL),
            WITHOUT_METHODS),
        RpcMethod.refused(
            "pstate_storeState",
            List.of(DOMAIN, GroupMethods.ADDRESS, SCHEMA, DATA),
            "States are made by transactions only. Send one."),
        RpcMethod.refused(
            "pstate_transferPrivateState",
            List.of(DOMAIN, STATE, RECIPIENT),
            "Each state goes to those whom the domain names as it is made, and to nobody later."),
        noStates("pstate_queryNullifiers", DOMAIN, SCHEMA),
        noStates("pstate_queryContractNullifiers", DOMAIN, GroupMethods.ADDRESS, SCHEMA));
  }

  private static RpcMethod noStates(String name, Field<?>... before) {
    Field<Sent> query = QueryReader.field("NullifierQuery", Map.of("id", FieldKind.ID));
    return RpcMethod.reading(
        name,
        Stream.concat(Stream.of(before), Stream.of(query, QUALIFIER)).toList(),
        Shape.ANY.list(),
        "an empty array",
        "Always empty: states here are spent by their ids, so that there are no nullifiers.",
        call -> completedFuture(List.of()));
  }

  private static RpcMethod none(
      String name, String queryName, Map<String, FieldKind> fields, String why) {
    var table = new LinkedHashMap<String, QueryField<Object>>();
    fields.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            field ->
                table.put(
                    field.getKey(),
                    new QueryField<>(field.getKey(), field.getValue(), row -> Optional.empty())));
    Field<Sent> query = QueryReader.field(queryName, table);
    return RpcMethod.reading(
        name,
        List.of(query),
        Shape.ANY.list(),
        "an empty array",
        "Always empty: " + why,
        call -> {
          QueryReader.read(call.get(query), table, Integer.MAX_VALUE);
          return completedFuture(List.of());
        });
  }

  private static RpcMethod one(String name, String why) {
    return RpcMethod.reading(
        name,
        List.of(ID),
        Shape.ANY.orNull(),
        "null",
        "Always null: " + why,
        call -> completedFuture(Optional.empty()));
  }
}
