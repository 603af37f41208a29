package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.Refusals;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.StateLocks;
import dev.sequitur.protocol.trie.HashTrie;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which messages of other nodes are too long to be looked at. */
class MessageLimitsTest {
  private static final Arbitrary ANY = new Arbitrary(7);
  private static final int TOO_MANY = 200_001;

  /** More states than a node takes that lets nothing be longer than it has to. */
  private static final int TOO_MANY_OF_LEAST = 80_001;

  private final MessageLimits limits = new MessageLimits(LimitSettings.DEFAULT);

  static Stream<Message> ordinary() {
    return Arbitrary.leaves(Message.class).map(type -> (Message) ANY.next(type));
  }

  @ParameterizedTest
  @MethodSource("ordinary")
  void ordinaryMessagesAreTaken(Message message) {
    assertThat(limits.allow(message)).isTrue();
  }

  static Stream<Message> tooLong() {
    var heartbeat = ANY.next(CoordinatorHeartbeatNotification.class);
    var held = ANY.next(SubmitterHeartbeatNotification.class);
    var pending = ANY.next(SubmitterHeartbeatNotification.Pending.class);
    var detail =
        new SubmitterHeartbeatNotification.DispatchedTransaction(
            ANY.next(TransactionId.class),
            many(ANY.next(SubmitterHeartbeatNotification.Submission.class)),
            List.of());
    var request = ANY.next(AssembleRequest.class);
    return Stream.of(
        delegation(many(ANY.next(PrivateTransaction.class))),
        new CoordinatorHeartbeatNotification(
            heartbeat.heartbeatId(),
            heartbeat.timestamp(),
            heartbeat.contract(),
            many(ANY.next(TransactionId.class))),
        new CoordinatorHeartbeatNotification(
            heartbeat.heartbeatId(),
            heartbeat.timestamp(),
            heartbeat.contract(),
            List.of(),
            List.of(),
            many(ANY.next(Refusals.class))),
        refusedBefore(many(ANY.next(Refusals.class))),
        new Dispatched(
            heartbeat.contract(), many(ANY.next(Dispatched.Item.class)), new NodeName("node1")),
        heartbeat(held, many(pending), List.of()),
        heartbeat(held, List.of(), List.of(detail)),
        new AssembleRequest(
            request.assembleRequestId(),
            request.contract(),
            request.blockHeight(),
            request.stateLocks(),
            many(ANY.next(AssembleRequest.Item.class))),
        asking(many(ANY.next(EndorsementRequest.Item.class))),
        answering(many(ANY.next(IntentKey.class)), List.of()),
        answering(List.of(), many(ANY.next(EndorsementResponse.Refused.class))));
  }

  /** However long an operator lets batches become: nobody can sign a longer tree. */
  @Test
  void noMoreIsTakenThanCanBeSignedTogether() {
    var generous =
        new MessageLimits(LimitSettings.DEFAULT.withDelegationBatch(MerkleTree.MOST_LEAVES));
    var item = ANY.next(EndorsementRequest.Item.class);

    assertThat(generous.allow(asking(Collections.nCopies(MerkleTree.MOST_LEAVES, item)))).isTrue();
    assertThat(generous.allow(asking(Collections.nCopies(MerkleTree.MOST_LEAVES + 1, item))))
        .isFalse();
    var transaction = ANY.next(PrivateTransaction.class);
    assertThat(
            generous.allow(
                delegation(Collections.nCopies(MerkleTree.MOST_LEAVES + 1, transaction))))
        .isTrue();
  }

  private static EndorsementRequest asking(List<EndorsementRequest.Item> items) {
    var like = ANY.next(EndorsementRequest.class);
    return new EndorsementRequest(
        like.attestationRequest(),
        like.idempotencyKey(),
        like.contract(),
        like.party(),
        items,
        like.coordinator(),
        like.blockHeight());
  }

  private static EndorsementResponse answering(
      List<IntentKey> endorsed, List<EndorsementResponse.Refused> refused) {
    var like = ANY.next(EndorsementResponse.class);
    return new EndorsementResponse(
        like.idempotencyKey(),
        like.contract(),
        like.party(),
        like.attestationRequestName(),
        endorsed,
        like.endorsement(),
        refused);
  }

  /** As text they would be too long for a name, too. */
  @ParameterizedTest(name = "{index}")
  @MethodSource("tooLong")
  void messagesThatNoNodeSendsAreNotTaken(Message message) {
    assertThat(limits.allow(message)).isFalse();
  }

  static Stream<Class<?>> kinds() {
    return Arbitrary.leaves(Message.class);
  }

  /** Of each kind of message each list in turn, wherever in it; the others stay as they are. */
  @ParameterizedTest
  @MethodSource("kinds")
  void noListInAMessageIsWithoutALimit(Class<?> kind) {
    var least =
        new MessageLimits(
            LimitSettings.DEFAULT
                .withCoordinated(1)
                .withDelegationBatch(1)
                .withAssembleBatch(1)
                .withAttestationBatch(1));
    var message = (Message) Arbitrary.full(7).next(kind);

    assertThat(least.allow(message)).isTrue();
    for (var overlong : overlong(kind.getSimpleName(), message)) {
      assertThat(least.allow((Message) overlong.value())).as(overlong.path()).isFalse();
    }
  }

  /** Each transaction in flight has some. */
  @Test
  void ofStatesMoreAreTakenThanOfTransactions() {
    var like = ANY.next(StateDistribution.class);
    var item = ANY.next(StateDistribution.Item.class);
    var request = ANY.next(AssembleRequest.class);
    var spent = HashTrie.setOf(ANY.list(TOO_MANY, StateId.class));

    assertThat(
            limits.allow(new StateDistribution(like.distributionId(), like.contract(), many(item))))
        .isTrue();
    assertThat(
            limits.allow(
                new AssembleRequest(
                    request.assembleRequestId(),
                    request.contract(),
                    request.blockHeight(),
                    new StateLocks(spent, request.stateLocks().created()),
                    request.items())))
        .isTrue();
  }

  private record Overlong(String path, Object value) {}

  /**
   * The same value with one of its lists far too long, for each list that its type allows to be.
   */
  private static List<Overlong> overlong(String path, Object value) {
    var all = new ArrayList<Overlong>();
    switch (value) {
      case StateLocks locks -> {
        var spent = HashTrie.setOf(ANY.list(TOO_MANY_OF_LEAST, StateId.class));
        var created = new HashMap<StateId, PrivateState>();
        var state = ANY.next(PrivateState.class);
        spent.forEach(id -> created.put(id, state));
        all.add(new Overlong(path + ".spent", new StateLocks(spent, locks.created())));
        all.add(
            new Overlong(path + ".created", new StateLocks(locks.spent(), HashTrie.from(created))));
        var told = locks.created().values().iterator().next();
        for (var each : overlong(path + ".created[0]", told)) {
          var changed = locks.created().plus(told.id(), (PrivateState) each.value());
          all.add(new Overlong(each.path(), new StateLocks(locks.spent(), changed)));
        }
      }
      case List<?> list -> {
        all.add(new Overlong(path, Collections.nCopies(TOO_MANY_OF_LEAST, list.get(0))));
        for (var each : overlong(path + "[0]", list.get(0))) {
          var changed = new ArrayList<Object>(list);
          changed.set(0, each.value());
          all.add(new Overlong(each.path(), changed));
        }
      }
      case Optional<?> optional ->
          overlong(path, optional.orElseThrow())
              .forEach(each -> all.add(new Overlong(each.path(), Optional.of(each.value()))));
      case Record made -> {
        var components = made.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
          for (var each : overlong(path + "." + components[i].getName(), component(made, i))) {
            with(made, i, each.value())
                .ifPresent(changed -> all.add(new Overlong(each.path(), changed)));
          }
        }
      }
      case Collection<?> other -> throw new AssertionError("Say how this becomes long: " + path);
      case Map<?, ?> other -> throw new AssertionError("Say how this becomes long: " + path);
      default -> {}
    }
    return all;
  }

  private static Object component(Record of, int index) {
    try {
      var accessor = of.getClass().getRecordComponents()[index].getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Nothing where the type itself has a limit. */
  private static Optional<Object> with(Record like, int index, Object value) {
    var components = like.getClass().getRecordComponents();
    var values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = i == index ? value : component(like, i);
    }
    try {
      var constructor =
          like.getClass()
              .getDeclaredConstructor(
                  Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return Optional.of(constructor.newInstance(values));
    } catch (InvocationTargetException e) {
      assertThat(e).hasCauseInstanceOf(IllegalArgumentException.class);
      return Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsOfNoKnownKindIsNotTaken() {
    assertThatThrownBy(() -> limits.allow(null)).isNotNull();
  }

  private static SubmitterHeartbeatNotification heartbeat(
      SubmitterHeartbeatNotification like,
      List<SubmitterHeartbeatNotification.Pending> pending,
      List<SubmitterHeartbeatNotification.DispatchedTransaction> details) {
    return new SubmitterHeartbeatNotification(
        new HeartbeatSequence(1, 1), Instant.EPOCH, like.contract(), pending, details);
  }

  private static DelegationCommand delegation(List<PrivateTransaction> transactions) {
    var node = new NodeName("node1");
    return new DelegationCommand(
        new DelegationId(node, 1, 1),
        node,
        transactions.get(0).contract(),
        transactions,
        new BlockHeight(1));
  }

  private static DelegationCommand refusedBefore(List<Refusals> refused) {
    var command = delegation(List.of(ANY.next(PrivateTransaction.class)));
    return new DelegationCommand(
        command.delegationId(),
        command.delegateNode(),
        command.contract(),
        command.privateTransactions(),
        command.blockHeight(),
        List.of(),
        List.of(),
        refused);
  }

  private static <T> List<T> many(T value) {
    return Collections.nCopies(TOO_MANY, value);
  }
}
