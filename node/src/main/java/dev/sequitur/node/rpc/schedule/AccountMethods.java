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
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.StatementLine;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
  private static final int MOST_PARTITIONS = 10_000;
  private static final Field<List<Long>> FROM_OTHERS =
      Field.or(
          "fromOthers",
          CommandFields.NUMBER.list(MOST_PARTITIONS),
          List.of(),
          "of a queue with partitions, the `nextOthers` of the page before");
  private static final Field<Sent> STATEMENT =
      Field.of(
          "statement",
          ObjectFormat.of(
              "StatementRequest",
              WHOSE,
              OutcomeFields.FROM,
              FROM_OTHERS,
              OutcomeFields.SINCE,
              OutcomeFields.UNTIL,
              OutcomeFields.LIMIT,
              CommandFields.QUEUE),
          "of which account, and from when on");

  /**
   * A line, and whether its reader may see the schedule.
   *
   * @param partition in which its outcome is, if that is not the account's own
   */
  private record Line(StatementLine line, boolean seen, Optional<Long> partition) {
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
          .maybe(
              "partition",
              Shape.NUMBER,
              Line::partition,
              "in which its outcome is, if the account was paid from another one than its own")
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

  /**
   * @param others of the partitions that are not the account's own
   */
  private record Statement(
      Amount available, List<Line> lines, Outcomes page, List<Outcomes> others) {
    boolean forgotten() {
      return page.forgotten() || others.stream().anyMatch(Outcomes::forgotten);
    }

    Optional<List<Long>> nextOthers() {
      return Optional.of(others.stream().map(Outcomes::next).toList())
          .filter(next -> !next.isEmpty());
    }
  }

  private static final ObjectShape<Statement> STATED =
      ObjectShape.<Statement>named("Statement")
          .with("available", Words.DIGITS, Statement::available, "what it can spend now")
          .with("lines", LINE.list(), Statement::lines, "oldest first")
          .with("forgotten", Formats.BOOLEAN, Statement::forgotten)
          .with("next", Shape.NUMBER, stated -> stated.page().next())
          .maybe(
              "nextOthers",
              Shape.NUMBER.list(),
              Statement::nextOthers,
              "the `fromOthers` of the next page; left out of a queue without partitions");

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
                + " schedule_getOutcomes. In a queue with partitions, what paid the account from"
                + " another partition than its own has its line, too, with the `partition`: numbers"
                + " are each partition's own, so a page has up to `limit` outcomes of each, in the"
                + " order of time, and goes on by `next` and `nextOthers`.",
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
    var others = context.scheduler().others(queue, account);
    var from = sent.get(FROM_OTHERS);
    if (!from.isEmpty() && from.size() != others.size()) {
      throw sent.wrong(
          FROM_OTHERS,
          " has %d numbers: send the nextOthers of the page before, which has %d."
              .formatted(from.size(), others.size()));
    }
    return page(sent, queue, sent.get(OutcomeFields.FROM))
        .thenCombine(
            Answers.all(
                IntStream.range(0, others.size())
                    .mapToObj(
                        index ->
                            page(sent, others.get(index), from.isEmpty() ? 0 : from.get(index)))
                    .toList()),
            (own, of) -> {
              var lines =
                  Stream.concat(
                          lines(call, account, own, Optional.empty()),
                          IntStream.range(0, others.size())
                              .boxed()
                              .flatMap(
                                  index ->
                                      lines(
                                          call,
                                          account,
                                          of.get(index),
                                          Optional.of(partition(others.get(index))))))
                      .sorted(Comparator.comparing(line -> line.recorded().at()))
                      .toList();
              return new Statement(Amount.ZERO, lines, own, of);
            })
        .thenCombine(
            context.scheduler().available(queue, account),
            (stated, available) ->
                new Statement(available, stated.lines(), stated.page(), stated.others()));
  }

  private static long partition(QueueName other) {
    return other.partition().orElseThrow();
  }

  private CompletionStage<Outcomes> page(Sent sent, QueueName queue, long from) {
    var query =
        new OutcomeQuery(
            from,
            sent.get(OutcomeFields.LIMIT),
            Optional.empty(),
            Optional.empty(),
            Optional.of(sent.get(WHOSE)),
            Optional.empty(),
            sent.find(OutcomeFields.SINCE),
            sent.find(OutcomeFields.UNTIL),
            Optional.empty());
    return context.scheduler().outcomes(queue, query);
  }

  private static Stream<Line> lines(
      Call call, AccountId account, Outcomes page, Optional<Long> partition) {
    return page.outcomes().stream()
        .flatMap(
            each -> {
              boolean seen = SeenSchedules.sees(call, each.recorded());
              return StatementLine.of(account, each).stream()
                  .map(line -> new Line(line, seen, partition));
            });
  }

  private CompletionStage<Amount> balance(Call call) {
    return context.scheduler().available(call.get(CommandFields.QUEUE), call.get(ACCOUNT));
  }
}
