package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.TokenId;
import dev.sequitur.protocol.schedule.abi.AbiEncoding;
import dev.sequitur.protocol.schedule.abi.EvmAddress;
import dev.sequitur.protocol.schedule.plan.Plan;
import dev.sequitur.protocol.schedule.plan.PlanCall;
import dev.sequitur.protocol.schedule.plan.PlanExecutionAbi;
import dev.sequitur.protocol.schedule.plan.PlanOperation;
import dev.sequitur.protocol.schedule.plan.PlanTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the arguments of the contract's functions. */
final class PlanFields {
  private static final int MOST_EXECUTIONS = 1_000;
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");

  /** Stands for itself where only the bytes of a call matter. */
  private static final AccountId ANYBODY = new AccountId("anybody");

  private final TargetFields targets;

  PlanFields(NodeContext context) {
    this.targets = new TargetFields(new PrivateCalls(context));
  }

  /** A call within a multicall, which names its function. */
  PlanOperation read(Fields fields) {
    return read(fields.requiredText("function"), new CommandFields(fields));
  }

  PlanOperation read(String function, CommandFields fields) {
    return switch (function) {
      case "addPlan" -> new PlanOperation.AddPlan(plan(fields));
      case "removePlan" -> new PlanOperation.RemovePlan(fields.number("plan"));
      case "setPayee" -> new PlanOperation.SetPayee(payee(fields.fields()));
      case "pause" -> new PlanOperation.Pause();
      case "unpause" -> new PlanOperation.Unpause();
      case "approve" ->
          new PlanOperation.Approve(requiredToken(fields), new Amount(fields.number("amount")));
      case "purchase" ->
          new PlanOperation.Purchase(
              fields.number("plan"), fields.number("quantity"), optionalAmount(fields, "value"));
      case "transferAndCall" ->
          new PlanOperation.TransferAndCall(
              requiredToken(fields), new Amount(fields.number("amount")), purchaseData(fields));
      case "schedule" -> execution(fields);
      case "batchSchedule" -> batch(fields);
      case "cancelScheduling" -> new PlanOperation.CancelScheduling(id(fields));
      case "requestExecutionRefund" -> new PlanOperation.RequestExecutionRefund(id(fields));
      case "requestPlanRefund" -> new PlanOperation.RequestPlanRefund(fields.number("plan"));
      case "execute" -> new PlanOperation.Execute(id(fields), fields.number("gas"));
      default ->
          throw new RpcFailure(
              ErrorCode.WRONG_TYPE,
              fields.fields().pathOf("function")
                  + " is none of the contract's functions that a multicall can hold.");
    };
  }

  private static Plan plan(CommandFields fields) {
    return Plan.of(
        fields.number("price"), fields.number("window"), fields.number("gasLimit"), token(fields));
  }

  private static Optional<TokenId> token(CommandFields fields) {
    return fields
        .fields()
        .text("token")
        .filter(text -> !text.equals("0x0"))
        .map(text -> Fields.parse(fields.fields().pathOf("token"), text, PlanFields::parseToken));
  }

  private static TokenId requiredToken(CommandFields fields) {
    return fields.fields().requiredParsed("token", "the token's name", PlanFields::parseToken);
  }

  /** Part of the names of accounts, which have to be written again to be funded. */
  private static TokenId parseToken(String text) {
    return new TokenId(CommandFields.plain(text));
  }

  private static AccountId payee(Fields fields) {
    return fields.requiredParsed("payee", "the name of an account", CommandFields::parseName);
  }

  private static Amount optionalAmount(CommandFields fields, String name) {
    return new Amount(fields.optionalNumber(name).orElse(0L));
  }

  /** As a caller of ERC-677 encodes it, or from its two arguments. */
  private static Bytes purchaseData(CommandFields fields) {
    return fields
        .fields()
        .text("data")
        .map(text -> hex(fields.fields().pathOf("data"), text))
        .orElseGet(
            () ->
                new AbiEncoding()
                    .uint(fields.number("plan"))
                    .uint(fields.number("quantity"))
                    .finish());
  }

  private static Bytes hex(String path, String text) {
    try {
      return Bytes.hex(text);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " must be 0x and hexadecimal digits.");
    }
  }

  private PlanOperation.Schedule execution(CommandFields fields) {
    var target = targets.target(fields.fields(), "target");
    long value =
        fields
            .optionalNumber("value")
            .orElse(target instanceof Target.Transfer transfer ? transfer.amount().units() : 0L);
    return new PlanOperation.Schedule(
        new PlanTerms(fields.number("plan"), fields.timeSeconds("timestamp"), new Amount(value)),
        target,
        TargetFields.late(fields.fields()),
        TargetFields.retry(fields.fields()));
  }

  /** What is hashed for an execution's id, without scheduling it. */
  record Hashed(AccountId requestor, PlanTerms terms, PlanCall call) {
    Hash id() {
      return PlanExecutionAbi.id(requestor, terms, call);
    }

    Bytes execution() {
      return PlanExecutionAbi.execution(terms, call);
    }
  }

  /** By its {@code target}, or by {@code to} and {@code data}. */
  Hashed hashed(CommandFields fields) {
    var requestor = fields.account("requestor");
    boolean byTarget = fields.fields().any("target").isPresent();
    if (byTarget == fields.fields().any("to").isPresent()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.fields().path() + " must have either target, or to and data.");
    }
    CommandFields.beforeEnd(fields.fields().pathOf("timestamp"), fields.timeSeconds("timestamp"));
    if (byTarget) {
      var execution = execution(fields);
      return new Hashed(requestor, execution.terms(), call(fields, execution.target()));
    }
    var data =
        fields
            .fields()
            .text("data")
            .map(text -> hex(fields.fields().pathOf("data"), text))
            .orElse(Bytes.EMPTY);
    var to =
        fields.fields().requiredParsed("to", "the receiver's address", PlanFields::parseAddress);
    var terms =
        new PlanTerms(
            fields.number("plan"),
            fields.timeSeconds("timestamp"),
            optionalAmount(fields, "value"));
    return new Hashed(requestor, terms, new PlanCall(to, data));
  }

  private static EvmAddress parseAddress(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      throw new IllegalArgumentException("An address is 0x and 40 hexadecimal digits.");
    }
    return new EvmAddress(Bytes.hex(text));
  }

  private static PlanCall call(CommandFields fields, Target target) {
    try {
      return PlanCall.of(target);
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE, fields.fields().pathOf("target") + ": " + e.getMessage());
    }
  }

  private PlanOperation.BatchSchedule batch(CommandFields fields) {
    var executions = new ArrayList<PlanOperation.Schedule>();
    List<JsonNode> elements = fields.fields().list("executions", MOST_EXECUTIONS);
    if (elements.isEmpty()) {
      throw new RpcFailure(
          ErrorCode.WRONG_TYPE,
          fields.fields().pathOf("executions") + " is empty: send 1 to 1000 executions.");
    }
    for (var element : elements) {
      var path = fields.fields().pathOf("executions") + "[" + executions.size() + "]";
      executions.add(
          element.isTextual()
              ? encoded(path, element.textValue())
              : execution(
                  new CommandFields(
                      fields.fields().element("executions", executions.size(), element))));
    }
    return new PlanOperation.BatchSchedule(executions, optionalAmount(fields, "value"));
  }

  private PlanOperation.Schedule encoded(String path, String text) {
    try {
      var proposal = PlanExecutionAbi.proposal(ANYBODY, hex(path, text));
      if (proposal.target() instanceof Target.PrivateCall call) {
        // Its own bytes are kept: the id of the execution is over them.
        targets.check(path, call);
      }
      if (proposal.terms() instanceof PlanTerms terms) {
        return new PlanOperation.Schedule(terms, proposal.target());
      }
      throw new IllegalStateException("Not a plan's terms: " + proposal.terms());
    } catch (IllegalArgumentException e) {
      throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " cannot be read. " + e.getMessage());
    }
  }

  private static ScheduleId id(CommandFields fields) {
    return fields.fields().requiredParsed("id", "the id of an execution", PlanFields::parseId);
  }

  /** The contract's own id is without the family. */
  static ScheduleId parseId(String text) {
    return text.indexOf(':') < 0
        ? new ScheduleId(FamilyKind.PLAN_EXECUTION, Formats.hash(text))
        : CommandFields.of(FamilyKind.PLAN_EXECUTION, CommandFields.parseSchedule(text));
  }

  boolean flag(Fields fields, String name) {
    var node = fields.any(name);
    if (node.isPresent() && !node.get().isBoolean()) {
      throw Fields.wrongType(fields.pathOf(name), "true or false", node.get());
    }
    return node.isPresent() && node.get().booleanValue();
  }
}
