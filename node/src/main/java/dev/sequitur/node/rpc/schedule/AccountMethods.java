package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/** The accounts of a queue. */
record AccountMethods(NodeContext context, CommandSubmission submission) {
  private static final Field<AccountId> ACCOUNT =
      Field.of(
              "account",
              CommandFields.ANY_ACCOUNT,
              "`alice#usd` is what alice has in the token usd, `@fees` who is paid for running schedules")
          .mentions(Field.Mention.ACCOUNT);
  private static final Field<Sent> MOVEMENT =
      Field.of(
          "movement",
          ObjectFormat.of("MovementRequest", ACCOUNT, TargetFields.AMOUNT)
              .with(CommandFields.COMMON),
          "account and amount");

  /** What an account can spend. */
  private record Balance(AccountId account, Amount available) {}

  private static final ObjectShape<Balance> AVAILABLE =
      ObjectShape.<Balance>named("Balance")
          .with("account", Words.ACCOUNT, Balance::account)
          .with("available", Words.DIGITS, Balance::available);

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
            MethodGroup.OPERATE,
            "schedule_fund",
            List.of(MOVEMENT),
            AVAILABLE,
            "`{account, available}`",
            "Books money into a queue, as its administrator, who has it outside.",
            call -> move(call, Operation.Fund::new)),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "schedule_withdraw",
            List.of(MOVEMENT),
            AVAILABLE,
            "`{account, available}`",
            "Books money out of a queue, as its administrator, who pays it out outside. What is"
                + " held for schedules stays.",
            call -> move(call, Operation.Withdraw::new)),
        RpcMethod.reading(
            "schedule_getBalance",
            List.of(ACCOUNT, CommandFields.QUEUE),
            Words.DIGITS,
            "what it can spend, as decimal digits in a string",
            "What an account of a queue can spend: without what is held for its schedules. Zero for"
                + " one that was never used; `@fees` is who is paid for running schedules.",
            this::balance));
  }

  private CompletionStage<Balance> move(
      Call call, BiFunction<AccountId, Amount, Operation> operation) {
    var movement = call.get(MOVEMENT);
    var account = movement.get(ACCOUNT);
    return submission
        .administer(call, movement, operation.apply(account, movement.get(TargetFields.AMOUNT)))
        .thenCompose(
            taken -> context.scheduler().available(movement.get(CommandFields.QUEUE), account))
        .thenApply(available -> new Balance(account, available));
  }

  private CompletionStage<Amount> balance(Call call) {
    return context.scheduler().available(call.get(CommandFields.QUEUE), call.get(ACCOUNT));
  }
}
