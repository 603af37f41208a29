package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.RetryPolicy;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.BindKey;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation.OpenAccount;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.plan.PlanTerms;
import dev.sequitur.schedule.queue.QueueInput.Answered;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.EntityId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What has a key in a queue is moved by its signatures, whatever family is asked (ACC-5). */
class AuthorityTest {
  private static final AccountId ALICE = new AccountId("alice");
  private static final AccountId EVE = new AccountId("eve");
  private static final AccountId WITH_KEY = EntityId.FIRST.account();
  private static final Identity TREASURY = new Identity("treasury", new NodeName("node1"));
  private static final long LATER_MS = QueueUnderTest.START_MS + 60_000;

  private final QueueUnderTest queue =
      new QueueUnderTest(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(GasPrioritySettings.DEFAULT),
              new MultiSignature(MultiSignatureSettings.MVP),
              new PlanExecutions(PlanSettings.DEFAULT)));

  AuthorityTest() {
    List.of(ALICE, EVE).forEach(account -> queue.fund(account, 100_000));
    perform(OPERATOR, new PlanOperation.AddPlan(Plan.of(1, 3_600, 100, Optional.empty())));
    perform(EVE, new PlanOperation.Purchase(0, 5, new Amount(5)));
  }

  private void perform(AccountId signer, FamilyOperation operation) {
    queue.accepted(signer, new Operation.Perform(operation));
  }

  private void open() {
    perform(OPERATOR, new OpenAccount(new Account(ALICE_KEY, false, "")));
    queue.fund(WITH_KEY, 100_000);
  }

  private void bind() {
    perform(OPERATOR, new BindKey(TREASURY, ALICE_KEY));
  }

  private static Proposal proposal(AccountId owner, Target target) {
    return Proposal.of(owner, new GasPriorityTerms(LATER_MS, 100, 5), target);
  }

  private static Target toEve() {
    return new Target.Transfer(EVE, new Amount(50_000));
  }

  private static Target.PrivateCall call() {
    return SignaturesUnderTest.call(TREASURY);
  }

  private static PlanOperation.Schedule planned(Target target) {
    return new PlanOperation.Schedule(new PlanTerms(0, LATER_MS / 1_000, Amount.ZERO), target);
  }

  private Outcome outcome(ScheduleId id) {
    return queue.outcome(id).orElseThrow().outcome();
  }

  @Test
  void anAccountWithAKeyIsNotMovedByThoseWhoOnlyNameIt() {
    open();

    assertThat(queue.refused(WITH_KEY, new Operation.Propose(proposal(WITH_KEY, toEve()))))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
    FamilyOperation purchase = new PlanOperation.Purchase(0, 1, new Amount(1));
    assertThat(queue.refused(WITH_KEY, new Operation.Perform(purchase)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
    queue.tell(
        new QueueInput.Command(
            "batch", WITH_KEY, new Operation.Batch(List.of(purchase, purchase), true)));
    assertThat(queue.last.events()).isEmpty();
    assertThat(queue.balance(WITH_KEY)).isEqualTo(100_000);
  }

  @Test
  void everybodyMayPayIntoItAndTheAdministratorOutOfIt() {
    open();

    var id = queue.insert(proposal(ALICE, new Target.Transfer(WITH_KEY, new Amount(7))));
    queue.blockAt(LATER_MS);

    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
    queue.accepted(OPERATOR, new Operation.Withdraw(WITH_KEY, new Amount(100_007)));
  }

  @Test
  void whoWantsToSignForWhatItGetsIsPaidByMultiSignatureTransfersAlone() {
    perform(OPERATOR, new OpenAccount(new Account(ALICE_KEY, true, "")));
    var gift = new Target.Transfer(WITH_KEY, new Amount(7));

    for (Target target : List.of(gift, new Target.Repeat(gift, 1_000, 2))) {
      assertThat(queue.refused(ALICE, new Operation.Propose(proposal(ALICE, target))))
          .isEqualTo(Refusal.Code.NOT_ALLOWED);
    }
    var terms = new PlanTerms(0, LATER_MS / 1_000, new Amount(7));
    FamilyOperation schedule = new PlanOperation.Schedule(terms, gift);
    assertThat(queue.refused(EVE, new Operation.Perform(schedule)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.1001", "0.0.01001", "1.2.3"})
  void nobodyPaysToANumberThatIsNoAccountYet(String name) {
    var number = new AccountId(name);
    var gift = proposal(ALICE, new Target.Transfer(number, new Amount(7)));

    assertThat(queue.refused(ALICE, new Operation.Propose(gift)))
        .isEqualTo(Refusal.Code.UNKNOWN_ACCOUNT);
    assertThat(queue.refused(OPERATOR, new Operation.Fund(number, new Amount(7))))
        .isEqualTo(Refusal.Code.UNKNOWN_ACCOUNT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.1001", "0.0.4711", "0.0.01001", "1.2.3", "0.0.99999999999999999999"})
  void nobodyActsForANumberThatIsNoAccountYet(String name) {
    var number = new AccountId(name);

    assertThat(queue.refused(number, new Operation.Propose(proposal(number, toEve()))))
        .isEqualTo(Refusal.Code.UNKNOWN_ACCOUNT);
    assertThat(queue.answer().refusal().orElseThrow().sentence())
        .startsWith("No account " + name + " is open in this queue");
    FamilyOperation purchase = new PlanOperation.Purchase(0, 1, new Amount(1));
    assertThat(queue.refused(number, new Operation.Perform(purchase)))
        .isEqualTo(Refusal.Code.UNKNOWN_ACCOUNT);
    queue.tell(
        new QueueInput.Command("batch", number, new Operation.Batch(List.of(purchase), true)));
    assertThat(queue.last.events()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"alice", "0.0", "0.0.1001.2", "v0.0.1001", "0.0.x", "192.168.1.7"})
  void namesThatAreNoNumbersActAsBefore(String name) {
    var account = new AccountId(name);
    queue.fund(account, 100_000);

    var id = queue.insert(proposal(account, toEve()));
    queue.blockAt(LATER_MS);

    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
  }

  @Test
  void anAdministratorWhoIsCalledByANumberKeepsActing() {
    var number = new AccountId("0.0.2");
    var own =
        new QueueUnderTest(QueueSetup.of(number, new GasPriority(GasPrioritySettings.DEFAULT)));

    own.accepted(number, new Operation.Fund(number, new Amount(1_000)));
    own.insert(proposal(number, toEve()));
  }

  /** Such a schedule may be in a queue whose journal an earlier version began. */
  @Test
  void whatWasScheduledBeforeTheNumberHadAnAccountDoesNotMoveIt() {
    var setup =
        QueueSetup.of(
            WITH_KEY,
            new GasPriority(GasPrioritySettings.DEFAULT),
            new MultiSignature(MultiSignatureSettings.MVP));
    var earlier = new QueueUnderTest(setup);
    earlier.accepted(WITH_KEY, new Operation.Fund(WITH_KEY, new Amount(100_000)));
    var before = earlier.insert(proposal(WITH_KEY, toEve()));
    earlier.accepted(
        WITH_KEY, new Operation.Perform(new OpenAccount(new Account(ALICE_KEY, false, ""))));

    earlier.blockAt(LATER_MS);

    assertThat(earlier.outcome(before).orElseThrow().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(earlier.balance(EVE)).isZero();
    assertThat(earlier.balance(WITH_KEY)).isEqualTo(100_000);
  }

  @Test
  void fromAnIdentityWithAKeyNothingIsScheduledWithoutItsSignature() {
    bind();

    assertThat(queue.refused(EVE, new Operation.Propose(proposal(EVE, call()))))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
    assertThat(queue.refused(EVE, new Operation.Perform(planned(call()))))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
    assertThat(queue.answer().refusal().orElseThrow().sentence())
        .contains("treasury@node1")
        .contains("ScheduleCreate");
    var batch =
        new PlanOperation.BatchSchedule(
            List.of(planned(new Target.Notify(Bytes.utf8("soon"))), planned(call())), Amount.ZERO);
    assertThat(queue.refused(EVE, new Operation.Perform(batch)))
        .isEqualTo(Refusal.Code.NOT_ALLOWED);
  }

  @Test
  void aKeyThatIsBoundAfterTheCreationStopsItAtTheStart() {
    var gas = queue.insert(proposal(EVE, call()));
    perform(EVE, planned(call()));
    var planned = queue.last.events().stream().filter(QueueEvent.Admitted.class::isInstance);
    var plan = ((QueueEvent.Admitted) planned.findAny().orElseThrow()).schedule().id();
    bind();

    queue.blockAt(LATER_MS);

    assertThat(queue.handedOver()).isEmpty();
    assertThat(outcome(gas)).isEqualTo(Outcome.FAILED);
    assertThat(outcome(plan)).isEqualTo(Outcome.FAILED);
    assertThat(queue.outcome(gas).orElseThrow().note()).contains("treasury@node1");
    assertThat(queue.state.book().holds().keySet())
        .as("gas refunded; what was bought stays")
        .hasSize(1);
  }

  @Test
  void aKeyThatIsBoundBetweenTwoAttemptsStopsTheSecond() {
    var twice = new RetryPolicy(2, new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    var plain = proposal(EVE, call());
    var id =
        queue.insert(
            new Proposal(EVE, plain.terms(), plain.target(), LatePolicy.AS_SPECIFIED, twice));
    queue.blockAt(LATER_MS);
    var first = queue.handedOver().get(0).key();
    queue.tell(new Answered(first, new Conclusion.Failed(1, "not taken", true)));
    bind();

    queue.blockAt(LATER_MS + 5_000);

    assertThat(queue.handedOver()).isEmpty();
    assertThat(outcome(id)).isEqualTo(Outcome.FAILED);
    assertThat(queue.balance(EVE)).isLessThanOrEqualTo(100_000);
  }

  @Test
  void whatIsOutIsNotCalledBackByAKeyThatComesLater() {
    var id = queue.insert(proposal(EVE, call()));
    queue.blockAt(LATER_MS);
    var key = queue.handedOver().get(0).key();
    bind();

    queue.recover();
    assertThat(queue.handedOver()).hasSize(1);
    queue.tell(new Answered(key, new Conclusion.Succeeded(1)));

    assertThat(outcome(id)).isEqualTo(Outcome.RUN);
  }

  @Test
  void anIdentityWithoutAKeyIsTheNodesOwners() {
    perform(OPERATOR, new BindKey(new Identity("other", new NodeName("node1")), key(9)));

    queue.insert(proposal(EVE, call()));
    queue.blockAt(LATER_MS);

    assertThat(queue.handedOver()).hasSize(1);
  }
}
