package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.RecurringTerms;
import dev.sequitur.schedule.recurring.ResumeSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The accounts of the book itself, and those that hold a token, act for nobody (ACC-4). */
class ReservedAccountsTest {
  private static final List<String> NAMES =
      List.of("@outside", "@held", "@fees", "@anything", "alice#usd");
  private static final Target NOTICE = new Target.Notify(Bytes.utf8("hello"));
  private static final Target PAY = new Target.Transfer(ALICE, new Amount(1));
  private static final PlanTerms TERMS = new PlanTerms(0, 2_000, Amount.ZERO);
  private static final PlanOperation.Schedule SCHEDULE =
      new PlanOperation.Schedule(TERMS, NOTICE, LatePolicy.AS_SPECIFIED, RetryPolicy.NEVER);

  private final QueueUnderTest queue =
      new QueueUnderTest(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(GasPrioritySettings.DEFAULT),
              new PlanExecutions(PlanSettings.DEFAULT),
              new Recurring(RecurringSettings.DEFAULT)));

  /** Whatever somebody signs, with the signer's name in it where it has a place. */
  private static List<Function<AccountId, Operation>> signed() {
    var someone = AlicesProposals.newQueue().insert(AlicesProposals.pay(200, 7));
    var operations = new ArrayList<Function<AccountId, Operation>>();
    operations.add(name -> new Operation.Fund(ALICE, new Amount(1)));
    operations.add(name -> new Operation.Withdraw(ALICE, new Amount(1)));
    operations.add(name -> new Operation.Pause(FamilyKind.RECURRING));
    operations.add(name -> new Operation.Shutdown(FamilyKind.RECURRING));
    operations.add(name -> new Operation.Cancel(someone));
    operations.add(name -> new Operation.Propose(gasPriority(name)));
    operations.add(name -> new Operation.Propose(recurring(name)));
    operations.add(name -> new Operation.Perform(new ResumeSeries(someone)));
    Stream.of(
            new PlanOperation.AddPlan(plan()),
            new PlanOperation.SetPayee(ALICE),
            new PlanOperation.Pause(),
            new PlanOperation.Purchase(0, 1, new Amount(5)),
            SCHEDULE,
            new PlanOperation.BatchSchedule(List.of(SCHEDULE), Amount.ZERO))
        .forEach(operation -> operations.add(name -> new Operation.Perform(operation)));
    return operations;
  }

  private static Proposal gasPriority(AccountId owner) {
    return Proposal.of(owner, new GasPriorityTerms(QueueUnderTest.START_MS + 60_000, 100, 1), PAY);
  }

  private static Proposal recurring(AccountId owner) {
    var times = List.of(Duration.ofHours(2).toMillis());
    return Proposal.of(owner, new RecurringTerms(Bytes.utf8("a"), times), PAY);
  }

  private static Plan plan() {
    return Plan.of(5, 100, 1_000, Optional.empty());
  }

  private static Stream<Arguments> bySignerAndOperation() {
    return NAMES.stream()
        .map(AccountId::new)
        .flatMap(
            name -> signed().stream().map(operation -> Arguments.of(name, operation.apply(name))));
  }

  @ParameterizedTest
  @MethodSource("bySignerAndOperation")
  void nobodySignsByItsName(AccountId name, Operation operation) {
    queue.fund(ALICE, 1_000);
    queue.accepted(OPERATOR, new Operation.Perform(new PlanOperation.AddPlan(plan())));

    queue.refused(name, operation);

    assertThat(queue.balance(ALICE)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@outside", "@held", "@fees", "@anything", "alice#usd"})
  void noScheduleNamesItAsItsReceiver(String name) {
    assertThatThrownBy(() -> new Target.Transfer(new AccountId(name), new Amount(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@outside", "@held", "@fees", "@anything", "@held#usd"})
  void theAdministratorPaysNothingIntoIt(String name) {
    queue.refused(OPERATOR, new Operation.Fund(new AccountId(name), new Amount(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@outside", "@held", "@anything", "@held#usd"})
  void theAdministratorTakesNothingOutOfItButTheFees(String name) {
    queue.fund(ALICE, 1_000);
    queue.accepted(ALICE, new Operation.Propose(gasPriority(ALICE)));
    assertThat(queue.balance(AccountId.HELD)).isPositive();

    queue.refused(OPERATOR, new Operation.Withdraw(new AccountId(name), new Amount(1)));
    queue.refused(OPERATOR, new Operation.Perform(new PlanOperation.SetPayee(new AccountId(name))));
  }
}
