package dev.sequitur.scheduler.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Crossing;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.abi.AbiEncoding;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.Advance;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Failure;
import dev.sequitur.schedule.chainexecution.ChainExecutionEvent.Landing;
import dev.sequitur.schedule.chainexecution.ChainExecutionTerms;
import dev.sequitur.schedule.chainexecution.ChainExecutions;
import dev.sequitur.schedule.chainexecution.ChainPlan;
import dev.sequitur.schedule.chainexecution.ExecutionGas;
import dev.sequitur.schedule.chainexecution.ProviderDispatch;
import dev.sequitur.schedule.chainexecution.Reading;
import dev.sequitur.schedule.chainexecution.Reading.Logged;
import dev.sequitur.schedule.chainexecution.Reading.Point;
import dev.sequitur.schedule.chainexecution.ServedContract;
import dev.sequitur.schedule.chainexecution.ToDo;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.schedule.gaspriority.GasPriorityRevision;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.EntityRange;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.multisignature.MultiSignatureTerms;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.DaysOff;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringOperation;
import dev.sequitur.schedule.recurring.RecurringQuery;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.schedule.registry.FamilyTypes;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.BodyLookup;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.schedule.signing.SignatureCheck;
import dev.sequitur.schedule.signing.Submission;
import dev.sequitur.schedule.signing.VerifiedSignatures;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One queue of all families, under whatever happens to it. What is put together from its checkpoint
 * and the records since is the same byte for byte, and every question has the answer that it had
 * before.
 */
class LoadedQueueTest {
  private static final int STEPS = 900;
  private static final int SEEDS = 8;
  private static final int ACCOUNTS = 3;
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final TokenId RIF = new TokenId("RIF");
  private static final Identity FROM = Identity.parse("alice@node1");
  private static final Duration SLOT = Duration.ofSeconds(2);
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, new Backoff(Duration.ofMillis(200), Duration.ofMillis(400)));
  private static final Hash NOTHING = Hash.sha256(new byte[0]);

  private CheckpointedQueue queue;
  private Random random;
  private int submissions;

  /** What the store of executed bodies has. */
  private final Set<Hash> archived = new HashSet<>();

  @Test
  void itIsTheSameAndAnswersTheSameWhateverHasHappenedToIt() {
    var happened = new TreeSet<String>();
    for (int seed = 0; seed <= SEEDS; seed++) {
      if (seed == SEEDS) {
        playSpread(seed);
      } else {
        play(seed);
      }
      for (var event : queue.events) {
        happened.add(name(event.getClass()));
        if (event instanceof QueueEvent.FamilyChanged changed) {
          happened.add(name(changed.event().getClass()));
        }
      }
    }

    var kinds = new TreeSet<String>();
    Stream.concat(kinds(QueueEvent.class), kinds(FamilyEvent.class)).forEach(kinds::add);
    // No family moves money from hold to hold.
    kinds.remove(name(QueueEvent.Shifted.class));
    assertThat(happened).as("each kind of event at least once").isEqualTo(kinds);
  }

  private void play(int seed) {
    random = new Random(seed);
    archived.clear();
    queue = new CheckpointedQueue(new ScheduleQueue(setup(seed % 2 == 0)));
    begin();
    for (int step = 0; step < STEPS; step++) {
      queue.nowMs += random.nextInt(200);
      queue.tell(input());
      if (random.nextInt(24) == 0) {
        queue.checkpoint();
      }
      if (random.nextInt(60) == 0) {
        assertAnswersAsBefore(queue.loaded());
      }
    }
    assertAnswersAsBefore(queue.loaded());
  }

  /**
   * One that is a partition: what its owner pays goes to another one, and some comes from there.
   */
  private void playSpread(int seed) {
    random = new Random(seed);
    archived.clear();
    queue = new CheckpointedQueue(new ScheduleQueue(setup(true)));
    administer(new Operation.Divide(new Partition(0, 2)));
    administer(new Operation.Fund(inPartition(0), new Amount(50_000)));
    for (int step = 0; step < STEPS; step++) {
      queue.nowMs += random.nextInt(200);
      queue.tell(spreadInput(step));
      if (random.nextInt(24) == 0) {
        queue.checkpoint();
      }
      if (random.nextInt(60) == 0) {
        assertAnswersAsBefore(queue.loaded());
      }
    }
    assertAnswersAsBefore(queue.loaded());
  }

  private QueueInput spreadInput(int step) {
    var owner = inPartition(0);
    return switch (random.nextInt(6)) {
      case 0, 1 -> new QueueInput.CutBlock();
      case 2 -> answer();
      case 3 ->
          queue.command(
              OPERATOR,
              new Operation.Take(
                  new Crossing(1, 0, step, Math.max(0, step - 9), owner, new Amount(2))));
      default -> {
        var pay = new Target.Transfer(inPartition(1), new Amount(3));
        yield queue.command(owner, new Operation.Propose(Proposal.of(owner, gasPriority(), pay)));
      }
    };
  }

  private static AccountId inPartition(int index) {
    return IntStream.range(0, 100)
        .mapToObj(number -> new AccountId("owner-" + number))
        .filter(account -> Partition.home(account, 2) == index)
        .findFirst()
        .orElseThrow();
  }

  private static QueueSetup setup(boolean mvp) {
    var signing =
        (mvp ? MultiSignatureSettings.MVP : MultiSignatureSettings.CURRENT)
            .withExpiry(new MultiSignatureSettings.Expiry(10, 100, 5, 3))
            .withThrottles(new MultiSignatureSettings.Throttles(20, 50, 50, 50))
            .withLimits(new MultiSignatureSettings.Limits(6_144, 10, 64, 64, 12, 1_000, 100));
    return new QueueSetup(
        OPERATOR,
        Duration.ofSeconds(10),
        GasUse.DEFAULT,
        3,
        200,
        signing.throttled(),
        Amount.ZERO,
        List.of(
            new GasPriority(new GasPrioritySettings(100, 3, 20, 3, 1, 1_000)),
            new MultiSignature(signing),
            new Recurring(
                new RecurringSettings(SLOT, Duration.ofDays(1), 24, 2, 2, 2, 1_024, false)),
            new PlanExecutions(
                new PlanSettings(AccountId.FEES, Duration.ofSeconds(1), 4, 4, 64, 10, 20)),
            new ChainExecutions(ExecutionGas.DEFAULT)));
  }

  private void begin() {
    for (int number = 0; number < ACCOUNTS; number++) {
      administer(new Operation.Fund(account(number), new Amount(number == 0 ? 300 : 50_000)));
      administer(new Operation.Fund(account(number).in(RIF), new Amount(50_000)));
      administer(perform(new MultiSignatureOperation.OpenAccount(opened(number))));
      administer(new Operation.Fund(entity(number).account(), new Amount(50_000)));
    }
    administer(perform(new MultiSignatureOperation.BindKey(FROM, key(0))));
    var off = new DaysOff("UTC", List.of(30_000L));
    administer(perform(new RecurringOperation.SetDaysOff("feast", off)));
    administer(perform(new RecurringOperation.SetDaysOff("gone", off)));
    administer(perform(new RecurringOperation.RemoveDaysOff("gone")));
    administer(perform(new PlanOperation.AddPlan(Plan.of(15, 2, 1_000, Optional.empty()))));
    administer(perform(new PlanOperation.AddPlan(Plan.of(7, 3, 1_000, Optional.of(RIF)))));
    var list = new DaysOff("UTC", List.of(1L));
    administer(perform(new RecurringOperation.SetDaysOff("kept", list)));
    administer(perform(new RecurringOperation.SetDaysOff("gone", list)));
    administer(perform(new RecurringOperation.RemoveDaysOff("gone")));
  }

  private static Account opened(int number) {
    return new Account(key(number), number == 2, "");
  }

  private QueueInput input() {
    return switch (random.nextInt(25)) {
      case 0, 1, 2, 3, 4, 5 -> new QueueInput.CutBlock();
      case 6, 7 -> answer();
      case 8, 9 -> propose(gasPriority(), target());
      case 10, 11 -> propose(recurring(), target());
      case 12, 13 -> plans();
      case 14 -> queue.command(OPERATOR, stop());
      case 15 -> queue.command(someone(), new Operation.Cancel(any()));
      case 22 -> queue.command(someone(), change());
      case 23 -> queue.command(someone(), new Operation.Intervene(any(), kind(), "why"));
      case 16 -> queue.command(someone(), perform(new ResumeSeries(any())));
      case 17, 18 -> queue.command(OPERATOR, perform(advance()));
      default -> signed();
    };
  }

  private Intervention.Kind kind() {
    return switch (random.nextInt(4)) {
      case 0 -> Intervention.Kind.PAUSE;
      case 1 -> Intervention.Kind.RESUME;
      case 2 -> Intervention.Kind.RUN_NOW;
      default -> Intervention.Kind.SKIP_NEXT;
    };
  }

  private Operation change() {
    var offer =
        new GasPriorityRevision(
            Optional.of(queue.nowMs + random.nextInt(9_000)),
            Optional.empty(),
            Optional.of(1L + random.nextInt(9)),
            random.nextInt(4) == 0 ? Optional.of(random.nextBoolean()) : Optional.empty());
    return new Operation.Change(
        any(), Optional.of(offer), Optional.empty(), Optional.empty(), Optional.empty(), "why");
  }

  /** What a provider has seen of a contract, on a chain that is made up. */
  private Advance advance() {
    long second = queue.nowMs / 1_000;
    var known = queue.rules.ask(queue.state(), toDo(), queue.wall());
    boolean back = known.settled().isPresent() && random.nextInt(5) == 0;
    var after = back ? known.settled() : known.read();
    long number = after.map(Point::number).orElse(0L) + 1 + random.nextInt(2);
    var id = new ScheduleId(FamilyKind.CHAIN_EXECUTION, new Hash(9, 9, 9, random.nextInt(500)));
    var logs = new ArrayList<Logged>();
    var plan = new ChainPlan(BigInteger.TEN, EvmAddress.ZERO, 2, 1_000, true);
    logs.add(new Reading.PlanAdded(number, 0, plan));
    logs.add(
        new Reading.Requested(
            number,
            id,
            account(1),
            new ChainExecutionTerms(
                0, EvmAddress.ZERO, 3, second + random.nextInt(5), BigInteger.ONE)));
    Map<ScheduleId, Failure> failures = new HashMap<>();
    for (var waiting : known.waiting()) {
      switch (random.nextInt(4)) {
        case 0 -> logs.add(new Reading.Seen(number, waiting.id(), end()));
        case 1 -> failures.put(waiting.id(), new Failure(1, "no", second + 1));
        default -> {}
      }
    }
    long settled = Math.max(known.settled().map(Point::number).orElse(0L), number - 3);
    var reading =
        new Reading(
            after,
            logs,
            new Point(number, new Hash(8, 8, number, random.nextInt()), second),
            Optional.of(new Point(settled, new Hash(8, 8, 8, settled), second - 3)),
            Map.of());
    var landings =
        known.dispatches().stream()
            .filter(ProviderDispatch::isWaiting)
            .map(sent -> new Landing(sent.nonce(), Optional.of(number)))
            .toList();
    long nonce = random.nextInt(100);
    var offer = new ProviderDispatch.Offer(Fees.flat(1), new Hash(7, 7, 7, nonce));
    return new Advance(
        new ServedContract(1, EvmAddress.ZERO),
        Optional.of(reading),
        List.of(),
        landings,
        failures,
        List.of(new ProviderDispatch(nonce, id, 9, List.of(offer), number, Optional.empty())),
        random.nextBoolean(),
        "");
  }

  private Reading.End end() {
    return switch (random.nextInt(4)) {
      case 0 -> new Reading.End.Cancelled();
      case 1 -> new Reading.End.Refunded();
      case 2 -> new Reading.End.Executed(Optional.of("It failed."));
      default -> new Reading.End.Executed(Optional.empty());
    };
  }

  private ToDo toDo() {
    return new ToDo(queue.nowMs / 1_000 + 100, 20);
  }

  private QueueInput answer() {
    if (queue.out.isEmpty()) {
      return new QueueInput.Recovered();
    }
    var key = queue.out.get(random.nextInt(queue.out.size())).key();
    return switch (random.nextInt(3)) {
      case 0 -> new QueueInput.Answered(key, new Conclusion.Succeeded(5));
      case 1 -> new QueueInput.Answered(key, new Conclusion.Failed(5, "no", true));
      default -> new QueueInput.HandedOver(key, Samples.PRIVATE_TRANSACTION);
    };
  }

  private QueueInput propose(Terms terms, Target target) {
    var owner = someone();
    var late =
        switch (random.nextInt(4)) {
          case 0 -> new LatePolicy.RunAll();
          case 1 -> new LatePolicy.RunOnce();
          default -> LatePolicy.AS_SPECIFIED;
        };
    var retry = random.nextBoolean() ? TWICE : RetryPolicy.NEVER;
    return queue.command(
        owner, new Operation.Propose(new Proposal(owner, terms, target, late, retry)));
  }

  private GasPriorityTerms gasPriority() {
    return new GasPriorityTerms(queue.nowMs + 100 + random.nextInt(900), 100, 1 + random.nextInt(9))
        .settingAside(random.nextInt(3) == 0);
  }

  private Terms recurring() {
    long next = (queue.nowMs / SLOT.toMillis() + 1 + random.nextInt(3)) * SLOT.toMillis();
    var id = Bytes.utf8("task" + random.nextInt(9));
    return random.nextBoolean()
        ? new RecurringTerms(id, List.of(next, next + 2 * SLOT.toMillis()))
        : new SeriesTerms(id, new Cadence.Every(next, SLOT.toMillis()), Optional.empty());
  }

  private Target target() {
    var pay = new Target.Transfer(new AccountId("dave"), new Amount(random.nextInt(9)));
    return switch (random.nextInt(4)) {
      case 0 -> new Target.Repeat(pay, 300, 2);
      case 1 -> new Target.Notify(Bytes.utf8("hello"));
      case 2 -> call("bob@node1");
      default -> pay;
    };
  }

  private static Target.PrivateCall call(String from) {
    return new Target.PrivateCall(
        new ContractAddress("0x" + "0a".repeat(20)),
        "token",
        "transfer",
        Identity.parse(from),
        Bytes.utf8("{}"));
  }

  private QueueInput plans() {
    long plan = random.nextInt(2);
    long second = queue.nowMs / 1_000 + 1 + random.nextInt(4);
    var value = new Amount(random.nextInt(9));
    var terms = new PlanTerms(plan, second, value);
    var bought = new AbiEncoding().uint(1).uint(2).finish();
    if (random.nextInt(3) == 0) {
      return queue.command(OPERATOR, perform(provided()));
    }
    FamilyOperation operation =
        switch (random.nextInt(11)) {
          case 0 -> new PlanOperation.Purchase(0, 2, new Amount(30));
          case 1 -> new PlanOperation.Approve(RIF, new Amount(random.nextInt(20)));
          case 2 -> new PlanOperation.Purchase(1, 1, Amount.ZERO);
          case 3 -> new PlanOperation.TransferAndCall(RIF, new Amount(14), bought);
          case 4, 5 ->
              new PlanOperation.Schedule(terms, new Target.Transfer(new AccountId("dave"), value));
          case 6, 7 -> new PlanOperation.Schedule(terms, call("bob@node1"));
          case 8 -> new PlanOperation.CancelScheduling(any());
          case 9 -> new PlanOperation.RequestExecutionRefund(any());
          default -> new PlanOperation.RequestPlanRefund(plan);
        };
    return queue.command(someone(), perform(operation));
  }

  private FamilyOperation provided() {
    int most = queue.rules.ask(queue.state(), new PlanQuery.Plans(), queue.wall()).plans().size();
    return switch (random.nextInt(9)) {
      case 0 -> new PlanOperation.SetPayee(random.nextBoolean() ? AccountId.FEES : account(1));
      case 1 -> new PlanOperation.AddPlan(Plan.of(5, 2, 1_000, Optional.empty()));
      case 2 -> new PlanOperation.RemovePlan(Math.max(2, random.nextInt(most)));
      case 3 -> new PlanOperation.Pause();
      case 4, 5 -> new PlanOperation.Unpause();
      default -> new PlanOperation.Execute(any(), 1_000);
    };
  }

  private Operation stop() {
    var kinds = FamilyKind.values();
    var kind = kinds[random.nextInt(kinds.length)];
    return switch (random.nextInt(9)) {
      case 0 -> new Operation.Pause(kind);
      case 1 -> new Operation.Shutdown(kind);
      case 2 -> new Operation.Withdraw(account(1), new Amount(3));
      default -> new Operation.Resume(kind);
    };
  }

  private QueueInput signed() {
    var signing =
        (MultiSignatureState) queue.rules.family(queue.state(), FamilyKind.MULTI_SIGNATURE);
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> submitted(create(signing));
      case 3, 4, 5 -> submitted(sign());
      case 6 -> submitted(new MultiSignatureOperation.ScheduleDelete(by(key(0)), anySigned()));
      case 7 ->
          submitted(
              new MultiSignatureOperation.CryptoUpdate(
                  by(key(0), key(1), key(7)), entity(1), random.nextBoolean() ? key(1) : key(7)));
      default -> {
        var bodies = signing.bodies();
        if (bodies.unarchived().isEmpty()) {
          yield new QueueInput.OutcomesStored(queue.state().history().oldest() + 1);
        }
        archived.addAll(bodies.unarchived().values());
        yield new QueueInput.BodiesStored(bodies.executed());
      }
    };
  }

  private QueueInput submitted(MultiSignatureOperation.Submitted operation) {
    return queue.command(operation.by().id().account().account(), perform(operation));
  }

  private MultiSignatureOperation.ScheduleCreate create(MultiSignatureState signing) {
    var body = body();
    boolean waits = signs("current") && random.nextInt(3) == 0;
    var creation =
        new Creation(
            body,
            random.nextBoolean() ? Optional.of(key(0)) : Optional.empty(),
            Optional.empty(),
            "",
            waits ? Optional.of(queue.nowMs / 1_000 + 1 + random.nextInt(4)) : Optional.empty(),
            waits);
    var keys = someKeys();
    return new MultiSignatureOperation.ScheduleCreate(
        by(keys),
        creation,
        signatures(body.hash(), relevant(body, keys)),
        new BodyLookup(archived.contains(body.hash()), signing.bodies().stored()));
  }

  private boolean signs(String profile) {
    return queue
        .rules
        .setup()
        .family(MultiSignature.class)
        .filter(family -> family.settings().profile().name().equalsIgnoreCase(profile))
        .isPresent();
  }

  private ScheduledTransaction body() {
    int nonce = random.nextInt(40);
    Action action =
        switch (nonce % 4) {
          case 0 ->
              new Action.CryptoTransfer(
                  List.of(new AccountAmount(entity(1), -9), new AccountAmount(entity(2), 9)));
          case 1 -> new Action.CryptoCreate(key(9), new Amount(5), false, "");
          case 2 ->
              new Action.CryptoUpdate(entity(2), AccountChange.NONE.withMemo(Optional.of("memo")));
          default -> new Action.PrivateTransaction(call("alice@node1"), TWICE);
        };
    var bytes = Bytes.utf8(nonce + ": " + action);
    return new ScheduledTransaction(
        bytes, Hash.sha256(bytes.toByteArray()), nonce, 1_000, "", action);
  }

  /** Those that count for it, since others would have all of it refused. */
  private PublicKey[] relevant(ScheduledTransaction body, PublicKey[] keys) {
    var creation = Creation.of(body, Optional.empty(), Optional.empty());
    var asked = new MultiSignatureQuery.KeysToCreate(entity(0), creation);
    var count = queue.rules.ask(queue.state(), asked, queue.wall()).inner();
    return Arrays.stream(keys).filter(count::contains).toArray(PublicKey[]::new);
  }

  private MultiSignatureOperation.ScheduleSign sign() {
    var schedule = anySigned();
    var asked = new MultiSignatureQuery.KeysOfSchedule(entity(0), schedule);
    var known = queue.rules.ask(queue.state(), asked, queue.wall());
    var keys = known.inner().stream().limit(1 + random.nextInt(3)).toArray(PublicKey[]::new);
    return new MultiSignatureOperation.ScheduleSign(
        by(keys), schedule, signatures(Hash.sha256(known.body().toByteArray()), keys));
  }

  private PublicKey[] someKeys() {
    return IntStream.range(0, 10)
        .filter(seed -> random.nextInt(3) == 0)
        .mapToObj(LoadedQueueTest::key)
        .toArray(PublicKey[]::new);
  }

  /** The first account pays for whatever is submitted, and signs it. */
  private Submission by(PublicKey... keys) {
    var start =
        new ConsensusTime(ConsensusTime.ofMillis(queue.nowMs).nanos() - 1_000 + submissions % 1000);
    submissions++;
    var all = Stream.concat(Stream.of(key(0)), Arrays.stream(keys)).distinct();
    return new Submission(
        AccountTransactionId.submitted(start, entity(0)),
        new NodeAccount(0, 3),
        10,
        1_000,
        "",
        Bytes.EMPTY,
        NOTHING,
        signatures(NOTHING, all.toArray(PublicKey[]::new)));
  }

  private static VerifiedSignatures signatures(Hash over, PublicKey... keys) {
    return new VerifiedSignatures(over, Arrays.stream(keys).map(SignatureCheck::by).toList());
  }

  private static PublicKey key(int seed) {
    var bytes = new byte[32];
    Arrays.fill(bytes, (byte) (seed + 1));
    return new PublicKey(PublicKey.Algorithm.ED25519, Bytes.of(bytes));
  }

  private static EntityId entity(int number) {
    return new EntityId(EntityId.FIRST.number() + number);
  }

  private static AccountId account(int number) {
    return new AccountId("account" + number);
  }

  private AccountId someone() {
    return account(random.nextInt(ACCOUNTS));
  }

  /** Any that waits or runs; one that never was, if there is none. */
  private ScheduleId any() {
    var ids = new ArrayList<ScheduleId>();
    queue.state().entries().schedules().values().forEach(schedule -> ids.add(schedule.id()));
    return ids.isEmpty()
        ? new ScheduleId(FamilyKind.PLAN_EXECUTION, NOTHING)
        : ids.get(random.nextInt(ids.size()));
  }

  private EntityId anySigned() {
    var ids = new ArrayList<EntityId>();
    for (var schedule : queue.state().entries().schedules().values()) {
      if (schedule.family() == FamilyKind.MULTI_SIGNATURE) {
        ids.add(EntityId.of(schedule.id()));
      }
    }
    return ids.isEmpty() ? entity(500) : ids.get(random.nextInt(ids.size()));
  }

  private static Operation perform(FamilyOperation operation) {
    return new Operation.Perform(operation);
  }

  private void administer(Operation operation) {
    queue.tell(queue.command(OPERATOR, operation));
  }

  private void assertAnswersAsBefore(QueueState loaded) {
    var questions = questions();
    var asked = new TreeSet<String>();
    questions.forEach(question -> asked.add(name(question.getClass())));
    assertThat(asked).as("each kind of question").isEqualTo(kindsOfQuestions());
    var after = answers(loaded, questions);
    answers(queue.state(), questions)
        .forEach(
            (question, answer) ->
                assertThat(after.get(question)).as("%s", question).isEqualTo(answer));
  }

  /** Everything that can be asked of a queue, by the question. */
  private Map<Object, Object> answers(QueueState state, List<FamilyQuery<?>> questions) {
    var rules = queue.rules;
    var wall = queue.wall();
    var answers = new LinkedHashMap<Object, Object>();
    answers.put("audit", rules.audit(state));
    answers.put("settings", rules.refusesSettings(state));
    answers.put("outcomes", rules.outcomes(state, 0, 1_000, any -> true));
    answers.put("next block", rules.nextBlock(state, state.clock().last()));
    answers.put("parked", state.entries().due().parked());
    answers.put("still", rules.standsStill(state, wall));
    for (var kind : FamilyKind.values()) {
      answers.put(kind, rules.waiting(state, kind, wall, 100));
      for (long ahead = 0; ahead < 5_000; ahead += 700) {
        var at = ConsensusTime.ofMillis(queue.nowMs + ahead);
        answers.put(kind + " " + ahead, rules.forecast(state, kind, at, wall));
      }
    }
    for (var event : queue.events) {
      if (event instanceof QueueEvent.Admitted taken) {
        answers.put(taken.schedule().id(), rules.explain(state, taken.schedule().id(), wall));
      }
    }
    questions.forEach(question -> answers.put(question, rules.ask(state, question, wall)));
    return answers;
  }

  private List<FamilyQuery<?>> questions() {
    var questions = new ArrayList<FamilyQuery<?>>();
    var keys = IntStream.range(0, 10).mapToObj(LoadedQueueTest::key).toList();
    var entities = IntStream.range(0, 60).mapToObj(LoadedQueueTest::entity).toList();
    questions.add(new GasPriorityQuery.GetReadyTransactions(queue.nowMs + 500));
    questions.add(
        new GasPriorityQuery.WhyUnreached(new ScheduleId(FamilyKind.GAS_PRIORITY, NOTHING)));
    questions.add(new RecurringQuery.DaysOffListed());
    questions.add(new RecurringQuery.FreeSlots(ConsensusTime.ofMillis(queue.nowMs), 10, true));
    questions.add(new RecurringQuery.DaysOffListed());
    questions.add(toDo());
    questions.add(new PlanQuery.Plans());
    questions.add(new PlanQuery.GetExecutionById(any()));
    for (int number = 0; number < ACCOUNTS; number++) {
      var requestor = account(number);
      var count = new PlanQuery.ExecutionsByRequestorCount(requestor);
      long scheduled = queue.rules.ask(queue.state(), count, queue.wall()).executions();
      questions.add(count);
      questions.add(new PlanQuery.RemainingExecutions(requestor, 0));
      questions.add(new PlanQuery.RemainingExecutions(requestor, 1));
      questions.add(new PlanQuery.GetExecutionsByRequestor(requestor, 0, scheduled));
    }
    for (var entity : entities) {
      questions.add(new MultiSignatureQuery.ScheduleGetInfo(entity));
      questions.add(new MultiSignatureQuery.GetAccount(entity));
      questions.add(new MultiSignatureQuery.KeysOfSchedule(entity(0), entity));
    }
    for (var event : queue.events) {
      if (event instanceof QueueEvent.Admitted taken) {
        var id = taken.schedule().id();
        if (id.family() == FamilyKind.PLAN_EXECUTION) {
          questions.add(new PlanQuery.GetExecutionById(id));
        } else if (taken.schedule().proposal().terms() instanceof MultiSignatureTerms terms) {
          questions.add(new MultiSignatureQuery.GetRecords(terms.scheduledId()));
          questions.add(new MultiSignatureQuery.KeysToCreate(entity(0), terms.creation()));
        }
      }
    }
    questions.add(new MultiSignatureQuery.GetRecords(by().id()));
    var body = Creation.of(body(), Optional.empty(), Optional.empty());
    questions.add(new MultiSignatureQuery.KeysToCreate(entity(0), body));
    questions.add(new MultiSignatureQuery.WaitingFor(keys, entities));
    questions.add(new MultiSignatureQuery.KeysOfAccounts(entities));
    var all = new EntityRange(entity(0), new EntityId(Long.MAX_VALUE), true, EntityRange.MOST);
    questions.add(new MultiSignatureQuery.AccountsIn(all));
    questions.add(new MultiSignatureQuery.SchedulesIn(all, Optional.empty()));
    var ever = new TimeRange(ConsensusTime.ZERO, ConsensusTime.ofMillis(queue.nowMs), true, 100);
    questions.add(new MultiSignatureQuery.RecordsIn(ever, Optional.empty()));
    return questions;
  }

  private static Set<String> kindsOfQuestions() {
    var kinds = new TreeSet<String>();
    Stream.of(
            GasPriorityQuery.class,
            RecurringQuery.class,
            PlanQuery.class,
            MultiSignatureQuery.class)
        .flatMap(LoadedQueueTest::kinds)
        .forEach(kinds::add);
    kinds.add(name(ToDo.class));
    return kinds;
  }

  private static Stream<String> kinds(Class<?> type) {
    return Alternatives.leaves(type, FamilyTypes::of).stream().map(LoadedQueueTest::name);
  }

  private static String name(Class<?> type) {
    var enclosing = type.getEnclosingClass();
    return (enclosing == null ? "" : enclosing.getSimpleName() + ".") + type.getSimpleName();
  }
}
