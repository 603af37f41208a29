package dev.sequitur.simulation;

import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistribution.Item;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A member that works like any other and lies besides: it sends messages of every kind that it has
 * seen, to whomever it likes and whenever, as they were, with parts of one put into another, with
 * the items of a batch left out, doubled, exchanged or in another order, with a guessed id of a
 * request between others, or about a group that it may have no member in; it acknowledges what went
 * to others, assembles what others are to sign, makes up what it never sees of others, and gives
 * away what is for itself alone. One in four says for ever that it is behind, to whoever delegates
 * to it. Its own name is the only one that it can send them under.
 */
final class DishonestMember {
  /** Of each kind. */
  private static final int REMEMBERED = 60;

  /** How far from an id that it has seen it guesses. */
  private static final int FAR = 4;

  private static final Pattern COUNTED = Pattern.compile("(.*?)(\\d{1,9})");

  private final Simulation simulation;
  private final RandomGenerator random;
  private final NodeName self;
  private final List<ContractAddress> contracts;
  private final Map<Class<?>, List<Message>> seen = new LinkedHashMap<>();
  private boolean honest;

  DishonestMember(Simulation simulation, RandomGenerator random, NodeName self) {
    this.simulation = simulation;
    this.random = random;
    this.self = self;
    this.contracts = simulation.groups().stream().map(PrivacyGroup::contract).toList();
  }

  void start() {
    simulation.wire().watch(this::remember);
    // Drawn apart, so that what else it says does not depend on it.
    simulation.node(self).sayThatItIsBehind(simulation.setup().seed() / 10 % 4 == 3);
    act();
  }

  /** It lies no more. */
  void calm() {
    honest = true;
    simulation.node(self).sayThatItIsBehind(false);
  }

  private void remember(Envelope envelope) {
    if (envelope.from().equals(self) || envelope.to().equals(self)) {
      remember(envelope.payload());
    }
    if (honest) {
      return;
    }
    switch (envelope.payload()) {
      case StateDistribution given -> {
        if (envelope.to().equals(self) && random.nextInt(3) == 0) {
          acknowledgeForTheOthers(envelope.from(), given);
        }
      }
      case EndorsementRequest request -> {
        boolean asks = envelope.from().equals(self) && !envelope.to().equals(self);
        if (asks && random.nextInt(3) == 0) {
          askForWhatNobodySigned(envelope.to(), request);
        }
      }
      case Message ignored -> {}
    }
  }

  /** What it is to coordinate it assembles itself, under the signatures of the true assemblies. */
  private void askForWhatNobodySigned(NodeName endorser, EndorsementRequest request) {
    var group = simulation.group(request.contract()).orElseThrow();
    var items =
        request.items().stream()
            .map(item -> simulation.domain().assembledAgain(group, item))
            .toList();
    simulation.injected(Fault.MEMBER_LIES);
    simulation
        .wire()
        .forge(
            self,
            endorser,
            new EndorsementRequest(
                request.attestationRequest(),
                request.idempotencyKey(),
                request.contract(),
                request.party(),
                items,
                request.coordinator(),
                request.blockHeight()));
  }

  private void remember(Message message) {
    var kind = seen.computeIfAbsent(message.getClass(), type -> new ArrayList<>());
    if (kind.size() == REMEMBERED) {
      kind.remove(random.nextInt(REMEMBERED));
    }
    kind.add(message);
  }

  /**
   * What other nodes send it seldom or never: few transactions are reverted, dispatches stay on
   * their node, and groups, keys and traces are asked for by none of the machines.
   */
  private void makeUp() {
    var contract = any(contracts);
    var group = simulation.group(contract).orElseThrow();
    var entities = simulation.node(self).running().entities(contract);
    if (entities != null) {
      entities.submitter().state().unconfirmed(contract).forEach(this::remember);
    }
    var id = madeUp();
    var member = any(group.committee().members());
    var transactions = List.copyOf(simulation.invariants().accepted().keySet());
    if (transactions.isEmpty()) {
      return;
    }
    var transaction = any(transactions);
    var genesis =
        new ContractGenesis(
            group.id(),
            group.name(),
            group.committee(),
            group.endorsementThreshold(),
            group.configuration());
    remember(new GroupGenesis(id, group.domain(), genesis));
    remember(new GroupGenesisAcknowledgement(id, group.id()));
    remember(new GroupGenesisRejected(id, group.id(), GenesisFlaw.TOO_MANY));
    remember(new GroupWithdrawal(id, group.id(), "It was told to."));
    remember(new GroupWithdrawalAcknowledgement(id, group.id()));
    remember(new ResolveVerifierRequest(id, member.identity()));
    remember(new ResolveVerifierResponse(id, member.identity(), member.verifier()));
    remember(new ResolveVerifierError(id, member.identity(), ""));
    remember(
        new TransactionReverted(
            id, transaction, contract, Optional.empty(), "It was told to.", random.nextBoolean()));
    remember(new TransactionRevertedAcknowledgement(id, contract));
    var states = List.copyOf(simulation.invariants().unspent(contract));
    if (!states.isEmpty()) {
      remember(new StateContentsRequest(id, contract, List.of(any(states))));
      var secret = simulation.domain().secretOf(new Identity("liar", self), contract);
      remember(new StateContentsResponse(id, contract, List.of(secret), random.nextBoolean()));
    }
    remember(new StateErasure(id, contract, List.of(new StateId(Hash.sha256(new byte[] {1})))));
    remember(new StateErasureAnswer(id, contract, random.nextBoolean()));
    var change =
        new CommitteeChange(
            1, group.committees().standing().newest(), new BlockHeight(Long.MAX_VALUE));
    remember(new ChangeSignatures(contract, change, List.of()));
    var content =
        new GroupMessage.Content(
            simulation.now(), Optional.empty(), "lies", Bytes.utf8("lie" + random.nextInt(FAR)));
    int first = 1 + random.nextInt(FAR);
    remember(new GroupMessages(contract, first / 2, first, List.of(content)));
    remember(new GroupMessagesAcknowledgement(contract, random.nextInt(FAR), random.nextBoolean()));
    remember(new TraceRequest(id, contract, transaction));
    remember(new TraceResponse(id, contract, new TracePart(new UUID(0, 1), 1, List.of(), 0)));
    giveAway(id, transaction, contract);
  }

  private RequestId madeUp() {
    return new RequestId(self + "-made-up-" + random.nextInt(FAR));
  }

  /** All that others make is for each member, so what nobody else may keep is its own (DST-2). */
  private void giveAway(RequestId id, TransactionId by, ContractAddress contract) {
    var secret = simulation.domain().secretOf(new Identity("liar", self), contract);
    var given = new StateDistribution(id, contract, List.of(new Item(by, secret)));
    for (var node : simulation.nodes()) {
      if (!node.name().equals(self)) {
        simulation.injected(Fault.MEMBER_LIES);
        simulation.wire().forge(self, node.name(), given);
      }
    }
  }

  /** The ids of what went to the others with the same states differ by their names only. */
  private void acknowledgeForTheOthers(NodeName maker, StateDistribution given) {
    for (var node : simulation.nodes()) {
      if (node.name().equals(self)) {
        continue;
      }
      var id = given.distributionId().value().replace("-to-" + self, "-to-" + node.name());
      simulation.injected(Fault.MEMBER_LIES);
      simulation
          .wire()
          .forge(
              self,
              maker,
              new StateDistributionAcknowledgement(new RequestId(id), given.contract()));
    }
  }

  private void act() {
    if (honest) {
      return;
    }
    if (!seen.isEmpty() && simulation.node(self).isUp()) {
      if (random.nextInt(10) == 0) {
        makeUp();
      }
      lie();
    }
    simulation.after(Duration.ofMillis(10 + random.nextInt(190)), this::act);
  }

  private void lie() {
    var kinds = List.copyOf(seen.values());
    var kind = kinds.get(random.nextInt(kinds.size()));
    var message = any(kind);
    if (random.nextInt(4) > 0) {
      message = (Message) mixed(message, any(kind));
    }
    if (message instanceof StateDistribution given) {
      // Its own machine does its duty: what answers a lie must not be taken for an answer to that.
      message = new StateDistribution(madeUp(), given.contract(), given.items());
    }
    var others =
        simulation.nodes().stream().map(SimulatedNode::name).filter(n -> !n.equals(self)).toList();
    simulation.injected(Fault.MEMBER_LIES);
    simulation.wire().forge(self, any(others), message);
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** Of two of one kind: in each part the one, the other, or both mixed in turn. */
  private Object mixed(Object one, Object other) {
    if (one instanceof RequestId id && random.nextBoolean()) {
      return guessed(id);
    }
    if (one instanceof ContractAddress && random.nextInt(4) == 0) {
      return any(contracts);
    }
    if (random.nextInt(3) == 0) {
      return other;
    }
    if (one instanceof Optional<?> some && other instanceof Optional<?> same) {
      return some.isPresent() && same.isPresent() && isSameKind(some.get(), same.get())
          ? Optional.of(mixed(some.get(), same.get()))
          : one;
    }
    if (one instanceof List<?> some && other instanceof List<?> same && !some.isEmpty()) {
      return mixedList(some, same);
    }
    return one instanceof Record && isSameKind(one, other) ? mixedRecord(one, other) : one;
  }

  /** One of a batch is left out, is named twice, is another, or they stand in another order. */
  private List<Object> mixedList(List<?> one, List<?> other) {
    var mixed = new ArrayList<Object>(one);
    int at = random.nextInt(mixed.size());
    switch (random.nextInt(4)) {
      case 0 -> mixed.remove(at);
      case 1 -> mixed.add(mixed.get(at));
      case 2 -> Collections.shuffle(mixed, random);
      default -> {
        if (!other.isEmpty() && isSameKind(mixed.get(at), any(other))) {
          mixed.set(at, mixed(mixed.get(at), any(other)));
        }
      }
    }
    return mixed;
  }

  /** Whoever knows one id knows those before and after it, which went to others. */
  private RequestId guessed(RequestId id) {
    var counted = COUNTED.matcher(id.value());
    if (!counted.matches()) {
      return id;
    }
    long number = Long.parseLong(counted.group(2)) + random.nextInt(2 * FAR + 1) - FAR;
    return new RequestId(counted.group(1) + Math.max(0, number));
  }

  private static boolean isSameKind(Object one, Object other) {
    return one.getClass().equals(other.getClass());
  }

  private Object mixedRecord(Object one, Object other) {
    var parts = one.getClass().getRecordComponents();
    var values = new Object[parts.length];
    try {
      for (int i = 0; i < parts.length; i++) {
        values[i] = mixed(part(parts[i], one), part(parts[i], other));
      }
      var types = Stream.of(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return one.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException invalid) {
      // Such a one cannot be written, so it cannot be sent either.
      return one;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("A record without its constructor: " + one.getClass(), e);
    }
  }

  private static Object part(RecordComponent component, Object of)
      throws ReflectiveOperationException {
    return component.getAccessor().invoke(of);
  }
}
