package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Choice;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.PrivateCalls;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanCall;
import dev.sequitur.schedule.plan.PlanExecutionAbi;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanTerms;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** The arguments of the contract's functions. */
final class PlanFields {
  private static final int MOST_EXECUTIONS = 1_000;
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]{40}");

  /** Stands for itself where only the bytes of a call matter. */
  private static final AccountId ANYBODY = new AccountId("anybody");

  /** Part of the names of accounts, which have to be written again to be funded. */
  private static final Format<TokenId> TOKEN_FORMAT =
      Format.of("the token's name", "usd", text -> new TokenId(CommandFields.plain(text)));

  private static final String OWN_MONEY = "0x0";

  static final Field<Long> PRICE = Field.of("price", CommandFields.NUMBER, "of an execution");
  static final Field<Long> WINDOW =
      Field.of("window", CommandFields.NUMBER, "seconds before and after its time");
  static final Field<Long> GAS_LIMIT =
      Field.of(
          "gasLimit",
          CommandFields.NUMBER,
          "at least what any action needs: 10, unless the node is set up otherwise; a private"
              + " transaction needs 100");
  static final Field<Optional<TokenId>> SOLD_IN =
      Field.or(
          "token",
          Format.of(
              TOKEN_FORMAT.type(),
              Shape.words(TOKEN_FORMAT.type(), "usd")
                  .of(token -> token.map(TokenId::toString).orElse(OWN_MONEY)),
              (path, node) ->
                  Formats.TEXT.read(path, node).equals(OWN_MONEY)
                      ? Optional.empty()
                      : Optional.of(TOKEN_FORMAT.read(path, node))),
          Optional.empty(),
          "0x0: the queue's own money");
  static final Field<Long> PLAN = Field.of("plan", CommandFields.NUMBER, "the plan's number");
  static final Field<AccountId> PAYEE = Field.of("payee", CommandFields.ANY_ACCOUNT, "");
  static final Field<TokenId> TOKEN = Field.of("token", TOKEN_FORMAT, "");
  static final Field<Long> AMOUNT = Field.of("amount", CommandFields.NUMBER, "");
  static final Field<Long> QUANTITY =
      Field.of("quantity", CommandFields.NUMBER, "how many executions");
  static final Field<Long> VALUE =
      Field.or("value", CommandFields.NUMBER, 0L, "of the queue's own money");
  static final Field<Long> BOUGHT_PLAN =
      Field.optional("plan", CommandFields.NUMBER, "with `quantity`, in place of `data`");
  static final Field<Long> BOUGHT_QUANTITY =
      Field.optional("quantity", CommandFields.NUMBER, "how many executions");
  static final Field<Bytes> PURCHASE_DATA =
      Field.optional("data", Formats.HEX, "the ABI encoding of plan and quantity");
  static final Field<Long> TIMESTAMP = Field.of("timestamp", CommandFields.SECONDS, "when it runs");
  static final Field<Long> PAID =
      Field.optional(
          "value",
          CommandFields.NUMBER,
          "paid to the receiver with the execution (default: a transfer's amount)");
  private static final ObjectFormat EXECUTION =
      ObjectFormat.of(
          "ExecutionRequest",
          PLAN,
          TIMESTAMP,
          PAID,
          TargetFields.TARGET_OF_EXECUTION,
          TargetFields.LATE_OF_EXECUTION,
          TargetFields.RETRY);

  /** An execution of a batch: by its fields, or by its ABI encoding. */
  sealed interface InBatch {
    record ByFields(Sent sent) implements InBatch {}

    record Encoded(String path, Bytes bytes, Proposal proposal) implements InBatch {
      private static Encoded read(String path, Bytes bytes) {
        try {
          return new Encoded(path, bytes, PlanExecutionAbi.proposal(ANYBODY, bytes));
        } catch (IllegalArgumentException e) {
          throw new RpcFailure(ErrorCode.WRONG_TYPE, path + " cannot be read. " + e.getMessage());
        }
      }
    }

    private static InBatch read(String path, JsonNode node) {
      return node.isTextual()
          ? Encoded.read(path, Formats.HEX.read(path, node))
          : new ByFields(EXECUTION.read(path, node));
    }

    /** Whom its target acts as and where, in whichever way it was sent. */
    private static void tell(InBatch execution, BiConsumer<Field.Mention, String> told) {
      switch (execution) {
        case ByFields(var sent) -> EXECUTION.tell(sent.object(), told);
        case Encoded encoded -> tell(encoded.proposal().target(), told);
      }
    }

    private static void tell(Target target, BiConsumer<Field.Mention, String> told) {
      switch (target) {
        case Target.PrivateCall call -> {
          told.accept(Field.Mention.IDENTITY, call.from().toString());
          told.accept(Field.Mention.CONTRACT, call.contract().value());
        }
        case Target.PublicCall call -> told.accept(Field.Mention.IDENTITY, call.from().toString());
        case Target.InQueue ignored -> {}
      }
    }

    private static JsonNode write(InBatch execution) {
      return switch (execution) {
        case ByFields(var sent) -> sent.object();
        case Encoded encoded -> Formats.HEX.write(encoded.bytes());
      };
    }
  }

  static final Field<List<InBatch>> EXECUTIONS =
      Field.of(
          "executions",
          Format.of(
                  EXECUTION.type(),
                  Shape.oneOf(List.of(EXECUTION, Formats.HEX), InBatch::write),
                  InBatch::read)
              .naming(InBatch::tell)
              .list(MOST_EXECUTIONS),
          "at most 1000, each by its fields or by its ABI encoding");
  static final Format<ScheduleId> EXECUTION_ID =
      Format.ofText("the id of an execution", Words.SCHEDULE_ID, PlanFields::parseId);
  static final Field<ScheduleId> ID =
      Field.of("id", EXECUTION_ID, "the execution's, with or without `plan-execution:`")
          .mentions(Field.Mention.SCHEDULE);
  static final Field<Long> GAS = Field.of("gas", CommandFields.NUMBER, "the plan's limit at least");
  static final Field<AccountId> REQUESTOR =
      Field.of("requestor", CommandFields.ACCOUNT, "the requestor's account")
          .mentions(Field.Mention.ACCOUNT);

  private static final Field<Choice<TargetKind>> HASHED_TARGET =
      Field.optional(
          "target",
          TargetFields.ANY_OF_EXECUTION,
          "as plans_schedule takes it: or `to` and `data`");
  private static final Field<EvmAddress> TO =
      Field.optional(
          "to",
          Format.of(
              "the receiver's address",
              "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
              PlanFields::parseAddress),
          "the receiver's");
  private static final Field<Bytes> DATA =
      Field.or("data", Formats.HEX, Bytes.EMPTY, "what `to` is called with");
  static final Field<Sent> HASHED =
      Field.of(
          "execution",
          ObjectFormat.of("HashRequest", REQUESTOR, PLAN, TIMESTAMP, PAID, HASHED_TARGET, TO, DATA),
          "what is to be scheduled");

  /** Those by which executions are scheduled. */
  static final Set<PlanFunction> SCHEDULING =
      EnumSet.of(PlanFunction.SCHEDULE, PlanFunction.BATCH_SCHEDULE);

  /** Those that spend or set aside money, and can be tried before. */
  static final Set<PlanFunction> TRIED =
      EnumSet.of(
          PlanFunction.PURCHASE,
          PlanFunction.TRANSFER_AND_CALL,
          PlanFunction.SCHEDULE,
          PlanFunction.BATCH_SCHEDULE);

  private final TargetFields targets;

  PlanFields(NodeContext context) {
    this.targets = new TargetFields(new PrivateCalls(context));
  }

  /** How many executions a call schedules. */
  static int executions(PlanFunction function, Sent sent) {
    return !SCHEDULING.contains(function)
        ? 0
        : function == PlanFunction.BATCH_SCHEDULE ? sent.get(EXECUTIONS).size() : 1;
  }

  PlanOperation operation(PlanFunction function, Sent sent) {
    return switch (function) {
      case ADD_PLAN ->
          new PlanOperation.AddPlan(
              Plan.of(sent.get(PRICE), sent.get(WINDOW), sent.get(GAS_LIMIT), sent.get(SOLD_IN)));
      case REMOVE_PLAN -> new PlanOperation.RemovePlan(sent.get(PLAN));
      case SET_PAYEE -> new PlanOperation.SetPayee(sent.get(PAYEE));
      case APPROVE -> new PlanOperation.Approve(sent.get(TOKEN), new Amount(sent.get(AMOUNT)));
      case PURCHASE ->
          new PlanOperation.Purchase(
              sent.get(PLAN), sent.get(QUANTITY), new Amount(sent.get(VALUE)));
      case TRANSFER_AND_CALL ->
          new PlanOperation.TransferAndCall(
              sent.get(TOKEN), new Amount(sent.get(AMOUNT)), purchaseData(sent));
      case SCHEDULE -> execution(sent, sent.get(TargetFields.TARGET_OF_EXECUTION));
      case BATCH_SCHEDULE -> batch(sent);
      case CANCEL_SCHEDULING -> new PlanOperation.CancelScheduling(sent.get(ID));
      case EXECUTE -> new PlanOperation.Execute(sent.get(ID), sent.get(GAS));
      case REQUEST_EXECUTION_REFUND -> new PlanOperation.RequestExecutionRefund(sent.get(ID));
      case PAUSE -> new PlanOperation.Pause();
      case REQUEST_PLAN_REFUND -> new PlanOperation.RequestPlanRefund(sent.get(PLAN));
      case UNPAUSE -> new PlanOperation.Unpause();
    };
  }

  /** As a caller of ERC-677 encodes it, or from its two arguments. */
  private static Bytes purchaseData(Sent sent) {
    if (sent.has(PURCHASE_DATA)) {
      sent.refuseBeside(PURCHASE_DATA, BOUGHT_PLAN, BOUGHT_QUANTITY);
      return sent.get(PURCHASE_DATA);
    } else if (!sent.has(BOUGHT_PLAN) || !sent.has(BOUGHT_QUANTITY)) {
      throw sent.wrong(" must have plan and quantity, or data.");
    }
    return new AbiEncoding().uint(sent.get(BOUGHT_PLAN)).uint(sent.get(BOUGHT_QUANTITY)).finish();
  }

  private PlanOperation.Schedule execution(Sent sent, Choice<TargetKind> choice) {
    var target = targets.targetOfExecution(choice);
    return new PlanOperation.Schedule(
        terms(sent, target),
        target,
        sent.get(TargetFields.LATE_OF_EXECUTION),
        sent.get(TargetFields.RETRY));
  }

  /** With a transfer its amount is what is paid. */
  private static PlanTerms terms(Sent sent, Target target) {
    long value =
        sent.find(PAID)
            .orElse(target instanceof Target.Transfer transfer ? transfer.amount().units() : 0L);
    return new PlanTerms(sent.get(PLAN), sent.get(TIMESTAMP), new Amount(value));
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
  Hashed hashed(Sent sent) {
    if (sent.has(HASHED_TARGET) == sent.has(TO)) {
      throw sent.wrong(" must have either target, or to and data.");
    }
    CommandFields.beforeEnd(sent.path(TIMESTAMP), sent.get(TIMESTAMP));
    if (sent.has(TO)) {
      var terms =
          new PlanTerms(
              sent.get(PLAN), sent.get(TIMESTAMP), new Amount(sent.find(PAID).orElse(0L)));
      return new Hashed(sent.get(REQUESTOR), terms, new PlanCall(sent.get(TO), sent.get(DATA)));
    }
    sent.refuseBeside(HASHED_TARGET, DATA);
    var target = targets.targetOfExecution(sent.get(HASHED_TARGET));
    try {
      return new Hashed(sent.get(REQUESTOR), terms(sent, target), PlanCall.of(target));
    } catch (IllegalArgumentException e) {
      throw sent.wrong(HASHED_TARGET, ": " + e.getMessage());
    }
  }

  private static EvmAddress parseAddress(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      throw new IllegalArgumentException("An address is 0x and 40 hexadecimal digits.");
    }
    return new EvmAddress(Bytes.hex(text));
  }

  private PlanOperation.BatchSchedule batch(Sent sent) {
    return new PlanOperation.BatchSchedule(
        sent.get(EXECUTIONS).stream().map(this::inBatch).toList(), new Amount(sent.get(VALUE)));
  }

  private PlanOperation.Schedule inBatch(InBatch execution) {
    return switch (execution) {
      case InBatch.ByFields(var sent) ->
          execution(sent, sent.get(TargetFields.TARGET_OF_EXECUTION));
      case InBatch.Encoded(var path, var bytes, var proposal) -> encoded(path, proposal);
    };
  }

  private PlanOperation.Schedule encoded(String path, Proposal proposal) {
    try {
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

  /** The contract's own id is without the family. */
  private static ScheduleId parseId(String text) {
    return text.indexOf(':') < 0
        ? new ScheduleId(FamilyKind.PLAN_EXECUTION, Formats.hash(text))
        : CommandFields.of(FamilyKind.PLAN_EXECUTION, CommandFields.parseSchedule(text));
  }
}
