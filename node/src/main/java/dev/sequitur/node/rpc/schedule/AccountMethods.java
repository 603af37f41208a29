package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.node.rpc.json.Fields;
import dev.sequitur.node.rpc.json.Formats;
import dev.sequitur.node.rpc.json.ObjectShape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.RpcMethod.Parameter;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.queue.QueueInput.Operation;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** The accounts of a queue. */
final class AccountMethods {
  private static final Parameter<JsonNode> MOVEMENT =
      Parameter.of("movement", Formats.OBJECT, "account and amount");

  /** What an account can spend. */
  private record Balance(AccountId account, Amount available) {}

  private static final ObjectShape<Balance> AVAILABLE =
      ObjectShape.<Balance>named("Balance")
          .with("account", Words.ACCOUNT, Balance::account)
          .with("available", Words.DIGITS, Balance::available);

  private final NodeContext context;
  private final CommandSubmission submission;

  AccountMethods(NodeContext context, CommandSubmission submission) {
    this.context = context;
    this.submission = submission;
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            "schedule_fund",
            List.of(MOVEMENT),
            AVAILABLE,
            "`{account, available}`",
            "Books money into a queue, as its administrator, who has it outside. Fields: `account`"
                + " (`alice#usd` is what alice has in the token usd), `amount`."
                + QueueMethods.COMMON,
            call -> move("schedule_fund", call, Operation.Fund::new)),
        RpcMethod.of(
            "schedule_withdraw",
            List.of(MOVEMENT),
            AVAILABLE,
            "`{account, available}`",
            "Books money out of a queue, as its administrator, who pays it out outside. What is"
                + " held for schedules stays. Fields as in schedule_fund; `@fees` can be withdrawn"
                + " from too."
                + QueueMethods.COMMON,
            call -> move("schedule_withdraw", call, Operation.Withdraw::new)),
        RpcMethod.of(
            "schedule_getBalance",
            List.of(
                Parameter.of("account", Formats.NAME, "the account's name"), QueueMethods.QUEUE),
            Words.DIGITS,
            "what it can spend, as decimal digits in a string",
            "What an account of a queue can spend: without what is held for its schedules. Zero for"
                + " one that was never used; `@fees` is who is paid for running schedules.",
            this::balance));
  }

  private CompletionStage<Balance> move(
      String method, Call call, BiFunction<AccountId, Amount, Operation> operation) {
    var fields = new CommandFields(call.object(0));
    var account =
        fields
            .fields()
            .requiredParsed("account", "the name of an account", CommandFields::parseName);
    return submission
        .administer(method, fields, operation.apply(account, fields.amount("amount")))
        .thenCompose(taken -> context.scheduler().available(fields.queue(), account))
        .thenApply(available -> new Balance(account, available));
  }

  private CompletionStage<Amount> balance(Call call) {
    var account = Fields.parse(call.path(0), call.text(0), CommandFields::parseName);
    return context.scheduler().available(QueueMethods.queue(call, 1), account);
  }
}
