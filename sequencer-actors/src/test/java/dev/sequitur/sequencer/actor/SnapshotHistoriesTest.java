package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.persistence.typed.SnapshotAdapter;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.distribution.MissingContents;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStoreEvent;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.sender.Sender;
import dev.sequitur.protocol.sender.SenderEvent;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.submitter.GasPaid;
import dev.sequitur.protocol.submitter.Submitter;
import dev.sequitur.protocol.submitter.SubmitterEvent;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whoever recovers from a snapshot and the events after it knows the same as from all the events:
 * for histories in which every kind of event occurs, cut at every place.
 */
class SnapshotHistoriesTest {
  private static final ProtocolFormat FORMAT = new ProtocolFormat();
  private static final int HISTORIES = 20;
  private static final int EVENTS = 50;

  private final Set<Class<?>> occurred = new HashSet<>();
  private Random random;
  private Arbitrary any;

  /**
   * @param states of recovery: how they begin, go on, and are stored
   * @param next an event that may come in a state
   * @param known what of a state must survive
   */
  private record Machine<S, E>(
      S initial,
      BiFunction<S, E, S> evolve,
      SnapshotAdapter<S> snapshots,
      Function<S, E> next,
      Function<S, Object> known) {}

  private <S, E> void assertSnapshotsHoldAll(
      Class<E> events, Function<Arbitrary, Machine<S, E>> of) {
    for (int seed = 1; seed <= HISTORIES; seed++) {
      random = new Random(seed);
      any = new Arbitrary(seed);
      var machine = of.apply(any);
      var history = new ArrayList<E>();
      var state = machine.initial();
      for (int i = 0; i < EVENTS; i++) {
        var event = machine.next().apply(state);
        occurred.add(event.getClass());
        history.add(event);
        state = machine.evolve().apply(state, event);
      }
      var whole = machine.known().apply(state);
      for (int cut = 0; cut <= EVENTS; cut++) {
        var before = replay(machine, machine.initial(), history.subList(0, cut));
        var restored = throughBytes(machine.snapshots(), before);
        assertThat(machine.known().apply(restored))
            .as("seed %d, after event %d", seed, cut)
            .isEqualTo(machine.known().apply(before));
        var after = replay(machine, restored, history.subList(cut, EVENTS));
        assertThat(machine.known().apply(after))
            .as("seed %d, at the end, from a snapshot after event %d", seed, cut)
            .isEqualTo(whole);
      }
    }
    assertThat(occurred)
        .as("kinds of events in these histories")
        .containsAll(Arbitrary.leaves(events).toList());
  }

  private static <S, E> S replay(Machine<S, E> machine, S from, List<E> events) {
    var state = from;
    for (var event : events) {
      state = machine.evolve().apply(state, event);
    }
    return state;
  }

  private static <S> S throughBytes(SnapshotAdapter<S> adapter, S state) {
    var snapshot = adapter.toJournal(state);
    return adapter.fromJournal(FORMAT.decode(FORMAT.encode(snapshot), snapshot.getClass()));
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private <E> Class<?> kind(Class<E> events) {
    return pick(Arbitrary.leaves(events).toList());
  }

  // Senders

  @Test
  void aSenderKnowsTheSameFromASnapshot() {
    assertSnapshotsHoldAll(
        SenderEvent.class,
        arbitrary -> {
          var ids = arbitrary.list(5, TransactionId.class);
          return new Machine<>(
              SenderState.initial(),
              Sender::evolve,
              SequencerSnapshots.sender(),
              state -> next(state, ids),
              state -> state);
        });
  }

  private SenderEvent next(SenderState state, List<TransactionId> ids) {
    var id = pick(ids);
    var kind = kind(SenderEvent.class);
    if (kind == SenderEvent.EpochBegun.class) {
      return new SenderEvent.EpochBegun(state.epoch() + 1);
    } else if (kind == SenderEvent.AttemptFailed.class) {
      var what =
          random.nextInt(4) == 0
              ? Optional.<Receipt.Happened>empty()
              : Optional.of(new Receipt.Happened(arbitraryTime(), "failed"));
      return new SenderEvent.AttemptFailed(id, 1 + random.nextInt(20), arbitraryTime(), what);
    } else if (kind == SenderEvent.Parked.class) {
      return new SenderEvent.Parked(id, arbitraryTime(), "waits");
    } else if (kind == SenderEvent.Resumed.class) {
      return new SenderEvent.Resumed(id);
    } else if (kind == SenderEvent.Ended.class) {
      return new SenderEvent.Ended(id);
    }
    throw new IllegalStateException("Say when a sender's " + kind + " may come.");
  }

  private Instant arbitraryTime() {
    return any.next(Instant.class);
  }

  // Submitters

  @Test
  void aSubmitterKnowsTheSameFromASnapshotGivenUpDispatchesAmongThem() {
    var givenUp = new ArrayList<Long>();
    var parted = new ArrayList<Long>();
    assertSnapshotsHoldAll(
        SubmitterEvent.class,
        arbitrary -> {
          var submitter =
              new Submitter(
                  new SubmitterSetup(
                      new NodeName("node1"),
                      contract -> Optional.empty(),
                      SequencerSettings.DEFAULT,
                      SubmitterSetup.Gas.DEFAULT.withOverdueAfter(Duration.ofSeconds(4))));
          var dispatches = arbitrary.list(8, Dispatch.class);
          return new Machine<>(
              SubmitterState.initial(),
              submitter::evolve,
              SequencerSnapshots.submitter(),
              state -> {
                state.carriers().values().stream()
                    .filter(carrier -> carrier.orders().isEmpty())
                    .forEach(carrier -> givenUp.add(carrier.nonce()));
                state
                    .waiting()
                    .forEach(
                        (order, alone) -> {
                          if (alone && state.live().containsKey(order)) {
                            parted.add(order);
                          }
                        });
                return next(state, dispatches);
              },
              SnapshotHistoriesTest::known);
        });
    assertThat(givenUp).isNotEmpty();
    assertThat(parted).isNotEmpty();
  }

  /** The ledger is asked for the nonce after each start. */
  private static Object known(SubmitterState state) {
    return state.withNonceKnown(false);
  }

  private static List<Long> changeable(SubmitterState state) {
    return state.publics().values().stream()
        .filter(each -> each.receipt().isEmpty() && each.refusal().isEmpty())
        .map(SubmitterState.Public::order)
        .toList();
  }

  private static List<Long> publicsWaiting(SubmitterState state) {
    return state.waiting().keySet().stream().filter(state.publics()::containsKey).toList();
  }

  private SubmitterEvent next(SubmitterState state, List<Dispatch> dispatches) {
    var publicNonces =
        state.publics().values().stream().flatMap(each -> each.nonce().stream()).toList();
    var nonces =
        state.carriers().keySet().stream().filter(each -> !publicNonces.contains(each)).toList();
    var kind = kind(SubmitterEvent.class);
    if (kind == SubmitterEvent.PublicsTaken.class) {
      return new SubmitterEvent.PublicsTaken(
          List.of(
              new SubmitterEvent.Accepted(
                  state.taken() + 1 + random.nextInt(3), any.next(PublicTransaction.class))));
    } else if (kind == SubmitterEvent.Refused.class && !alone(state).isEmpty()) {
      return new SubmitterEvent.Refused(pick(alone(state)), "never taken");
    } else if (kind == SubmitterEvent.PublicNonceLost.class && !publicNonces.isEmpty()) {
      return new SubmitterEvent.PublicNonceLost(pick(publicNonces), any.next(GasPaid.class));
    } else if (kind == SubmitterEvent.PublicChanged.class && !changeable(state).isEmpty()) {
      return new SubmitterEvent.PublicChanged(
          pick(changeable(state)),
          any.next(PublicTransaction.class),
          Optional.of(new Fees(3_000, random.nextInt(1_000))));
    } else if (kind == SubmitterEvent.PublicDropped.class && !publicsWaiting(state).isEmpty()) {
      return new SubmitterEvent.PublicDropped(pick(publicsWaiting(state)), any.next(Receipt.class));
    } else if (kind == SubmitterEvent.CallShown.class) {
      return new SubmitterEvent.CallShown(any.next(LedgerReceipt.class));
    } else if (kind == SubmitterEvent.ShownForgotten.class) {
      return new SubmitterEvent.ShownForgotten();
    } else if (kind == SubmitterEvent.PublicFound.class && !publicsWaiting(state).isEmpty()) {
      long nonce = state.shown().isEmpty() ? state.nextNonce() : state.shown().firstKey();
      return new SubmitterEvent.PublicFound(
          pick(publicsWaiting(state)), nonce, any.next(Receipt.class), any.next(GasPaid.class));
    } else if (kind == SubmitterEvent.PublicEnded.class && !publicNonces.isEmpty()) {
      return new SubmitterEvent.PublicEnded(
          pick(publicNonces), any.next(Receipt.class), any.next(GasPaid.class));
    } else if (kind == SubmitterEvent.ReceiptsStored.class) {
      return new SubmitterEvent.ReceiptsStored(
          state.publics().values().stream()
              .filter(each -> each.receipt().isPresent())
              .map(each -> each.transaction().id())
              .toList());
    } else if (kind == SubmitterEvent.Packed.class && !state.waiting().isEmpty()) {
      return packed(state);
    } else if (kind == SubmitterEvent.Repriced.class && !nonces.isEmpty()) {
      return new SubmitterEvent.Repriced(
          pick(nonces), new Fees(2_000 + random.nextInt(1_000), random.nextInt(1_000)));
    } else if (kind == SubmitterEvent.NoncesFreed.class && !state.carriers().isEmpty()) {
      long first = state.carriers().firstKey();
      return new SubmitterEvent.NoncesFreed(Math.max(0, first - 2), first, new Fees(1, 1));
    } else if (kind == SubmitterEvent.Abandoned.class && !several(state).isEmpty()) {
      return new SubmitterEvent.Abandoned(pick(several(state)));
    } else if (kind == SubmitterEvent.Settled.class && !nonces.isEmpty()) {
      return new SubmitterEvent.Settled(
          nonces.stream().filter(nonce -> random.nextInt(3) == 0).toList(),
          any.next(GasPaid.class));
    } else if (kind == SubmitterEvent.Notifying.class) {
      return any.next(SubmitterEvent.Notifying.class);
    } else if (kind == SubmitterEvent.Notified.class && !state.owed().isEmpty()) {
      var owed = pick(List.copyOf(state.owed().values())).notification();
      return new SubmitterEvent.Notified(owed.notificationId(), owed.transaction());
    } else if (kind == SubmitterEvent.NonceMoved.class) {
      return new SubmitterEvent.NonceMoved(state.nextNonce() + 1 + random.nextInt(5));
    } else if (Arbitrary.leaves(SubmitterEvent.class).anyMatch(kind::equals)) {
      return accepted(state, dispatches);
    }
    throw new IllegalStateException("Say when a submitter's " + kind + " may come.");
  }

  private static List<Long> alone(SubmitterState state) {
    return carrying(state, carrier -> carrier.orders().size() == 1);
  }

  private static List<Long> several(SubmitterState state) {
    return carrying(state, carrier -> carrier.orders().size() > 1);
  }

  private static List<Long> carrying(
      SubmitterState state, Predicate<SubmitterState.Carrier> wanted) {
    return state.carriers().values().stream()
        .filter(wanted)
        .map(SubmitterState.Carrier::nonce)
        .toList();
  }

  /** What is given up may come again, under another nonce. */
  private SubmitterEvent accepted(SubmitterState state, List<Dispatch> dispatches) {
    return new SubmitterEvent.DispatchesAccepted(
        dispatches.stream()
            .filter(each -> !state.byTransaction().containsKey(each.prepared().intent()))
            .filter(each -> random.nextBoolean())
            .toList());
  }

  /** One or two of what waits, or one public transaction, under each new nonce. */
  private SubmitterEvent packed(SubmitterState state) {
    var loads = new ArrayList<SubmitterEvent.Load>();
    var waiting = new ArrayList<IntentKey>();
    long nonce = state.nextNonce();
    for (long order : state.waiting().keySet()) {
      if (state.live().containsKey(order)) {
        waiting.add(state.live().get(order).intent());
      } else if (random.nextBoolean()) {
        loads.add(new SubmitterEvent.Load(nonce++, List.of(), Optional.of(order)));
      }
    }
    while (!waiting.isEmpty() && random.nextInt(4) > 0) {
      var load = waiting.subList(0, Math.min(waiting.size(), 1 + random.nextInt(2)));
      loads.add(new SubmitterEvent.Load(nonce++, load));
      load.clear();
    }
    return new SubmitterEvent.Packed(
        loads, new Fees(2_000 + random.nextInt(1_000), random.nextInt(1_000)));
  }

  // State stores

  @Test
  void aStateStoreKnowsTheSameFromASnapshotAndGivesStatesInTheSameOrder() {
    assertSnapshotsHoldAll(
        StateStoreEvent.class,
        arbitrary -> {
          var store =
              new StateStore(
                  new NodeName("node1"),
                  arbitrary.next(ContractAddress.class),
                  state -> true,
                  new StateStore.Members(List.of(), true),
                  SequencerSettings.DEFAULT);
          var states = arbitrary.list(30, StateId.class);
          var created = new HashSet<StateId>();
          return new Machine<>(
              StateStoreState.initial(),
              store::evolve,
              SequencerSnapshots.stateStore(),
              state -> next(state, states, created),
              SnapshotHistoriesTest::known);
        });
  }

  /** States are given in the order of their confirmation; by which numbers is nobody's affair. */
  private static Object known(StateStoreState state) {
    return List.of(
        state.height(),
        state.confirmed().entrySet().stream()
            .sorted(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .toList(),
        state.unconfirmed(),
        state.unconfirmedOf(),
        state.contentMissing(),
        state.sought(),
        state.differs(),
        state.outbox(),
        state.erased(),
        state.unmade());
  }

  private StateStoreEvent next(StateStoreState state, List<StateId> states, Set<StateId> created) {
    var kind = kind(StateStoreEvent.class);
    if (kind == StateStoreEvent.StatesStored.class) {
      var items =
          states.stream()
              .filter(each -> random.nextInt(6) == 0)
              .map(each -> new StateStoreEvent.Item(any.next(TransactionId.class), each))
              .toList();
      return new StateStoreEvent.StatesStored(any.next(NodeName.class), items);
    } else if (kind == StateStoreEvent.DistributionAcknowledged.class
        && !state.outbox().isEmpty()) {
      return new StateStoreEvent.DistributionAcknowledged(
          pick(List.copyOf(state.outbox().keySet())));
    } else if (kind == StateStoreEvent.BlockApplied.class) {
      return applied(state, states, created);
    } else if (kind == StateStoreEvent.DistributionBegun.class
        || kind == StateStoreEvent.DistributionAcknowledged.class) {
      return any.next(StateStoreEvent.DistributionBegun.class);
    } else if (kind == StateStoreEvent.DistributionsGathered.class) {
      var some = state.outbox().keySet().stream().filter(each -> random.nextInt(4) == 0).toList();
      return new StateStoreEvent.DistributionsGathered(
          some, any.next(StateStoreEvent.DistributionBegun.Delivery.class));
    } else if (kind == StateStoreEvent.ContentsLost.class) {
      return new StateStoreEvent.ContentsLost(
          Stream.concat(state.confirmed().keySet().stream(), state.unconfirmed().keySet().stream())
              .filter(each -> random.nextInt(20) == 0)
              .toList());
    }
    if (kind == StateStoreEvent.ContentsGiven.class) {
      return new StateStoreEvent.ContentsGiven(
          any.next(NodeName.class),
          state.contentMissing().keySet().stream().filter(each -> random.nextInt(3) == 0).toList());
    } else if (kind == StateStoreEvent.ContentsSought.class) {
      return new StateStoreEvent.ContentsSought(state.height());
    } else if (kind == StateStoreEvent.DifferenceFound.class) {
      return new StateStoreEvent.DifferenceFound(state.height());
    } else if (kind == StateStoreEvent.Corrected.class) {
      var made =
          states.stream()
              .filter(each -> random.nextInt(8) == 0)
              .map(each -> new MissingContents.Missing(state.height(), each))
              .toList();
      return new StateStoreEvent.Corrected(
          state.confirmed().keySet().stream().filter(each -> random.nextInt(8) == 0).toList(),
          made,
          made.stream()
              .map(MissingContents.Missing::state)
              .filter(each -> random.nextBoolean())
              .toList(),
          random.nextBoolean(),
          state.confirmed().keySet().stream().filter(each -> random.nextInt(8) == 0).toList());
    }
    if (kind == StateStoreEvent.ErasureDemanded.class) {
      return any.next(StateStoreEvent.ErasureDemanded.class);
    } else if (kind == StateStoreEvent.ContentsErased.class) {
      return new StateStoreEvent.ContentsErased(
          states.stream().filter(each -> random.nextInt(20) == 0).toList());
    } else if (kind == StateStoreEvent.ContentsWiped.class) {
      return new StateStoreEvent.ContentsWiped(
          state.erased().toWipe().stream().filter(each -> random.nextBoolean()).toList());
    } else if (kind == StateStoreEvent.ErasureAnswered.class) {
      return state.erased().list().stream()
          .filter(each -> !each.open().isEmpty())
          .findFirst()
          .map(
              each ->
                  new StateStoreEvent.ErasureAnswered(
                      each.id(), each.open().getFirst(), random.nextBoolean()))
          .orElseGet(() -> any.next(StateStoreEvent.ErasureAnswered.class));
    }
    if (kind == StateStoreEvent.ContentsDropped.class) {
      return new StateStoreEvent.ContentsDropped(
          state.unmade().states().keySet().stream().filter(each -> random.nextBoolean()).toList());
    }
    throw new IllegalStateException("Say when a state store's " + kind + " may come.");
  }

  /** Seldom it comes so late that what was never confirmed is forgotten. */
  private StateStoreEvent applied(
      StateStoreState state, List<StateId> states, Set<StateId> created) {
    var spent = created.stream().filter(each -> random.nextInt(4) == 0).toList();
    var fresh = states.stream().filter(id -> random.nextInt(6) == 0 && created.add(id)).toList();
    long blocks = random.nextInt(20) == 0 ? 20_000 : 1 + random.nextInt(3);
    return new StateStoreEvent.BlockApplied(
        new BlockHeight(state.height().value() + blocks), spent, fresh);
  }
}
