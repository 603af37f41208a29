package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ExtendedActorSystem;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Cost;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ParkedFor;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.execution.Attempted;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Posting;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Subject;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanQuery;
import dev.sequitur.schedule.plan.PlanResult;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.schedule.queue.Explanation;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.History;
import dev.sequitur.schedule.queue.Outcomes;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.Statement;
import dev.sequitur.scheduler.CalendarQuery;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.KnownSchedule;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.QueueOverview;
import dev.sequitur.scheduler.QueueOverview.PartitionOverview;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import dev.sequitur.scheduler.storage.Golden;
import dev.sequitur.scheduler.storage.Layouts;
import dev.sequitur.scheduler.storage.QueueFormat;
import java.io.IOException;
import java.io.NotSerializableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the JVMs of a node say to each other about plans and recurring tasks arrives as it was. */
class SchedulerSerializerTest {
  private static final Cost COST =
      new Cost(
          3,
          10,
          new Amount(30),
          new Amount(270),
          Optional.of(new Cost.Parties(PlanAndRecurringMessages.ALICE, AccountId.FEES)));
  private static final Optional<TransactionId> PRIVATE_TRANSACTION =
      Optional.of(new TransactionId(new UUID(1, -2)));
  private static final OccurrenceKey KEY =
      new OccurrenceKey(PlanAndRecurringMessages.EXECUTION, 7, 2, 3);

  private static ActorTestKit kit;
  private static SchedulerSerializer serializer;
  private static ActorRef<QueueReply> asker;

  @BeforeAll
  static void start() {
    kit = ActorTestKit.create();
    serializer = new SchedulerSerializer((ExtendedActorSystem) Adapter.toClassic(kit.system()));
    asker = kit.<QueueReply>createTestProbe().getRef();
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  @Test
  void noLayoutOfAMessageChangesUnnoticed() throws IOException {
    var layouts = new Layouts(new QueueFormat(SchedulerSerializer.MESSAGES, Map.of()));
    SchedulerSerializer.TYPES.values().forEach(layouts::add);
    SchedulerSerializer.MESSAGES.forEach(table -> table.numbers().keySet().forEach(layouts::add));

    assertThat(layouts.text())
        .isEqualTo(Golden.ofThisVersion("queue-messages", "txt", layouts.text()));
  }

  private static void arrivesAsItWas(Object message) {
    try {
      var manifest = serializer.manifest(message);
      var read = serializer.fromBinary(serializer.toBinary(message), manifest);
      assertThat(read).isEqualTo(message);
    } catch (NotSerializableException e) {
      throw new AssertionError(message.toString(), e);
    }
  }

  @ParameterizedTest
  @MethodSource
  void eachOperationArrivesAsItWas(FamilyOperation operation) {
    var command =
        new Command("command-1", PlanAndRecurringMessages.ALICE, new Operation.Perform(operation));
    arrivesAsItWas(new QueueRequest.Submit(List.of(command), asker));
  }

  static Stream<FamilyOperation> eachOperationArrivesAsItWas() {
    return PlanAndRecurringMessages.operations().stream();
  }

  @Test
  void aMulticallArrivesAsItWas() {
    var batch = new Operation.Batch(PlanAndRecurringMessages.operations(), true);
    var command = new Command("command-2", PlanAndRecurringMessages.ALICE, batch);
    arrivesAsItWas(new QueueRequest.Submit(List.of(command), asker));
  }

  @Test
  void eachProposalWithItsCadenceAndPoliciesArrivesAsItWas() {
    var commands = new ArrayList<Command>();
    PlanAndRecurringMessages.proposals()
        .forEach(
            proposal ->
                commands.add(
                    new Command(
                        "command-" + commands.size(),
                        proposal.owner(),
                        new Operation.Propose(proposal))));
    arrivesAsItWas(new QueueRequest.Submit(commands, asker));
  }

  @ParameterizedTest
  @EnumSource(FamilyKind.class)
  void whatIsAskedOfAnyFamilyArrivesAsItWas(FamilyKind family) {
    var id = PlanAndRecurringMessages.TASK;
    var queries =
        List.of(
            new QueueQuestion.Explain(id),
            new QueueQuestion.CountMoney(),
            new QueueQuestion.Overview(),
            new QueueQuestion.Find(id),
            new QueueQuestion.Page(
                new ScheduleQuery(
                    Optional.of(family),
                    Optional.of(PlanAndRecurringMessages.ALICE),
                    Optional.of(ScheduleState.PARKED),
                    Optional.of("rent"),
                    Optional.of(Instant.EPOCH),
                    Optional.empty(),
                    Optional.of(id),
                    1_000,
                    Optional.of(7))),
            new QueueQuestion.ByDue(
                new DueQuery(
                    ScheduleQuery.first(9),
                    Optional.of(new DuePlace(Long.MAX_VALUE, DueKey.of(-1, -1), id)))),
            new QueueQuestion.Times(id, 7),
            new QueueQuestion.Comes(
                new CalendarQuery(
                    Instant.EPOCH,
                    Instant.EPOCH.plusSeconds(7),
                    Optional.of(family),
                    Optional.of(PlanAndRecurringMessages.ALICE),
                    Optional.of("rent"),
                    9)),
            new QueueQuestion.Available(PlanAndRecurringMessages.ALICE),
            new QueueQuestion.Statement(OutcomeQuery.from(7, 9)),
            new QueueQuestion.FamilyKnows(family),
            new QueueQuestion.Foresee(family, Instant.parse("2030-01-31T12:00:00.123456789Z")));
    arrivesAsItWas(
        new QueueRequest.Ask(
            new QueueQuestion.Outcomes(
                new OutcomeQuery(
                    7,
                    1_000,
                    Optional.of(FamilyKind.RECURRING),
                    Optional.of(PlanAndRecurringMessages.ALICE),
                    Optional.empty(),
                    Optional.of(Outcome.MISSED),
                    Optional.of(Instant.EPOCH),
                    Optional.empty(),
                    Optional.of("rent"))),
            asker));
    var repeated =
        new Command(
            "command-9", PlanAndRecurringMessages.ALICE, new Operation.Pause(FamilyKind.RECURRING));
    arrivesAsItWas(new QueueRequest.Ask(new QueueQuestion.Remembered(repeated), asker));
    queries.forEach(question -> arrivesAsItWas(new QueueRequest.Ask(question, asker)));
    for (var operation :
        List.of(
            new Operation.Pause(family),
            new Operation.Resume(family),
            new Operation.Shutdown(family))) {
      var command = new Command("command-3", PlanAndRecurringMessages.ALICE, operation);
      arrivesAsItWas(new QueueRequest.Submit(List.of(command), asker));
    }
  }

  @ParameterizedTest
  @MethodSource
  void eachQueryOfPlansArrivesAsItWas(PlanQuery<?> query) {
    arrivesAsItWas(new QueueRequest.Ask(new QueueQuestion.OfFamily(query), asker));
  }

  static Stream<PlanQuery<?>> eachQueryOfPlansArrivesAsItWas() {
    return PlanAndRecurringMessages.queries().stream();
  }

  @ParameterizedTest
  @MethodSource
  void eachAnswerToThemArrivesAsItWas(Object answer) {
    arrivesAsItWas(new QueueReply.Said(answer));
  }

  static Stream<Object> eachAnswerToThemArrivesAsItWas() {
    return PlanAndRecurringMessages.answers().stream();
  }

  @Test
  void eachResultOfAnOperationArrivesAsItWas() {
    var answers = new ArrayList<Answer>();
    PlanAndRecurringMessages.results()
        .forEach(
            result ->
                answers.add(
                    new Answer("c", Optional.empty(), Optional.empty(), Optional.of(result))));
    arrivesAsItWas(new QueueReply.Answers(List.copyOf(answers)));
    arrivesAsItWas(new QueueReply.Answers(List.of(new BatchAnswer("c", false, answers))));
  }

  @ParameterizedTest
  @EnumSource(Refusal.Code.class)
  void eachRefusalArrivesAsItWas(Refusal.Code code) {
    var refusal = Optional.of(new Refusal(code, "Try again later."));
    arrivesAsItWas(
        new QueueReply.Answers(
            List.of(new Answer("c", Optional.empty(), refusal, Optional.empty()))));
  }

  @Test
  void whatIsToldOfAScheduleArrivesAsItWas() {
    var recorded =
        new History.Recorded(
            KEY,
            720,
            Outcome.FAILED,
            new ConsensusTime(77),
            "It reverted.",
            COST,
            PRIVATE_TRANSACTION,
            Optional.of(PlanAndRecurringMessages.TASK),
            PlanAndRecurringMessages.proposals().getFirst(),
            Optional.of(new ConsensusTime(76)),
            List.of(
                new Attempted(new ConsensusTime(76), "It reverted."),
                new Attempted(new ConsensusTime(77), "")),
            new Amount(95));
    arrivesAsItWas(
        new QueueReply.Explained(
            new Explanation("It was started.", PRIVATE_TRANSACTION, List.of(recorded))));
    var numbered = new Outcomes.Numbered(Long.MAX_VALUE, recorded);
    arrivesAsItWas(new QueueReply.Happened(new Outcomes(List.of(numbered), true, 8)));
    var bought =
        new Posting(
            PlanAndRecurringMessages.ALICE,
            Posting.Kind.SET_ASIDE,
            new Amount(5),
            Optional.of(AccountId.FEES),
            "plan 0");
    var booked = new History.Booked(new ConsensusTime(9), bought);
    var page = new Happenings(List.of(new Happenings.Numbered(8, booked)), true, 9);
    arrivesAsItWas(
        new QueueReply.Stated(
            new Statement(PlanAndRecurringMessages.ALICE, new Amount(7), new Amount(5), 9, page)));
    var views = new ArrayList<ScheduleView>();
    for (var proposal : PlanAndRecurringMessages.proposals()) {
      var schedule =
          new Schedule(
              PlanAndRecurringMessages.TASK,
              7,
              proposal,
              2,
              DueKey.parked(7, ParkedFor.FEE_UNPAID));
      views.add(new ScheduleView(schedule, Optional.empty(), true));
    }
    arrivesAsItWas(
        new QueueReply.Paged(
            new SchedulePage(views, Optional.of(PlanAndRecurringMessages.TASK), 7)));
    var place = new DuePlace(5, DueKey.of(6, 7), PlanAndRecurringMessages.TASK);
    arrivesAsItWas(
        new QueueReply.Due(
            new DuePage(
                List.of(new DuePage.Placed(place, views.getFirst())), Optional.of(place), 7)));
    var known = new KnownSchedule(Optional.of(views.get(0)), Optional.of(recorded));
    arrivesAsItWas(new QueueReply.Found(known));
    arrivesAsItWas(new QueueReply.Found(new KnownSchedule(Optional.empty(), Optional.empty())));
    arrivesAsItWas(new QueueReply.Balance(new Amount(Long.MAX_VALUE)));
    arrivesAsItWas(
        new QueueReply.Foreseen(
            Optional.of(new Forecast(new ConsensusTime(3_600), 1, 256, 1, false))));
    var family =
        new QueueOverview.FamilyOverview(FamilyKind.PLAN_EXECUTION, Service.SHUTTING_DOWN, 3);
    arrivesAsItWas(
        new QueueReply.Overviewed(
            new QueueOverview(
                new ConsensusTime(9),
                4,
                3,
                2,
                List.of(family),
                Optional.of(new ConsensusTime(7)),
                List.of(new PartitionOverview(1, 3, 2, 1, Optional.empty())))));
  }

  private static final Subject SUBJECT =
      new Subject(
          FamilyKind.RECURRING,
          PlanAndRecurringMessages.ALICE,
          Optional.of(new ContractAddress("0x" + "11".repeat(20))),
          Optional.empty(),
          List.of("rent"));

  @Test
  void whatListenersAreToldArrivesAsItWas() {
    arrivesAsItWas(
        new QueueNotices(
            "default",
            Stream.of(
                    new Notice.Intervened(
                        PlanAndRecurringMessages.TASK,
                        PlanAndRecurringMessages.ALICE,
                        new Intervention(
                            Intervention.Kind.SKIP_NEXT,
                            PlanAndRecurringMessages.ALICE,
                            new ConsensusTime(76),
                            2,
                            "a holiday")),
                    new Notice.Parked(
                        PlanAndRecurringMessages.TASK,
                        PlanAndRecurringMessages.ALICE,
                        "Resume it."),
                    new Notice.Ended(
                        new History.Recorded(
                            KEY,
                            1,
                            Outcome.REFUNDED,
                            new ConsensusTime(7),
                            "overdue",
                            Cost.NONE,
                            Optional.empty(),
                            Optional.empty(),
                            PlanAndRecurringMessages.proposals().getFirst(),
                            Optional.empty(),
                            List.of(),
                            Amount.ZERO)),
                    new Notice.Submitted(
                        KEY, PlanAndRecurringMessages.ALICE, PRIVATE_TRANSACTION.orElseThrow()),
                    new Notice.ShutdownComplete(FamilyKind.RECURRING))
                .map(notice -> new Publish(notice, Optional.of(SUBJECT)))
                .toList()));
  }

  /** So that what is new cannot be forgotten here. */
  @Test
  void nothingOfTheTwoFamiliesIsLeftOut() {
    assertThat(kinds(PlanAndRecurringMessages.operations()))
        .containsAll(Arbitrary.leaves(PlanOperation.class).toList());
    assertThat(kinds(PlanAndRecurringMessages.queries()))
        .containsAll(Arrays.asList(PlanQuery.class.getPermittedSubclasses()));
    assertThat(kinds(PlanAndRecurringMessages.results()))
        .containsAll(Arrays.asList(PlanResult.class.getPermittedSubclasses()));
    var answers =
        Stream.of(PlanQuery.class.getDeclaredClasses())
            .filter(type -> !PlanQuery.class.isAssignableFrom(type));
    assertThat(kinds(PlanAndRecurringMessages.answers())).containsAll(answers.toList());
  }

  private static Set<Class<?>> kinds(List<?> values) {
    var kinds = new HashSet<Class<?>>();
    values.forEach(value -> kinds.add(value.getClass()));
    return kinds;
  }

  @Test
  void bytesOfAnotherKindAreRefusedAndNotGuessed() {
    var bytes = serializer.toBinary(new QueueReply.Said(new PlanQuery.Count(1)));
    assertThatThrownBy(() -> serializer.fromBinary(bytes, "QueueRumour"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("QueueRumour");
    assertThatThrownBy(() -> serializer.fromBinary(new byte[0], "QueueReply"))
        .isInstanceOf(NotSerializableException.class);
  }
}
