package dev.sequitur.node.rpc;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.CalendarPage;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueAudit;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueInput.Operation.Batch;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.schedule.queue.Trial;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.NoticeListener;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.QueueOverview.FamilyOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleView;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.Subscription;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.TransactionWriter;
import dev.sequitur.scheduler.multisignature.VerifiedSubmission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * A node's queues without actors, disks or a clock that runs: the rules themselves. What is handed
 * over succeeds at once, or never.
 */
public final class SchedulerOnRules implements SchedulerNode {
  public static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId CAROL = new AccountId("carol");
  private static final AccountId ALICE = new AccountId("alice");

  private final QueueSetup setup;
  private final ScheduleQueue rules;
  private final Map<QueueName, Queue> queues = new HashMap<>();
  volatile List<String> troubles = List.of();
  volatile List<String> remarks = List.of();

  /** How many schedules it looks at for a page. */
  int looksAt = Integer.MAX_VALUE;

  /** How many schedules it has looked at for pages. */
  int rowsLookedAt;

  /** How many pages it was asked for. */
  int pagesRead;

  /** Of one page in the order of due times. */
  int looksByDue = 10_000;

  /** Until then it answers no page. */
  Optional<CompletableFuture<Void>> pagesHeld = Optional.empty();

  /** Whether what is handed over has its outcome at once; otherwise it is under way for ever. */
  public volatile boolean answering = true;

  /** What it was asked to do, one operation at a time. */
  final List<Operation> asked = new ArrayList<>();

  /** What happens once, as soon as somebody has looked for a schedule. */
  final AtomicReference<Runnable> onceLookedFor = new AtomicReference<>(() -> {});

  private Instant now = Sample.NOW;
  private int setUp;

  private static final class Queue {
    private QueueState state = QueueState.initial();
    private final Map<String, Answer> answers = new HashMap<>();
    private final Map<String, DoneBatch> batches = new HashMap<>();
    private final List<NoticeListener> listeners = new ArrayList<>();
  }

  private record DoneBatch(Operation batch, BatchAnswer answer) {
    /** As the rules tell it of a command's digest. */
    BatchAnswer to(Operation asked) {
      var reused =
          new Refusal(Refusal.Code.COMMAND_REUSED, "Another command was done under this id.");
      var refused =
          new Answer(answer.command(), Optional.empty(), Optional.of(reused), Optional.empty());
      return asked.equals(batch)
          ? answer
          : new BatchAnswer(answer.command(), false, List.of(refused));
    }
  }

  public SchedulerOnRules(MultiSignatureSettings multiSignature) {
    setup =
        QueueSetup.of(
            OPERATOR,
            new GasPriority(GasPrioritySettings.DEFAULT),
            new Recurring(RecurringSettings.DEFAULT),
            new MultiSignature(multiSignature),
            new PlanExecutions(PlanSettings.DEFAULT));
    rules = new ScheduleQueue(setup);
  }

  /** With what the examples of the reference page need: accounts, plans, an overdue execution. */
  SchedulerOnRules withALittleOfEverything() {
    var hoursAgo = now.minus(Duration.ofHours(2));
    now = hoursAgo;
    for (var name : List.of("alice", "bob")) {
      var key = Examples.key(name);
      perform(OPERATOR, new MultiSignatureOperation.OpenAccount(new Account(key, false, "")));
    }
    for (var account : List.of("alice", "alice#usd", "0.0.1001", "0.0.1002")) {
      take(OPERATOR, new Operation.Fund(new AccountId(account), new Amount(1_000)));
    }
    perform(OPERATOR, new PlanOperation.AddPlan(Plan.of(10, 3_600, 100, Optional.empty())));
    perform(
        OPERATOR, new PlanOperation.AddPlan(Plan.of(3, 60, 100, Optional.of(new TokenId("usd")))));
    perform(ALICE, new PlanOperation.Approve(new TokenId("usd"), new Amount(3)));
    perform(ALICE, new PlanOperation.Purchase(1, 1, Amount.ZERO));
    var terms = new PlanTerms(1, hoursAgo.plusSeconds(600).getEpochSecond(), Amount.ZERO);
    perform(ALICE, new PlanOperation.Schedule(terms, new Target.Notify(Bytes.utf8("too late"))));
    perform(OPERATOR, new PlanOperation.Pause());
    proposeSeries();
    pass(Duration.ofHours(1));
    pass(Duration.ofHours(1));
    perform(OPERATOR, new PlanOperation.Unpause());
    pass(Duration.ZERO);
    take(OPERATOR, new Operation.Fund(CAROL, new Amount(10)));
    perform(new AccountId("0.0.1001"), deletable());
    return this;
  }

  /**
   * So many gas-priority transactions of one time, in a queue of their own.
   *
   * @return the id of the last
   */
  synchronized ScheduleId crowd(int many, Instant at) {
    var queue = new QueueName("crowd");
    submit(queue, new Command("money", OPERATOR, new Operation.Fund(ALICE, new Amount(1L << 40))));
    var target = new Target.Notify(Bytes.utf8("x"));
    ScheduleId last = null;
    for (int i = 0; i < many; i++) {
      var terms = new GasPriorityTerms(at.toEpochMilli(), 10, 1, Optional.of(Integer.toString(i)));
      var command =
          new Command("crowd" + i, ALICE, new Operation.Propose(Proposal.of(ALICE, terms, target)));
      last = submit(queue, command).toCompletableFuture().join().schedule().orElseThrow();
    }
    return last;
  }

  /** A series of one who can pay for its first time only. */
  private void proposeSeries() {
    take(OPERATOR, new Operation.Fund(CAROL, new Amount(1)));
    long slot = Duration.ofHours(1).toMillis();
    var every = new Cadence.Every((now.toEpochMilli() / slot + 1) * slot, slot);
    var terms = new SeriesTerms(Bytes.utf8("walk"), every, Optional.empty());
    var target = new Target.Notify(Bytes.utf8("walk the dog"));
    take(CAROL, new Operation.Propose(Proposal.of(CAROL, terms, target)));
  }

  /** A schedule of one who may delete it. */
  private MultiSignatureOperation deletable() {
    var alice = EntityId.parse("0.0.1001");
    var key = Examples.key("alice");
    var rows =
        List.of(new AccountAmount(alice, -1), new AccountAmount(EntityId.parse("0.0.1002"), 1));
    var body =
        new TransactionWriter(Profile.MVP, nodeAccount(QueueName.DEFAULT))
            .scheduled(7, 1_000, "to be deleted", new Action.CryptoTransfer(rows));
    var signed = new VerifiedSignatures(body.hash(), List.of(SignatureCheck.by(key)));
    var by =
        new Submission(
            AccountTransactionId.submitted(ConsensusTime.of(now), alice),
            new NodeAccount(0, 3),
            120,
            1_000,
            "",
            Bytes.of(new byte[48]),
            body.hash(),
            signed);
    var creation = Creation.of(body, Optional.of(key), Optional.of(EntityId.parse("0.0.1002")));
    return new MultiSignatureOperation.ScheduleCreate(
        by, creation, signed, BodyLookup.NOTHING_ARCHIVED);
  }

  private void perform(AccountId signer, FamilyOperation operation) {
    take(signer, new Operation.Perform(operation));
  }

  private void take(AccountId signer, Operation operation) {
    var command = new Command("setup-" + ++setUp, signer, operation);
    var answer = submit(QueueName.DEFAULT, command).toCompletableFuture().join();
    if (answer.refusal().isPresent()) {
      throw new AssertionError(answer);
    }
  }

  /** Lets time pass, and each queue cut a block. */
  public synchronized void pass(Duration time) {
    now = now.plus(time);
    for (var name : List.copyOf(queues.keySet())) {
      decide(name, new QueueInput.CutBlock());
    }
  }

  private Queue queue(QueueName name) {
    return queues.computeIfAbsent(name, any -> new Queue());
  }

  private List<QueueEffect> decide(QueueName name, QueueInput input) {
    var queue = queue(name);
    var decision = rules.decide(queue.state, input, WallTime.of(now));
    queue.state = decision.state();
    var notices = new ArrayList<QueueEffect.Publish>();
    for (var effect : decision.effects()) {
      if (effect instanceof QueueEffect.Publish publish) {
        notices.add(publish);
      } else if (effect instanceof QueueEffect.HandOver handOver) {
        decide(name, new QueueInput.HandedOver(handOver.key(), taken(name, handOver.key())));
        if (answering) {
          decide(name, new QueueInput.Answered(handOver.key(), new Conclusion.Succeeded(1)));
        }
      }
    }
    if (!notices.isEmpty()) {
      queue.listeners.forEach(listener -> listener.onNotices(name, notices));
    }
    return decision.effects();
  }

  private static dev.sequitur.protocol.id.TransactionId taken(QueueName name, OccurrenceKey key) {
    var bytes = Bytes.utf8(key.idempotencyKey(name.value())).toByteArray();
    return new dev.sequitur.protocol.id.TransactionId(UUID.nameUUIDFromBytes(bytes));
  }

  @Override
  public NodeName name() {
    return Sample.NODE;
  }

  @Override
  public QueueSetup setup() {
    return setup;
  }

  @Override
  public synchronized CompletionStage<Answer> submit(QueueName name, Command command) {
    asked.add(command.operation());
    var queue = queue(name);
    var known = queue.answers.get(command.command());
    if (known != null) {
      return completedFuture(known);
    }
    for (var effect : decide(name, command)) {
      if (effect instanceof Answer answer) {
        if (answer.refusal().isEmpty()) {
          queue.answers.put(command.command(), answer);
        }
        return completedFuture(answer);
      }
    }
    throw new AssertionError("No answer to " + command);
  }

  @Override
  public synchronized CompletionStage<List<Answer>> submit(
      QueueName queue, List<Command> commands) {
    return completedFuture(
        commands.stream()
            .map(command -> submit(queue, command).toCompletableFuture().join())
            .toList());
  }

  @Override
  public synchronized CompletionStage<BatchAnswer> submit(
      QueueName name, String command, AccountId signer, Batch batch) {
    var known = queue(name).batches.get(command);
    if (known != null) {
      return completedFuture(known.to(batch));
    }
    for (var effect : decide(name, new Command(command, signer, batch))) {
      if (effect instanceof BatchAnswer answer) {
        if (answer.kept()) {
          queue(name).batches.put(command, new DoneBatch(batch, answer));
        }
        return completedFuture(answer);
      }
    }
    throw new AssertionError("No answer to " + batch);
  }

  @Override
  public synchronized List<QueueName> queues() {
    return Stream.concat(Stream.of(QueueName.DEFAULT), queues.keySet().stream())
        .distinct()
        .sorted(Comparator.comparing(QueueName::value))
        .toList();
  }

  @Override
  public Duration commandsRememberedFor() {
    return Duration.ofDays(1);
  }

  @Override
  public CompletionStage<Answer> submit(
      QueueName queue, String command, SubmittedTransaction transaction, boolean unseen) {
    return new VerifiedSubmission(this, new NoBodies(), queue, command, transaction, unseen)
        .submit();
  }

  @Override
  public synchronized CompletionStage<Optional<QueueEffect>> done(
      QueueName queue, Command command) {
    return completedFuture(
        Optional.<QueueEffect>ofNullable(queue(queue).answers.get(command.command()))
            .or(
                () ->
                    Optional.ofNullable(queue(queue).batches.get(command.command()))
                        .map(known -> known.to(command.operation()))));
  }

  /** The queues of the rules alone hand over nothing. */
  private record NoBodies() implements BodyStore {
    @Override
    public CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies) {
      throw new AssertionError("Nobody archives here.");
    }

    @Override
    public CompletionStage<Long> storedUpTo(String queue) {
      return completedFuture(0L);
    }

    @Override
    public CompletionStage<Boolean> contains(String queue, Hash body) {
      return completedFuture(false);
    }
  }

  @Override
  public synchronized CompletionStage<Explanation> explain(QueueName queue, ScheduleId schedule) {
    return completedFuture(rules.explain(queue(queue).state, schedule, WallTime.of(now)));
  }

  @Override
  public synchronized CompletionStage<Outcomes> outcomes(QueueName queue, OutcomeQuery query) {
    return completedFuture(
        rules.outcomes(queue(queue).state, query.from(), query.limit(), query::matches));
  }

  @Override
  public synchronized CompletionStage<Statement> statement(QueueName queue, OutcomeQuery query) {
    return completedFuture(
        rules.statement(
            queue(queue).state,
            query.account().orElseThrow(),
            query.from(),
            query.limit(),
            query::matches));
  }

  @Override
  public synchronized CompletionStage<Happenings> happenings(
      QueueName queue, long from, int limit) {
    return completedFuture(rules.happenings(queue(queue).state, from, limit));
  }

  @Override
  public synchronized CompletionStage<QueueAudit> audit(QueueName queue) {
    return completedFuture(rules.audit(queue(queue).state));
  }

  @Override
  public synchronized CompletionStage<QueueOverview> overview(QueueName queue) {
    var state = queue(queue).state;
    var families =
        setup.families().stream()
            .map(
                family ->
                    new FamilyOverview(
                        family.kind(),
                        state.service(family.kind()),
                        rules.waiting(state, family.kind(), WallTime.of(now), 1_000)))
            .toList();
    return completedFuture(
        new QueueOverview(
            state.clock().last(),
            state.admissions(),
            state.entries().schedules().size(),
            state.entries().executing(),
            families,
            rules.nextBlock(state, ConsensusTime.ZERO).firstDue(),
            List.of()));
  }

  @Override
  public CompletionStage<KnownSchedule> schedule(QueueName queue, ScheduleId schedule) {
    var known = known(queue, schedule);
    onceLookedFor.getAndSet(() -> {}).run();
    return completedFuture(known);
  }

  private synchronized KnownSchedule known(QueueName queue, ScheduleId schedule) {
    var state = queue(queue).state;
    var view =
        state
            .entries()
            .schedule(schedule)
            .or(() -> rules.goesOnAs(state, schedule).flatMap(state.entries()::schedule))
            .map(found -> view(queue, found));
    return new KnownSchedule(view, state.history().lastOf(schedule));
  }

  private ScheduleView view(QueueName queue, Schedule schedule) {
    var state = queue(queue).state;
    boolean ended =
        state.entries().isEnded(schedule.id())
            || rules.hasExpired(state, schedule, WallTime.of(now));
    return new ScheduleView(schedule, state.entries().execution(schedule.id()), ended);
  }

  @Override
  public synchronized CompletionStage<SchedulePage> schedules(
      QueueName queue, ScheduleQuery query) {
    pagesRead++;
    int looks = Math.min(looksAt, query.looks().orElse(Integer.MAX_VALUE));
    var found = new ArrayList<ScheduleView>();
    var last = Optional.<ScheduleId>empty();
    boolean more = false;
    int looked = 0;
    for (var each : queue(queue).state.entries().schedules().values()) {
      if (query.after().map(id -> each.id().compareTo(id) <= 0).orElse(false)) {
        continue;
      }
      more = found.size() == query.limit() || looked == looks;
      if (more) {
        break;
      }
      looked++;
      last = Optional.of(each.id());
      Optional.of(view(queue, each))
          .filter(view -> query.matches(view, setup))
          .ifPresent(found::add);
    }
    rowsLookedAt += looked;
    var page = new SchedulePage(found, more ? last : Optional.empty(), looked);
    return pagesHeld.orElseGet(() -> completedFuture(null)).thenApply(go -> page);
  }

  @Override
  public synchronized CompletionStage<DuePage> schedulesByDue(QueueName queue, DueQuery query) {
    pagesRead++;
    var which = query.which();
    var page =
        rules.due(
            queue(queue).state,
            query.listing(each -> which.matches(view(queue, each), setup)),
            which.limit(),
            looksByDue);
    return completedFuture(DuePage.of(page, each -> view(queue, each)));
  }

  @Override
  public synchronized CompletionStage<Amount> available(QueueName queue, AccountId account) {
    return completedFuture(queue(queue).state.book().available(account));
  }

  @Override
  public synchronized CompletionStage<FamilyState> family(QueueName queue, FamilyKind family) {
    return completedFuture(rules.family(queue(queue).state, family));
  }

  @Override
  public synchronized <R> CompletionStage<R> ask(QueueName queue, FamilyQuery<R> query) {
    return completedFuture(rules.ask(queue(queue).state, query, WallTime.of(now)));
  }

  @Override
  public synchronized CompletionStage<Optional<Forecast>> forecast(
      QueueName queue, FamilyKind family, Instant at) {
    return completedFuture(
        rules.forecast(queue(queue).state, family, ConsensusTime.nearest(at), WallTime.of(now)));
  }

  @Override
  public synchronized CompletionStage<Trial> tryOut(QueueName queue, Command command) {
    return completedFuture(rules.tryOut(queue(queue).state, command, WallTime.of(now)));
  }

  @Override
  public CompletionStage<Trial> tryOut(QueueName queue, SubmittedTransaction transaction) {
    return new VerifiedSubmission(this, new NoBodies(), queue, ONCE, transaction, false).tryOut();
  }

  @Override
  public synchronized CompletionStage<List<ConsensusTime>> times(
      QueueName queue, ScheduleId schedule, int atMost) {
    return completedFuture(rules.times(queue(queue).state, schedule, atMost));
  }

  @Override
  public synchronized CompletionStage<CalendarPage> calendar(QueueName queue, CalendarQuery query) {
    return completedFuture(
        rules.calendar(
            queue(queue).state,
            ConsensusTime.nearest(query.from()),
            ConsensusTime.nearest(query.until()),
            query.limit(),
            queue(queue)
                .state
                .entries()
                .lists()
                .list(query.owner(), query.label(), ScheduleId.FIRST),
            query::matches));
  }

  @Override
  public synchronized Subscription subscribe(QueueName queue, NoticeListener listener) {
    queue(queue).listeners.add(listener);
    return () -> unsubscribe(queue, listener);
  }

  private synchronized void unsubscribe(QueueName queue, NoticeListener listener) {
    queue(queue).listeners.remove(listener);
  }

  @Override
  public List<String> troubles() {
    return troubles;
  }

  @Override
  public List<String> remarks() {
    return remarks;
  }
}
