package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriorityQuery;
import dev.sequitur.schedule.multisignature.Approval;
import dev.sequitur.schedule.multisignature.EntityRange;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer;
import dev.sequitur.schedule.multisignature.MultiSignatureNotice;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureResult;
import dev.sequitur.schedule.multisignature.ScheduleInfo;
import dev.sequitur.schedule.multisignature.TimeRange;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueEffect.Publish;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import java.io.NotSerializableException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said between the JVMs of a node about multi-signature and gas-priority schedules. */
class MultiSignatureMessagesTest {
  private static ActorSystem<Void> system;
  private static SchedulerSerializer serializer;
  private static ActorRef<QueueReply> asking;

  @BeforeAll
  static void start() {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "serializer",
            ConfigFactory.parseString("akka.loglevel = WARNING")
                .withFallback(ConfigFactory.defaultReference()));
    serializer = new SchedulerSerializer((ExtendedActorSystem) Adapter.toClassic(system));
    asking = system.systemActorOf(Behaviors.ignore(), "asking", Props.empty());
  }

  @AfterAll
  static void stop() {
    system.terminate();
  }

  private static void assertArrivesAsItWas(Object message) {
    var bytes = serializer.toBinary(message);
    try {
      assertThat(serializer.fromBinary(bytes, serializer.manifest(message))).isEqualTo(message);
    } catch (NotSerializableException e) {
      throw new AssertionError(e);
    }
  }

  static List<FamilyQuery<?>> queries() {
    var id = SigningSamples.SCHEDULE;
    return List.of(
        new MultiSignatureQuery.ScheduleGetInfo(id),
        new MultiSignatureQuery.GetRecords(SigningSamples.ID.triggered(-1)),
        new MultiSignatureQuery.GetAccount(SigningSamples.ALICE),
        new MultiSignatureQuery.WaitingFor(List.of(SigningSamples.SECP256K1), List.of(id)),
        new MultiSignatureQuery.KeysToCreate(SigningSamples.ALICE, SigningSamples.creation()),
        new MultiSignatureQuery.KeysOfSchedule(SigningSamples.ALICE, id),
        new MultiSignatureQuery.KeysOfAccounts(List.of(SigningSamples.ALICE)),
        new MultiSignatureQuery.AccountsIn(EntityRange.of(SigningSamples.ALICE)),
        new MultiSignatureQuery.SchedulesIn(
            new EntityRange(SigningSamples.ALICE, id, true, 7), Optional.of(SigningSamples.ALICE)),
        new MultiSignatureQuery.RecordsIn(
            new TimeRange(ConsensusTime.ZERO, SigningSamples.ID.validStart(), true, 7),
            Optional.of(SigningSamples.ALICE)),
        new GasPriorityQuery.GetReadyTransactions(1_795_255_500_000L),
        new GasPriorityQuery.WhyUnreached(id.schedule()));
  }

  static List<Object> answers() {
    var info =
        new ScheduleInfo(
            SigningSamples.terms(),
            List.of(SigningSamples.ED25519, SigningSamples.SECP256K1),
            List.of(
                new Approval(
                    Optional.of(SigningSamples.ALICE),
                    Optional.empty(),
                    SigningSamples.NESTED,
                    true),
                new Approval(
                    Optional.empty(),
                    Optional.of(new Identity("bob", new NodeName("node1"))),
                    SigningSamples.ED25519,
                    false)),
            Optional.of(SigningSamples.ID.validStart()),
            Optional.empty());
    var schedule =
        new Schedule(
            SigningSamples.SCHEDULE.schedule(),
            7,
            SigningSamples.proposal(),
            0,
            DueKey.of(5, ~0L, SigningSamples.BODY.hash()));
    return List.of(
        new MultiSignatureAnswer.InfoFound(ResponseCode.OK, Optional.of(info)),
        new MultiSignatureAnswer.InfoFound(ResponseCode.SCHEDULE_DELETED, Optional.empty()),
        new MultiSignatureAnswer.Records(List.of(SigningSamples.record())),
        new MultiSignatureAnswer.RecordsFound(
            ResponseCode.OK,
            List.of(
                new MultiSignatureAnswer.RecordsFound.Found(
                    SigningSamples.record(), Optional.of(SigningSamples.terms()))),
            Optional.of(SigningSamples.ID.validStart()),
            ConsensusTime.ZERO),
        new MultiSignatureAnswer.AccountFound(
            Optional.of(new Account(SigningSamples.NESTED, true, "memo")), false),
        new MultiSignatureAnswer.AccountFound(Optional.empty(), true),
        new MultiSignatureAnswer.AccountsFound(
            SigningSamples.ID.validStart(),
            List.of(
                new MultiSignatureAnswer.Holder(
                    SigningSamples.ALICE,
                    new Account(SigningSamples.NESTED, true, "memo"),
                    new Amount(7)))),
        new MultiSignatureAnswer.InfosFound(
            ResponseCode.OK, List.of(info), Optional.of(SigningSamples.SCHEDULE)),
        new MultiSignatureAnswer.Schedules(List.of(SigningSamples.SCHEDULE)),
        new MultiSignatureAnswer.SigningKeys(
            List.of(SigningSamples.ED25519),
            List.of(SigningSamples.SECP256K1),
            SigningSamples.BODY.bytes(),
            Long.MAX_VALUE),
        new GasPriorityQuery.ReadyTransactions(
            List.of(new GasPriorityQuery.ReadyTransaction(schedule, 5))),
        new GasPriorityQuery.Unreached(Optional.of("As things stand it will not be run.")));
  }

  static List<MultiSignatureOperation> operations() {
    return List.of(
        SigningSamples.create(),
        new MultiSignatureOperation.ScheduleSign(
            SigningSamples.submission(), SigningSamples.SCHEDULE, SigningSamples.signatures()),
        new MultiSignatureOperation.ScheduleDelete(
            SigningSamples.submission(), SigningSamples.SCHEDULE),
        new MultiSignatureOperation.CryptoCreate(
            SigningSamples.submission(), SigningSamples.account()),
        new MultiSignatureOperation.CryptoUpdate(
            SigningSamples.submission(), SigningSamples.ALICE, SigningSamples.NESTED),
        new MultiSignatureOperation.CryptoUpdate(
            SigningSamples.submission(),
            SigningSamples.ALICE,
            new AccountChange(
                Optional.of(SigningSamples.NESTED),
                Optional.of(true),
                Optional.of("memo"),
                Optional.of(3_000_000L),
                Optional.of(false),
                Optional.of(-1L),
                Optional.of(Integer.MIN_VALUE),
                Optional.of(new AccountChange.Stake(true, 5)))),
        new MultiSignatureOperation.QueryPayment(
            SigningSamples.submission(),
            new Action.CryptoTransfer(
                List.of(
                    new AccountAmount(SigningSamples.ALICE, -5),
                    new AccountAmount(new EntityId(3), 5))),
            new EntityId(3)),
        new MultiSignatureOperation.OpenAccount(new Account(SigningSamples.NESTED, false, "")),
        new MultiSignatureOperation.BindKey(
            new Identity("alice", new NodeName("node1")), SigningSamples.SECP256K1),
        new MultiSignatureOperation.CryptoTransfer(
            SigningSamples.submission(),
            new Action.CryptoTransfer(
                List.of(
                    new AccountAmount(SigningSamples.ALICE, -5),
                    new AccountAmount(new EntityId(2), 5)))),
        new MultiSignatureOperation.RecordRefusal(
            SigningSamples.submission(),
            TransactionReceipt.of(ResponseCode.INVALID_SCHEDULE_ID),
            "ScheduleSign"),
        new MultiSignatureOperation.CryptoDelete(
            SigningSamples.submission(), SigningSamples.ALICE, new EntityId(2)),
        new MultiSignatureOperation.OpenReserved(
            new EntityId(2), new Account(SigningSamples.NESTED, false, ""), new Amount(7)));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void aQuestionArrivesAsItWasAsked(FamilyQuery<?> query) {
    assertArrivesAsItWas(new QueueRequest.Ask(new QueueQuestion.OfFamily(query), asking));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerArrivesAsItWasGiven(Object answer) {
    assertArrivesAsItWas(new QueueReply.Said(answer));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationArrivesAsItWasSubmitted(MultiSignatureOperation operation) {
    var command = new Command("c", new AccountId("0.0.1001"), new Operation.Perform(operation));
    assertArrivesAsItWas(new QueueRequest.Submit(List.of(command, command), asking));
    assertArrivesAsItWas(
        new QueueRequest.Submit(
            List.of(
                new Command(
                    "batch",
                    new AccountId("0.0.1001"),
                    new Operation.Batch(List.of(operation, operation), true))),
            asking));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void eachResponseCodeArrives(ResponseCode code) {
    var profile = code.number(Profile.MVP).isPresent() ? Profile.MVP : Profile.CURRENT;
    var result =
        new MultiSignatureResult(SigningSamples.receipt(code), code.number(profile).orElseThrow());
    Optional<Refusal> refusal = Optional.of(code.refusal(profile));
    assertArrivesAsItWas(
        new QueueReply.Answers(
            List.of(new Answer("c", Optional.empty(), refusal, Optional.of(result)))));
  }

  static Stream<ResponseCode> codes() {
    return Stream.of(ResponseCode.values());
  }

  @Test
  void whatIsExportedArrivesAtListenersElsewhere() {
    var exported = new MultiSignatureNotice.Exported(SigningSamples.record());
    assertArrivesAsItWas(
        new QueueNotices(
            "default", List.of(new Publish(new Notice.OfFamily(exported), Optional.empty()))));
  }

  @Test
  void noQuestionAnswerOrOperationIsLeftOutHere() {
    assertComplete(MultiSignatureQuery.class, queries());
    assertComplete(GasPriorityQuery.class, queries());
    assertComplete(MultiSignatureAnswer.class, answers());
    assertComplete(MultiSignatureOperation.class, operations());
  }

  private static void assertComplete(Class<?> type, List<?> samples) {
    var sampled = new TreeSet<String>();
    samples.forEach(sample -> sampled.add(sample.getClass().getName()));
    assertThat(sampled).containsAll(records(type).map(Class::getName).toList());
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isRecord()
        ? Stream.of(type)
        : Stream.of(type.getPermittedSubclasses()).flatMap(MultiSignatureMessagesTest::records);
  }

  @Test
  void whatIsNotOursIsRefusedWithItsName() {
    assertThatThrownBy(() -> serializer.fromBinary(new byte[] {1}, "Letter"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("Letter");
    assertThatThrownBy(() -> serializer.fromBinary(new byte[] {99, 0}, "QueueReply"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("run the same Sequitur in all of them")
        .hasMessageContaining("version 99");
  }
}
