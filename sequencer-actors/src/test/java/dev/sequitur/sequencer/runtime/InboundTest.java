package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import dev.sequitur.sequencer.actor.ChangeKeeper;
import dev.sequitur.sequencer.actor.CoordinatorActor;
import dev.sequitur.sequencer.actor.EndorserActor;
import dev.sequitur.sequencer.actor.Founder;
import dev.sequitur.sequencer.actor.MessageBookActor;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import dev.sequitur.sequencer.actor.SubmitterActor;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.SequencerMetrics.Dropped;
import dev.sequitur.sequencer.setup.SequencerMetrics.Reached;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What comes from other nodes, for each kind of message there is. Probes stand for the entities:
 * what none of them is told changes no state. None of these tests waits for something that must not
 * come: after it a member sends one more message to everybody, which then has to be the first.
 */
class InboundTest {
  private static final NodeName MEMBER = new NodeName("node2");

  /** Of another group of this node. */
  private static final NodeName STRANGER = new NodeName("node3");

  private static final NodeName OF_NO_GROUP = new NodeName("node4");
  private static final NodeName SELF = new NodeName("node1");
  private static final Set<EntityTypeKey<?>> ROLES =
      Set.of(
          SenderActor.KEY,
          CoordinatorActor.KEY,
          EndorserActor.KEY,
          SubmitterActor.KEY,
          StateStoreActor.KEY,
          MessageBookActor.KEY);

  /** Who is told what; a kind that is not here has no test. */
  private static final Map<Class<?>, Set<EntityTypeKey<?>>> RECEIVERS = receivers();

  @TempDir private static Path directory;

  private static ScriptedPorts ports;
  private static ActorFixture actors;
  private static NodeServices services;
  private static final List<Envelope> ANSWERS = new CopyOnWriteArrayList<>();
  private static Inbound inbound;
  private static volatile boolean here = true;
  private static Arbitrary any;
  private static PrivacyGroup group;
  private static PrivacyGroup withStranger;
  private static final Map<EntityTypeKey<?>, TestProbe<Object>> ENTITIES = new HashMap<>();

  private static Map<Class<?>, Set<EntityTypeKey<?>>> receivers() {
    var receivers = new HashMap<Class<?>, Set<EntityTypeKey<?>>>();
    for (var kind :
        List.of(
            DelegationAccepted.class,
            DelegationRejected.class,
            AssembleRequest.class,
            RequestDispatchConfirmation.class,
            Dispatched.class,
            TransactionReverted.class,
            SubmitterHeartbeatNotification.class,
            PreparedTransactionDistribution.class)) {
      receivers.put(kind, Set.of(SenderActor.KEY));
    }
    for (var kind :
        List.of(
            DelegationCommand.class,
            AssembleResponse.class,
            AssembleError.class,
            EndorsementResponse.class,
            EndorsementError.class,
            DispatchConfirmationResponse.class,
            StartupNotificationAcknowledgement.class,
            PreparedTransactionAcknowledgement.class)) {
      receivers.put(kind, Set.of(CoordinatorActor.KEY));
    }
    for (var kind : List.of(CoordinatorHeartbeatNotification.class, StartupNotification.class)) {
      receivers.put(kind, Set.of(SenderActor.KEY, CoordinatorActor.KEY, EndorserActor.KEY));
    }
    for (var kind :
        List.of(
            StateDistribution.class,
            StateDistributionAcknowledgement.class,
            StateContentsRequest.class,
            StateContentsResponse.class,
            StateErasure.class,
            StateErasureAnswer.class)) {
      receivers.put(kind, Set.of(StateStoreActor.KEY));
    }
    receivers.put(EndorsementRequest.class, Set.of(EndorserActor.KEY));
    receivers.put(
        TransactionRevertedAcknowledgement.class, Set.of(CoordinatorActor.KEY, SubmitterActor.KEY));
    // Of no other node it is believed (DSP-7).
    receivers.put(Dispatch.class, Set.of());
    for (var kind : List.of(GroupMessages.class, GroupMessagesAcknowledgement.class)) {
      receivers.put(kind, Set.of(MessageBookActor.KEY));
    }
    // The JVM that a trace is gathered by has no entity for that.
    receivers.put(TraceRequest.class, Set.of());
    receivers.put(TraceResponse.class, Set.of());
    return Map.copyOf(receivers);
  }

  @BeforeAll
  static void start() {
    ports = new ScriptedPorts();
    actors = new ActorFixture(directory);
    services = actors.services(ports.setup(0));
    any = new Arbitrary(11);
    group = newGroup(SELF, MEMBER);
    withStranger = newGroup(SELF, STRANGER);
    any.with(ContractAddress.class, group.contract());
    for (var role : ROLES) {
      ENTITIES.put(role, actors.initProbe(role));
    }
    inbound = newInbound();
  }

  private static Inbound newInbound() {
    var traces = new TraceGathering(services, () -> 1, envelope -> {});
    return new Inbound(
        services,
        Founder.joining(services),
        ANSWERS::add,
        traces,
        ChangeKeeper.errands(services),
        contract -> here);
  }

  private static PrivacyGroup newGroup(NodeName... nodes) {
    var members =
        Stream.of(nodes)
            .map(node -> new Member(new Identity("member", node), any.next(Verifier.class)))
            .toList();
    var like = ports.newGroup();
    var made =
        new PrivacyGroup(
            like.id(),
            like.chainId(),
            like.contract(),
            like.domain(),
            like.name(),
            new Committee(members),
            members.size(),
            like.configuration());
    services.groups().add(made);
    return made;
  }

  @AfterAll
  static void stop() {
    actors.close();
  }

  static Stream<Class<?>> kindsOfContract() {
    return Arbitrary.leaves(Message.OfContract.class);
  }

  @ParameterizedTest
  @MethodSource("kindsOfContract")
  void whatANodeSendsThatIsNoMemberReachesNobodyIsNotAnsweredAndIsCounted(Class<?> kind) {
    var message = (Message) any.next(kind);

    assertReachesNobody(Dropped.NOT_A_MEMBER, envelope(OF_NO_GROUP, message));
  }

  @ParameterizedTest
  @MethodSource("kindsOfContract")
  void aMemberOfAnotherGroupIsNoMemberOfThisOne(Class<?> kind) {
    var message = (Message) any.next(kind);

    assertThat(withStranger.committee().hasMemberOn(STRANGER)).isTrue();
    assertReachesNobody(Dropped.NOT_A_MEMBER, envelope(STRANGER, message));
  }

  /** CMT-8: others do not hear it; its own parts tell each other how what it had ends. */
  @Test
  void aNodeThatHasLeftHearsItself() {
    var left = newGroup(MEMBER);
    var own = envelope(SELF, about(left.contract(), EndorsementRequest.class));
    long before = counted(Dropped.NOT_A_MEMBER);

    inbound.accept(List.of(own));

    assertThat(ENTITIES.get(EndorserActor.KEY).receiveMessage())
        .isEqualTo(deliver(EndorserActor.KEY, List.of(received(own))));
    assertThat(counted(Dropped.NOT_A_MEMBER)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("kindsOfContract")
  void whatIsAboutAContractThatThisNodeDoesNotKnowReachesNobodyAndIsCounted(Class<?> kind) {
    var message = (Message) new Arbitrary(12).next(kind);

    assertReachesNobody(Dropped.UNKNOWN_CONTRACT, envelope(MEMBER, message));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatIsOfAnotherMajorVersionReachesNobodyAndIsCounted(Class<?> kind) {
    var message = (Message) any.next(kind);
    var later = new ProtocolVersion(ProtocolVersion.CURRENT.major() + 1, 0, 0);

    assertReachesNobody(Dropped.INCOMPATIBLE_VERSION, envelope(MEMBER, message, later));
  }

  /** It is told all the same: that costs the message a hop more. */
  @Test
  void whatIsForPartsInAnotherJvmIsCountedAsPassedOn() {
    var told = envelope(MEMBER, about(group.contract(), EndorsementRequest.class));
    var strangers = envelope(OF_NO_GROUP, about(group.contract(), EndorsementRequest.class));
    for (var where : Reached.values()) {
      here = where == Reached.HERE;
      var before = reached();

      inbound.accept(List.of(told, strangers));

      assertThat(ENTITIES.get(EndorserActor.KEY).receiveMessage())
          .isEqualTo(deliver(EndorserActor.KEY, List.of(received(told))));
      before.merge(where, 1L, Long::sum);
      assertThat(reached()).isEqualTo(before);
    }
    here = true;
  }

  private static Map<Reached, Long> reached() {
    var reached = new EnumMap<Reached, Long>(Reached.class);
    for (var where : Reached.values()) {
      reached.put(where, services.metrics().get(where));
    }
    return reached;
  }

  @Test
  void whatIsTooLongReachesNobodyAndIsCounted() {
    var like = any.next(CoordinatorHeartbeatNotification.class);
    var ids = Collections.nCopies(200_001, any.next(TransactionId.class));
    var message =
        new CoordinatorHeartbeatNotification(
            like.heartbeatId(), like.timestamp(), like.contract(), ids);

    assertReachesNobody(Dropped.TOO_LONG, envelope(MEMBER, message));
  }

  @Test
  void aGenesisThatIsTooLongReachesNobodyAndIsCounted() {
    var like = any.next(GroupGenesis.class);
    var member = any.next(Verifier.class);
    var members = new ArrayList<Member>();
    for (int i = 0; i <= 10_000; i++) {
      members.add(new Member(new Identity("member" + i, MEMBER), member));
    }
    var genesis =
        new ContractGenesis(
            like.genesis().group(),
            "long",
            new Committee(members),
            1,
            like.genesis().configuration());

    assertReachesNobody(
        Dropped.TOO_LONG,
        envelope(MEMBER, new GroupGenesis(like.requestId(), like.domain(), genesis)));
  }

  @Test
  void whatIsAboutAGroupThatIsNotInMemoryIsToldOnceTheNodeStoreHasIt() {
    var asleep = address(1);
    ports.know(KnownGroup.of(like(asleep), any.next(LedgerAddress.class), SELF));
    var reading = new CompletableFuture<Void>();
    ports.readKnown(reading);
    var first = envelope(MEMBER, about(asleep, EndorsementRequest.class));
    var strangers = envelope(STRANGER, about(asleep, EndorsementRequest.class));
    long before = counted(Dropped.NOT_A_MEMBER);

    inbound.accept(List.of(first, strangers));
    assertThat(counted(Dropped.NOT_A_MEMBER)).isEqualTo(before);
    reading.complete(null);

    assertThat(ENTITIES.get(EndorserActor.KEY).receiveMessage())
        .isEqualTo(deliver(EndorserActor.KEY, List.of(received(first))));
    assertThat(counted(Dropped.NOT_A_MEMBER)).isEqualTo(before + 1);
    ports.readKnown(CompletableFuture.completedFuture(null));
  }

  @Test
  void noMoreWaitForTheNodeStoreThanThereIsRoomFor() {
    ports.readKnown(new CompletableFuture<>());
    long before = counted(Dropped.UNKNOWN_CONTRACT);
    var nobodys = envelope(MEMBER, about(address(2), EndorsementRequest.class));

    inbound = newInbound();
    for (int sent = 0; sent < Inbound.MOST_WAITING; sent += 100) {
      inbound.accept(Collections.nCopies(100, nobodys));
    }
    assertThat(counted(Dropped.UNKNOWN_CONTRACT)).isEqualTo(before);
    inbound.accept(List.of(nobodys));

    assertThat(counted(Dropped.UNKNOWN_CONTRACT)).isEqualTo(before + 1);
    ports.readKnown(CompletableFuture.completedFuture(null));
    inbound = newInbound();
  }

  /** Any peer may send them, and each has the node store read. */
  @Test
  void ofSignaturesOfChangesNoMoreWaitForTheNodeStoreThanThereIsRoomFor() {
    var reading = new CompletableFuture<Optional<AgreedChange>>();
    ports.readAgreed(reading);
    long before = counted(Dropped.UNKNOWN_CONTRACT);
    var told = envelope(STRANGER, any.next(ChangeSignatures.class));

    inbound = newInbound();
    for (int sent = 0; sent < Inbound.MOST_WAITING; sent += 100) {
      inbound.accept(Collections.nCopies(100, told));
    }
    assertThat(counted(Dropped.UNKNOWN_CONTRACT)).isEqualTo(before);
    inbound.accept(List.of(told));
    assertThat(counted(Dropped.UNKNOWN_CONTRACT)).isEqualTo(before + 1);
    reading.complete(Optional.empty());
    inbound.accept(List.of(told));

    assertThat(counted(Dropped.UNKNOWN_CONTRACT)).as("they wait no more").isEqualTo(before + 1);
    inbound = newInbound();
  }

  private static ContractAddress address(int number) {
    return new ContractAddress("0x%040x".formatted(number));
  }

  private static <M extends Message> M about(ContractAddress contract, Class<M> kind) {
    return new Arbitrary(13).with(ContractAddress.class, contract).next(kind);
  }

  private static PrivacyGroup like(ContractAddress contract) {
    return new PrivacyGroup(
        group.id(),
        group.chainId(),
        contract,
        group.domain(),
        group.name(),
        group.committee(),
        group.endorsementThreshold(),
        group.configuration());
  }

  static Stream<Class<?>> kinds() {
    return Arbitrary.leaves(Message.class);
  }

  private static void assertReachesNobody(Dropped counter, Envelope envelope) {
    long before = counted(counter);
    int sent = ports.sent().size();

    inbound.accept(List.of(envelope, envelope));

    assertThat(counted(counter)).isEqualTo(before + 2);
    assertThat(ports.sent()).hasSize(sent);
    for (var told : tellEverybody()) {
      assertThat(told.first()).isEqualTo(told.expected());
    }
  }

  private record Told(Object first, Object expected) {}

  /** Something from a member for each role, and what each of them was told first. */
  private static List<Told> tellEverybody() {
    var fences =
        List.of(
            envelope(MEMBER, any.next(StartupNotification.class)),
            envelope(MEMBER, any.next(TransactionRevertedAcknowledgement.class)),
            envelope(MEMBER, any.next(StateDistributionAcknowledgement.class)),
            envelope(MEMBER, any.next(GroupMessagesAcknowledgement.class)));
    Map<EntityTypeKey<?>, List<Received<? extends Message.OfContract>>> expected =
        new LinkedHashMap<>();
    for (var fence : fences) {
      for (var role : RECEIVERS.get(fence.payload().getClass())) {
        expected.computeIfAbsent(role, r -> new ArrayList<>()).add(received(fence));
      }
    }
    inbound.accept(fences);
    assertThat(expected.keySet()).isEqualTo(ROLES);
    return expected.entrySet().stream()
        .map(
            each ->
                new Told(
                    ENTITIES.get(each.getKey()).receiveMessage(),
                    deliver(each.getKey(), each.getValue())))
        .toList();
  }

  /** Without it, that nothing arrives would say nothing. */
  @ParameterizedTest
  @MethodSource("kindsOfContract")
  void whatAMemberSendsReachesThoseItIsFor(Class<?> kind) {
    var envelope = envelope(MEMBER, (Message) any.next(kind));
    long before = counted(Dropped.NOT_A_MEMBER);

    inbound.accept(List.of(envelope));

    assertThat(RECEIVERS).as("whom a message of this kind is for").containsKey(kind);
    for (var role : RECEIVERS.get(kind)) {
      assertThat(ENTITIES.get(role).receiveMessage())
          .isEqualTo(deliver(role, List.of(received(envelope))));
    }
    for (var told : tellEverybody()) {
      assertThat(told.first()).isEqualTo(told.expected());
    }
    assertThat(counted(Dropped.NOT_A_MEMBER)).isEqualTo(before);
  }

  /**
   * All come where there is no contract: its members' keys, what it is of, and that it never is.
   */
  @Test
  void aboutNoContractAreOnlyVerifiersAndGroupsThatHaveNone() {
    assertThat(kinds().filter(kind -> !RECEIVERS.containsKey(kind)))
        .containsExactlyInAnyOrder(
            ResolveVerifierRequest.class,
            ResolveVerifierResponse.class,
            ResolveVerifierError.class,
            GroupGenesis.class,
            GroupGenesisAcknowledgement.class,
            GroupGenesisRejected.class,
            GroupWithdrawal.class,
            GroupWithdrawalAcknowledgement.class,
            ChangeSignatures.class);
  }

  /** It says itself whether it has asked, and for what. */
  @Test
  void whatAnswersAQuestionGoesToWhoMakesGroups() {
    var all =
        Stream.of(
                ResolveVerifierResponse.class,
                ResolveVerifierError.class,
                GroupGenesisAcknowledgement.class,
                GroupGenesisRejected.class,
                GroupWithdrawalAcknowledgement.class)
            .map(kind -> envelope(MEMBER, any.next(kind)))
            .toList();
    int sent = ports.sent().size();

    inbound.accept(all);

    assertThat(ANSWERS).containsAll(all);
    assertThat(ports.sent()).hasSize(sent);
  }

  /** A group may have members whose nodes are in no group with this one yet. */
  @Test
  void anybodyIsToldTheVerifiersOfThisNodesIdentitiesButNotOfItsOwnKeys() {
    var keys = services.setup().ports().keys();
    var here = new Identity("somebody", SELF);
    var asked = new ResolveVerifierRequest(new RequestId("asked"), here);

    inbound.accept(List.of(envelope(OF_NO_GROUP, asked)));
    assertAnswered(new ResolveVerifierResponse(asked.requestId(), here, keys.verifier("somebody")));

    for (var refused :
        List.of(new Identity("somebody", MEMBER), new Identity(NodeKeyNames.funding(), SELF))) {
      inbound.accept(
          List.of(envelope(OF_NO_GROUP, new ResolveVerifierRequest(asked.requestId(), refused))));
      assertAnswered(
          new ResolveVerifierError(
              asked.requestId(), refused, "Node node1 does not hold " + refused + "."));
    }
  }

  private static void assertAnswered(Message expected) {
    var answer = ports.envelopes().getLast();
    assertThat(answer.to()).isEqualTo(OF_NO_GROUP);
    assertThat(answer.payload()).isEqualTo(expected);
  }

  /** Of a domain that this node does not have. */
  @Test
  void aGenesisIsAnswered() {
    var given = any.next(GroupGenesis.class);

    inbound.accept(List.of(envelope(OF_NO_GROUP, given)));

    assertAnswered(
        new GroupGenesisRejected(
            given.requestId(), given.genesis().group(), GenesisFlaw.DOMAIN_UNKNOWN));
  }

  private static Received<? extends Message.OfContract> received(Envelope envelope) {
    return new Received<>(
        envelope.from(), envelope.messageId(), (Message.OfContract) envelope.payload());
  }

  private static Object deliver(
      EntityTypeKey<?> role, List<Received<? extends Message.OfContract>> messages) {
    if (role.equals(SenderActor.KEY)) {
      return new SenderActor.Deliver(those(Message.ForSender.class, messages));
    } else if (role.equals(CoordinatorActor.KEY)) {
      return new CoordinatorActor.Deliver(those(Message.ForCoordinator.class, messages));
    } else if (role.equals(EndorserActor.KEY)) {
      return new EndorserActor.Deliver(those(Message.ForEndorser.class, messages));
    } else if (role.equals(SubmitterActor.KEY)) {
      return new SubmitterActor.Deliver(those(Message.ForSubmitter.class, messages));
    } else if (role.equals(MessageBookActor.KEY)) {
      return new MessageBookActor.Deliver(those(Message.ForMessageBook.class, messages));
    }
    return new StateStoreActor.Deliver(those(Message.ForStateStore.class, messages));
  }

  private static <M extends Message> List<Received<? extends M>> those(
      Class<M> kind, List<Received<? extends Message.OfContract>> messages) {
    var those = new ArrayList<Received<? extends M>>();
    messages.forEach(received -> those.add(received.with(kind.cast(received.message()))));
    return those;
  }

  private static Envelope envelope(NodeName from, Message message) {
    return envelope(from, message, ProtocolVersion.CURRENT);
  }

  private static Envelope envelope(NodeName from, Message message, ProtocolVersion version) {
    return new Envelope(
        version, any.next(MessageId.class), Optional.empty(), from, SELF, List.of(), message);
  }

  private static long counted(Dropped why) {
    return services.metrics().get(why);
  }
}
