package dev.sequitur.node.rpc;

import java.util.Arrays;
import java.util.Optional;

/**
 * Every error the endpoint answers with of its own accord. The code is stable and opens the
 * message; the reference page lists them all.
 */
public enum ErrorCode {
  MALFORMED_JSON("SQ010001", Rpc.PARSE, "The body is not JSON. Send UTF-8 JSON."),
  DUPLICATE_FIELD("SQ010002", Rpc.PARSE, "An object names a field twice. Send each field once."),
  JSON_TOO_COMPLEX(
      "SQ010003", Rpc.PARSE, "The JSON is nested too deeply, or a number or a name is too long."),
  BODY_TOO_LARGE(
      "SQ010004", Rpc.INVALID, "The body is larger than the node accepts. Split the request."),
  BODY_TOO_SLOW(
      "SQ010005", Rpc.INVALID, "The body did not arrive in time. Send it without a pause."),
  NOT_POST("SQ010006", Rpc.INVALID, "Only POST is answered here (HTTP 405)."),
  ORIGIN_REFUSED(
      "SQ010007",
      Rpc.UNAUTHORISED,
      "A web page of another origin may not call this node (HTTP 403)."),
  NO_SUCH_PATH("SQ010008", Rpc.INVALID, "Nothing is served at this path (HTTP 404)."),
  MALFORMED_HTTP("SQ010009", Rpc.PARSE, "The request is no HTTP that the node reads (HTTP 400)."),
  HOST_REFUSED(
      "SQ010010",
      Rpc.UNAUTHORISED,
      "The node is not called by the name in the header Host (HTTP 403)."),
  TOO_MANY_CONNECTIONS(
      "SQ010011",
      Rpc.UNAVAILABLE,
      "Too many connections are open, in all or of one address (HTTP 503)."),
  UNAUTHENTICATED(
      "SQ010012",
      Rpc.UNAUTHORISED,
      "The caller has not shown who it is, or what it showed does not hold (HTTP 401)."),
  NOT_GRANTED("SQ010013", Rpc.UNAUTHORISED, "No role of the caller grants what it asks for."),
  QUOTA_EXCEEDED(
      "SQ010014", Rpc.UNAVAILABLE, "The caller has asked for more than its quota (HTTP 429)."),
  INVALID_REQUEST("SQ010101", Rpc.INVALID, "The JSON is not a JSON-RPC 2.0 request."),
  ID_MISSING("SQ010102", Rpc.INVALID, "The request has no id, or null. Give each request an id."),
  EMPTY_BATCH("SQ010103", Rpc.INVALID, "A batch holds no request."),
  ANSWER_TOO_LARGE(
      "SQ010109",
      Rpc.INVALID,
      "The answer, or those of a batch together, would be longer than the node makes them."),
  TOO_MANY_ANSWERS(
      "SQ010110",
      Rpc.UNAVAILABLE,
      "The node makes as many answers as it has memory for. Ask again in a moment, or for less."),
  BATCH_TOO_LARGE("SQ010104", Rpc.INVALID, "A batch holds too many requests. Split it."),
  UNKNOWN_METHOD(
      "SQ010105", Rpc.UNKNOWN_METHOD, "There is no such method; rpc_methods lists them."),
  WRONG_PARAMETER_COUNT("SQ010106", Rpc.INVALID, "There are too few parameters or too many."),
  WRONG_TYPE("SQ010107", Rpc.INVALID, "A parameter or a field has the wrong type or format."),
  NEEDS_WEBSOCKET("SQ010108", Rpc.INVALID, "This method needs a WebSocket; HTTP cannot push."),
  UNSUPPORTED("SQ010206", Rpc.INVALID, "The request asks for what this node does not do."),
  TOO_MANY_TRANSACTIONS("SQ010208", Rpc.INVALID, "One call sends too many transactions."),
  UNKNOWN_DOMAIN("SQ010209", Rpc.INVALID, "This node has no such domain."),
  GROUP_NOT_CONFIRMED("SQ010210", Rpc.INVALID, "The contract of the group is not confirmed yet."),
  UNKNOWN_NODE("SQ010211", Rpc.INVALID, "An identity names a node that this one cannot reach."),
  UNSUPPORTED_VERIFIER("SQ010212", Rpc.INVALID, "There is no such algorithm or verifier type."),
  UNKNOWN_VERIFIER("SQ010214", Rpc.INVALID, "The node knows no key of its own with this verifier."),
  UNKNOWN_ABI("SQ010215", Rpc.INVALID, "No description of a contract on this node has it."),
  CALL_REFUSED("SQ010213", Rpc.INVALID, "The domain could not answer the call as it was asked."),
  WRONG_QUERY("SQ010301", Rpc.INVALID, "The query cannot be read."),
  QUERY_TOO_BROAD(
      "SQ010302", Rpc.INVALID, "The query would look at more rows than the node allows."),
  CONTENTS_LACKING(
      "SQ010303",
      Rpc.INVALID,
      "This node lacks contents that the query may be about, and asks other members for them."),
  GROUP_DIFFERS(
      "SQ010304",
      Rpc.INVALID,
      "What this node holds of a group that the query is about differs from the ledger."),
  NOT_ERASED("SQ010309", Rpc.INVALID, "The contents of a state are not erased as asked."),
  SEVERAL_GROUPS(
      "SQ010305", Rpc.INVALID, "Members of several groups have used the transaction's id."),
  FORGOTTEN(
      "SQ010306",
      Rpc.INVALID,
      "The transaction ended so long ago that this node has forgotten all but its id."),
  BLOCK_DROPPED(
      "SQ010310",
      Rpc.INVALID,
      "The base ledger has dropped the block, after all its readers had agreed to a checkpoint."),
  UNKNOWN_LISTENER("SQ010401", Rpc.INVALID, "There is no such listener. Create it first."),
  LISTENER_EXISTS("SQ010402", Rpc.INVALID, "A listener of this name is told of other things."),
  TOO_MANY_SUBSCRIPTIONS("SQ010403", Rpc.INVALID, "The connection holds too many subscriptions."),
  LISTENER_DELETED("SQ010405", Rpc.INVALID, "The listener was deleted (pushed)."),
  TOO_MANY_MESSAGES(
      "SQ010406", Rpc.UNAVAILABLE, "Too many messages wait for the node of a member."),
  CHAOS_OFF("SQ010501", Rpc.UNAUTHORISED, "The node's configuration lets nobody set faults."),
  CHAOS_FAULT("SQ010503", Rpc.INVALID, "The fault cannot be set as it was asked for."),
  UNKNOWN_GROUP("SQ020001", Rpc.INVALID, "The node is in no privacy group of this contract."),
  NODE_OTHER_DOMAIN("SQ020002", Rpc.INVALID, "The group is of another domain."),
  FOREIGN_IDENTITY("SQ020003", Rpc.INVALID, "Another node holds the key of this identity."),
  UNKNOWN_MEMBER("SQ020004", Rpc.INVALID, "`from` is no member of the group."),
  NODE_INTENT_INVALID(
      "SQ020005",
      Rpc.INVALID,
      "The domain refuses the intent: its function, a type, an amount or the balance."),
  UNKNOWN_DEPENDENCY("SQ020006", Rpc.INVALID, "dependsOn names no transaction of this node."),
  IDEMPOTENCY_CONFLICT("SQ020007", Rpc.CONFLICT, "The idempotency key was used with another body."),
  KEY_OF_SEVERAL(
      "SQ020024", Rpc.INVALID, "Several identities have used the idempotency key. Name one."),
  NOTHING_PREPARED("SQ020025", Rpc.INVALID, "Nothing is prepared of the transaction."),
  NODE_CALL_INVALID(
      "SQ020008", Rpc.INVALID, "The domain refuses the call: its function or a parameter."),
  NODE_WITHOUT_CONTRACTS(
      "SQ020017", Rpc.INVALID, "Public transactions need an Ethereum chain as the base ledger."),
  NODE_OWN_KEY("SQ020018", Rpc.INVALID, "The key is kept for the node's own transactions."),
  NODE_KEY_AWAY(
      "SQ020028",
      Rpc.UNAVAILABLE,
      "The signer that holds the key of the identity does not sign now."),
  NODE_KEY_REVOKED("SQ020027", Rpc.INVALID, "The key of the identity is revoked on its node."),
  NODE_CALL_WOULD_FAIL("SQ020019", Rpc.INVALID, "The public transaction would fail now."),
  NODE_NO_ESTIMATE(
      "SQ020020", Rpc.UNAVAILABLE, "The gas that a public transaction needs cannot be asked for."),
  NODE_TOO_MUCH_GAS(
      "SQ020021", Rpc.INVALID, "No block has room for the `gas` of the public transaction."),
  NODE_NOT_CHANGED(
      "SQ020023",
      Rpc.INVALID,
      "The public transaction has ended, is not at its turn, or cannot be changed so."),
  NODE_GROUP_INVALID("SQ020010", Rpc.INVALID, "The group cannot be made as it was asked for."),
  NODE_GROUP_INCOMPLETE(
      "SQ020011",
      Rpc.INVALID,
      "The node of a member does not answer, does not hold its key, or takes no more groups now."),
  NODE_GROUP_NOT_DEPLOYED(
      "SQ020012",
      Rpc.INVALID,
      "The base ledger does not take the group's contract now. The node tries again."),
  NODE_TOO_MANY_GROUPS(
      "SQ020022", Rpc.UNAVAILABLE, "The node makes as many groups as it can. Send it again."),
  NODE_TOO_MANY_TRACES(
      "SQ020013", Rpc.INVALID, "The node gathers as many traces as it can. Ask again in seconds."),
  NODE_TOO_MANY_LOOK(
      "SQ020026", Rpc.INVALID, "Too many ask about the node's JVMs at once. Ask again in seconds."),
  RESERVED_KEY(
      "SQ020014", Rpc.INVALID, "The idempotency key starts like those of the node's schedules."),
  NODE_NO_VERIFIER(
      "SQ020015", Rpc.INVALID, "The node of the identity does not answer, or does not hold it."),
  NODE_CHANGE_INVALID(
      "SQ020041", Rpc.INVALID, "The node cannot agree to the change of the committee."),
  NODE_ANOTHER_CHANGE(
      "SQ020042",
      Rpc.CONFLICT,
      "Another change of the group's committee is open on the node, or too many of all groups are."),
  NODE_GROUP_REJECTED("SQ020016", Rpc.INVALID, "The node of a member takes no part in the group."),
  SCHEDULE_SERVICE_NOT_ACTIVE(
      "SQ020301", Rpc.INVALID, "The family is paused, shutting down or shut down."),
  SCHEDULE_NOT_ALLOWED("SQ020302", Rpc.INVALID, "Whoever asks may not do this."),
  SCHEDULE_TIME_NOT_IN_FUTURE(
      "SQ020303", Rpc.INVALID, "The time is not after the present tick or slot."),
  SCHEDULE_BAD_TIME(
      "SQ020304",
      Rpc.INVALID,
      "A time is off its slot's boundary or too far away, or there are too few or too many."),
  SCHEDULE_PRICE_TOO_LOW("SQ020305", Rpc.INVALID, "The price is below the least."),
  SCHEDULE_TOO_LARGE("SQ020306", Rpc.INVALID, "The schedule carries too much."),
  SCHEDULE_DUPLICATE("SQ020307", Rpc.CONFLICT, "The same is scheduled already."),
  SCHEDULE_SLOT_FULL("SQ020308", Rpc.INVALID, "A slot has no room."),
  SCHEDULE_OVERFLOW("SQ020309", Rpc.INVALID, "An amount is above 9223372036854775807."),
  SCHEDULE_INSUFFICIENT_BALANCE("SQ020310", Rpc.INVALID, "The account has too little."),
  SCHEDULE_UNKNOWN_SCHEDULE("SQ020311", Rpc.INVALID, "There is no such schedule, or not any more."),
  SCHEDULE_ALREADY_STARTED(
      "SQ020312", Rpc.INVALID, "The schedule has been started, so it will have its outcome."),
  SCHEDULE_BUSY("SQ020313", Rpc.INVALID, "Too many of these at once. Try again."),
  SCHEDULE_BAD_STATE("SQ020314", Rpc.INVALID, "It makes no sense in the present state."),
  SCHEDULE_UNKNOWN_ACCOUNT("SQ020315", Rpc.INVALID, "There is no such account in the queue."),
  SCHEDULE_WRONG_PAYMENT("SQ020316", Rpc.INVALID, "What is sent is not just what is to be paid."),
  SCHEDULE_NOT_APPROVED("SQ020317", Rpc.INVALID, "The token account has not approved so much."),
  SCHEDULE_NO_EXECUTION_LEFT(
      "SQ020318", Rpc.INVALID, "No execution of the plan is left to be scheduled. Purchase some."),
  SCHEDULE_OUTSIDE_WINDOW(
      "SQ020319", Rpc.INVALID, "The execution's window has not begun, or has passed."),
  SCHEDULE_TOO_LITTLE_GAS(
      "SQ020320",
      Rpc.INVALID,
      "Less gas is offered or given than a run needs, or than the plan promises."),
  SCHEDULE_COMMAND_REUSED(
      "SQ020321",
      Rpc.CONFLICT,
      "The idempotency key was used for another command of the queue. Use a new one."),
  SCHEDULE_COMMAND_TOO_OLD(
      "SQ020322",
      Rpc.INVALID,
      "It was first sent so long ago that the queue may have forgotten whether it was done."),
  SCHEDULE_UNREADABLE_BODY(
      "SQ020388",
      Rpc.INVALID,
      "The bytes are no transaction of the multi-signature family; the message names the code."),
  SCHEDULE_NOT_SERVED(
      "SQ020389", Rpc.INVALID, "The node's queues do not serve this family of schedules."),
  SCHEDULE_NO_ANSWER(
      "SQ020390",
      Rpc.INTERNAL,
      "The queue did not answer in time. What had an idempotency key can be sent again under it."),
  INTERNAL("SQ010901", Rpc.INTERNAL, "The node failed; its log says more."),
  NO_ANSWER_IN_TIME(
      "SQ010902",
      Rpc.INTERNAL,
      "The node did not finish in time. What was sent with an idempotency key can be sent again."),
  NO_AUDIT(
      "SQ010905",
      Rpc.UNAVAILABLE,
      "The node cannot write down who changes something now, so nothing is changed."),
  LEAVING(
      "SQ010907",
      Rpc.UNAVAILABLE,
      "The JVM is leaving its node, and has not begun what was asked. Call another JVM of the node."),
  NO_ISSUER_KEYS(
      "SQ010906",
      Rpc.UNAVAILABLE,
      "The node has no keys of who issues tokens, so it cannot tell who calls (HTTP 503)."),
  CANNOT_STORE(
      "SQ010903",
      Rpc.INTERNAL,
      "The node's disk or database takes nothing now; the message says why. Call again after that."),
  NO_LEDGER(
      "SQ010904",
      Rpc.INTERNAL,
      "The base ledger cannot be asked now; the message says why. Call again after that.");

  private final String code;
  private final int rpcCode;
  private final String meaning;

  ErrorCode(String code, int rpcCode, String meaning) {
    this.code = code;
    this.rpcCode = rpcCode;
    this.meaning = meaning;
  }

  /** {@code SQ} and six digits. */
  public String code() {
    return code;
  }

  /** The {@code code} of the JSON-RPC error. */
  public int rpcCode() {
    return rpcCode;
  }

  /** Whether the node could not do what it should; all others are of what the caller asked for. */
  public boolean isFault() {
    return rpcCode == Rpc.INTERNAL
        || this == NO_AUDIT
        || this == NO_ISSUER_KEYS
        || this == NODE_NO_ESTIMATE;
  }

  /** A sentence for the reference page. */
  public String meaning() {
    return meaning;
  }

  /** The constant with this code, if it is one of the endpoint's own. */
  public static Optional<ErrorCode> of(String code) {
    return Arrays.stream(values()).filter(error -> error.code.equals(code)).findFirst();
  }

  /** The numbers of the JSON-RPC 2.0 specification and of this field's convention. */
  private static final class Rpc {
    static final int PARSE = -32700;
    static final int INVALID = -32600;
    static final int UNKNOWN_METHOD = -32601;
    static final int INTERNAL = -32603;
    static final int UNAUTHORISED = -32000;
    static final int CONFLICT = -32001;
    static final int UNAVAILABLE = -32005;
  }
}
