package dev.sequitur.node.rpc.schedule;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.NodeContext;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.StatementLine;
import dev.sequitur.scheduler.OutcomeQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

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

  private static final Field<AccountId> WHOSE =
      Field.of("account", CommandFields.ACCOUNT, "whose").mentions(Field.Mention.ACCOUNT);
  private static final Field<Sent> STATEMENT =
      Field.of(
          "statement",
          ObjectFormat.of(
              "StatementRequest",
              WHOSE,
              OutcomeFields.FROM,
              OutcomeFields.SINCE,
              OutcomeFields.UNTIL,
              OutcomeFields.LIMIT,
              CommandFields.QUEUE),
          "of which account, and from when on");

  /** A line, and whether its reader may see the schedule. */
  private record Line(StatementLine line, boolean seen) {
    private History.Recorded recorded() {
      return line.cause().recorded();
    }

    private <T> Optional<T> ifSeen(Function<Line, T> part) {
      return seen ? Optional.of(part.apply(this)) : Optional.empty();
    }
  }

  private static final ObjectShape<Line> LINE =
      ObjectShape.<Line>named("StatementLine")
          .with("number", Shape.NUMBER, each -> each.line().cause().number(), "of its outcome")
          .all(Words.time("at"), each -> each.recorded().at())
          .with("kind", Words.among(StatementLine.Kind.class), each -> each.line().kind())
          .with("amount", Words.DIGITS, each -> each.line().amount())
          .maybe(
              "with",
              Words.ACCOUNT,
              each -> each.ifSeen(seen -> seen.line().with()).flatMap(Function.identity()),
              "whom it paid, or who paid it, if that is one")
          .maybe(
              "schedule",
              Words.SCHEDULE_ID,
              each -> each.ifSeen(seen -> seen.recorded().key().schedule()),
              "left out if the caller may not see it")
          .maybe(
              "occurrence",
              Shape.NUMBER,
              each -> each.ifSeen(seen -> seen.recorded().key().occurrence()));

  private record Statement(Amount available, List<Line> lines, Outcomes page) {}

  private static final ObjectShape<Statement> STATED =
      ObjectShape.<Statement>named("Statement")
          .with("available", Words.DIGITS, Statement::available, "what it can spend now")
          .with("lines", LINE.list(), Statement::lines, "oldest first")
          .with("forgotten", Formats.BOOLEAN, stated -> stated.page().forgotten())
          .with("next", Shape.NUMBER, stated -> stated.page().next());

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
            "schedule_getStatement",
            List.of(STATEMENT),
            STATED,
            "`{available, lines, forgotten, next}`",
            "What the outcomes of schedules have done to an account, and what it can spend now:"
                + " a line for what each run paid it (`received`) or took from it (`paid`), for what"
                + " a run cost (`charged`) and for what went back of what was set aside"
                + " (`given-back`), each with its schedule. What the administrator books in and out, and"
                + " what is set aside for schedules that wait, has no line. Pages go on as those of"
                + " schedule_getOutcomes.",
            this::statement),
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

  private CompletionStage<Statement> statement(Call call) {
    var sent = call.get(STATEMENT);
    var account = sent.get(WHOSE);
    var queue = sent.get(CommandFields.QUEUE);
    var query =
        new OutcomeQuery(
            sent.get(OutcomeFields.FROM),
            sent.get(OutcomeFields.LIMIT),
            Optional.empty(),
            Optional.empty(),
            Optional.of(account),
            Optional.empty(),
            sent.find(OutcomeFields.SINCE),
            sent.find(OutcomeFields.UNTIL),
            Optional.empty());
    return context
        .scheduler()
        .outcomes(queue, query)
        .thenCombine(
            context.scheduler().available(queue, account),
            (page, available) ->
                new Statement(
                    available,
                    page.outcomes().stream()
                        .flatMap(
                            each -> {
                              boolean seen = SeenSchedules.sees(call, each.recorded());
                              return StatementLine.of(account, each).stream()
                                  .map(line -> new Line(line, seen));
                            })
                        .toList(),
                    page));
  }

  private CompletionStage<Amount> balance(Call call) {
    return context.scheduler().available(call.get(CommandFields.QUEUE), call.get(ACCOUNT));
  }
}
