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
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.multisignature.MultiSignatureNotice;
import dev.sequitur.schedule.queue.History.Booked;
import dev.sequitur.schedule.queue.History.Recorded;
import dev.sequitur.schedule.queue.History.Told;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.StatementLine;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.TransactionRecord;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
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
      Field.of("account", CommandFields.PERSONS_ACCOUNT, "whose").mentions(Field.Mention.ACCOUNT);
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
   * A line, and whether its reader may see what did it.
   *
   * @param partition in which that is, if that is not the account's own
   */
  private record Line(StatementLine line, boolean seen, Optional<Long> partition) {
    private Posting posting() {
      return line.posting();
    }

    private Optional<Posting> ifSeen() {
      return Optional.of(line.posting()).filter(it -> seen);
    }

    private Optional<OccurrenceKey> outcomeOf() {
      return seen && line.cause().happened() instanceof Recorded recorded
          ? Optional.of(recorded.key())
          : Optional.empty();
    }

    /** An outcome's, or that of which a record is. */
    private Optional<ScheduleId> schedule() {
      return outcomeOf()
          .map(OccurrenceKey::schedule)
          .or(() -> recordOf(line).filter(it -> seen).flatMap(Line::triggeredBy));
    }

    private static Optional<ScheduleId> triggeredBy(TransactionRecord record) {
      return record.scheduleRef().map(EntityId::schedule);
    }
  }

  private static final ObjectShape<Line> LINE =
      ObjectShape.<Line>named("StatementLine")
          .with(
              "number",
              Shape.NUMBER,
              each -> each.line().cause().number(),
              "of the outcome or of what else did it")
          .maybe(
              "partition",
              Shape.NUMBER,
              Line::partition,
              "in which its outcome is, if the account was paid from another one than its own")
          .all(Words.time("at"), each -> each.line().cause().happened().at())
          .with("kind", Words.among(Posting.Kind.class), each -> each.posting().kind())
          .with("amount", Words.DIGITS, each -> each.posting().amount())
          .maybe(
              "with",
              Words.ACCOUNT,
              each -> each.ifSeen().flatMap(Posting::with),
              "whom it paid, or who paid it, if that is one")
          .maybe(
              "what",
              Shape.words("what it was for", "ScheduleSign of 0.0.1003"),
              each -> each.ifSeen().map(Posting::what).filter(what -> !what.isEmpty()),
              "where kind and schedule do not say it")
          .maybe(
              "schedule",
              Words.SCHEDULE_ID,
              Line::schedule,
              "left out if none did it, or the caller may not see it")
          .maybe(
              "occurrence", Shape.NUMBER, each -> each.outcomeOf().map(OccurrenceKey::occurrence));

  /**
   * @param others of the partitions that are not the account's own
   * @param broughtForward as it is told
   */
  private record Stated(
      Statement own, List<Line> lines, List<Statement> others, Optional<Amount> broughtForward) {
    boolean forgotten() {
      return own.page().forgotten() || others.stream().anyMatch(each -> each.page().forgotten());
    }

    Optional<List<Long>> nextOthers() {
      return Optional.of(others.stream().map(each -> each.page().next()).toList())
          .filter(next -> !next.isEmpty());
    }
  }

  private static final ObjectShape<Stated> STATED =
      ObjectShape.<Stated>named("Statement")
          .with("available", Words.DIGITS, stated -> stated.own().available(), "what it can spend")
          .with("held", Words.DIGITS, stated -> stated.own().held(), "what it has set aside")
          .maybe(
              "broughtForward",
              Words.DIGITS,
              Stated::broughtForward,
              "what it had before the first line of this page, what was set aside included; of the last page alone")
          .with("lines", LINE.list(), Stated::lines, "oldest first")
          .with("forgotten", Formats.BOOLEAN, Stated::forgotten)
          .with("next", Shape.NUMBER, stated -> stated.own().page().next())
          .maybe(
              "nextOthers",
              Shape.NUMBER.list(),
              Stated::nextOthers,
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
            "`{available, held, broughtForward, lines, forgotten, next}`",
            "What an account has, and what has made it so, each thing once: what was booked in"
                + " (`funded`) and out (`withdrawn`), what it was paid (`received`) and has paid (`paid`),"
                + " what runs and operations cost it (`charged`), and what was bought of a plan"
                + " (`set-aside`) or went back of what was set aside (`given-back`), which it has"
                + " before and after. What is set aside for schedules that wait has no line: `held` is"
                + " all of it, and schedule_list shows them. The lines are kept as long as outcomes"
                + " are; `broughtForward` with the lines of its page is what it has, `available` and `held`. It is"
                + " told of the last page, if `until` is not asked for, and not in a queue with"
                + " partitions. Pages go on as those of schedule_getOutcomes. In a queue with"
                + " partitions, what paid the account from another partition than its own has its"
                + " line, too, with the `partition`: numbers are each partition's own, so a page has"
                + " up to `limit` of each, in the order of time, and goes on by `next` and"
                + " `nextOthers`.",
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

  private CompletionStage<Stated> statement(Call call) {
    var sent = call.get(STATEMENT);
    var queue = sent.get(CommandFields.QUEUE);
    var others = context.scheduler().others(queue, sent.get(WHOSE));
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
                          lines(call, own, Optional.empty()),
                          IntStream.range(0, others.size())
                              .boxed()
                              .flatMap(
                                  index ->
                                      lines(
                                          call,
                                          of.get(index),
                                          Optional.of(partition(others.get(index))))))
                      .sorted(Comparator.comparing(line -> line.line().cause().happened().at()))
                      .toList();
              boolean isWhole =
                  others.isEmpty()
                      && queue.partition().isEmpty()
                      && sent.find(OutcomeFields.UNTIL).isEmpty();
              return new Stated(own, lines, of, isWhole ? own.broughtForward() : Optional.empty());
            });
  }

  private static long partition(QueueName other) {
    return other.partition().orElseThrow();
  }

  private CompletionStage<Statement> page(Sent sent, QueueName queue, long from) {
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
    return context.scheduler().statement(queue, query);
  }

  private static Stream<Line> lines(Call call, Statement statement, Optional<Long> partition) {
    return statement.lines().stream().map(line -> new Line(line, sees(call, line), partition));
  }

  private static boolean sees(Call call, StatementLine line) {
    return switch (line.cause().happened()) {
      case Recorded recorded -> SeenSchedules.sees(call, recorded);
      case Told ignored ->
          recordOf(line).map(record -> SeenSchedules.sees(call, record)).orElse(true);
      case Booked ignored -> true;
    };
  }

  private static Optional<TransactionRecord> recordOf(StatementLine line) {
    return line.cause().happened() instanceof Told told
            && told.notice() instanceof Notice.OfFamily(var said)
            && said instanceof MultiSignatureNotice.Exported(var record)
        ? Optional.of(record)
        : Optional.empty();
  }

  private CompletionStage<Amount> balance(Call call) {
    return context.scheduler().available(call.get(CommandFields.QUEUE), call.get(ACCOUNT));
  }
}
