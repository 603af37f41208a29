package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.sender.SenderTransaction.Progress;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.protocol.trie.HashTrie;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.pcollections.PMap;
import org.pcollections.TreePVector;

/** What is kept beside a sender's transactions is what going through all of them would find. */
class LiveTransactionsTest {
  private static final Instant NOW = Instant.parse("2026-11-29T01:00:00Z");
  private static final List<Identity> OWNERS =
      List.of(Contract.transaction(A, 0).from(), Identity.parse("another@" + A));
  private static final List<TransactionState> LIVE =
      List.of(
          TransactionState.PENDING,
          TransactionState.PARKED,
          TransactionState.DELEGATING,
          TransactionState.DELEGATED,
          TransactionState.ASSEMBLING,
          TransactionState.PREPARED,
          TransactionState.DISPATCHED);

  private static PrivateTransaction transaction(long number) {
    return Contract.transaction(A, number)
        .with()
        .from(OWNERS.get((int) (number % OWNERS.size())))
        .submitMode(number % 3 == 0 ? SubmitMode.EXTERNAL : SubmitMode.AUTO)
        .build();
  }

  private static SenderTransaction live(PrivateTransaction of, long order, Instant accepted) {
    return new SenderTransaction(
        of,
        order,
        TransactionState.PENDING,
        Progress.NONE,
        NOW,
        accepted,
        NOW,
        NOW,
        0,
        NOW,
        HashTrie.emptySet(),
        Optional.empty(),
        TreePVector.empty());
  }

  @Property(tries = 300)
  void whateverBecomesOfThemLookingGoesThroughNoMore(@ForAll long seed) {
    var random = new Random(seed);
    var live = LiveTransactions.NONE;
    for (int i = 0; i < 80; i++) {
      live = changed(live, random);
      check(live);
    }
  }

  private static LiveTransactions changed(LiveTransactions live, Random random) {
    var all = List.copyOf(live.byId().values());
    if (all.isEmpty() || random.nextInt(4) == 0) {
      var accepted = NOW.minusSeconds(random.nextInt(10));
      var next = transaction(live.arrivals());
      return live.arrived(live(next, live.arrivals(), accepted));
    }
    var one = all.get(random.nextInt(all.size()));
    return switch (random.nextInt(7)) {
      case 0 -> live.remove(one).waitingNoMore(one);
      case 1 -> live.waiting(one);
      case 2 -> live.waitingNoMore(one);
      case 3 -> live.put(one.withPrepared(prepared(one, random)));
      default -> live.put(one.withState(LIVE.get(random.nextInt(LIVE.size()))));
    };
  }

  private static Optional<PreparedTransaction> prepared(SenderTransaction one, Random random) {
    return Optional.of(
        new PreparedTransaction(
            one.transaction().key(),
            ADDRESS,
            someStates(random),
            someStates(random),
            someStates(random),
            Proof.NONE));
  }

  private static List<StateId> someStates(Random random) {
    return random
        .ints(random.nextInt(3), 0, 5)
        .mapToObj(number -> Contract.state("state " + number, A).id())
        .distinct()
        .toList();
  }

  private static void check(LiveTransactions live) {
    var all = live.byId().values();
    assertThat(live.pending().values())
        .containsExactlyElementsOf(
            all.stream()
                .filter(one -> one.state() == TransactionState.PENDING)
                .sorted(Comparator.comparingLong(SenderTransaction::order))
                .map(SenderTransaction::id)
                .toList());
    assertThat(live.oldest())
        .containsExactlyElementsOf(
            all.stream()
                .filter(SenderTransaction::isUnderWay)
                .sorted(
                    Comparator.comparing(SenderTransaction::accepted)
                        .thenComparingLong(SenderTransaction::order))
                .toList());
    assertThat(live.left())
        .isEqualTo(
            all.stream()
                .filter(SenderTransaction::isLeftToCaller)
                .flatMap(one -> one.prepared().stream())
                .reduce(LeftStates.NONE, LeftStates::plus, (a, b) -> a));
    for (var one : all) {
      assertThat(live.hasOwnBefore(one)).isEqualTo(hasOwnBefore(live, one));
    }
  }

  /** As SND-7 says it. */
  private static boolean hasOwnBefore(LiveTransactions live, SenderTransaction one) {
    var working =
        Set.of(
            TransactionState.DELEGATING,
            TransactionState.DELEGATED,
            TransactionState.ASSEMBLING,
            TransactionState.PREPARED,
            TransactionState.DISPATCHED);
    return live.byId().values().stream()
        .filter(other -> !other.id().equals(one.id()))
        .filter(other -> other.transaction().from().equals(one.transaction().from()))
        .filter(other -> working.contains(other.state()))
        .anyMatch(other -> !live.isAfterOwn(other));
  }

  @Test
  void whoDecidesOrLooksGoesThroughNone() {
    var live = LiveTransactions.NONE.withById(unlisted(LiveTransactions.NONE.byId()));
    for (long number : LongStream.range(0, 50).toArray()) {
      live = live.arrived(live(transaction(number), number, NOW.plus(Duration.ofMillis(number))));
      live =
          live.put(live.byId().get(transaction(number).id()).withState(TransactionState.DELEGATED));
    }
    var oldest = live.byId().get(transaction(0).id());
    var step =
        new SenderStep(
            new SenderSetup(
                A, Contract.GROUP, Contract.SELECTION, SenderOfA.SETTINGS, Links.UNKNOWN),
            SenderState.initial().withLive(live),
            NOW);

    OwnFirst.onInsufficient(step, oldest, "No coin.");

    assertThat(OwnFirst.waits(step, oldest)).isTrue();
    assertThat(live.remove(oldest).oldest().limit(2))
        .extracting(SenderTransaction::id)
        .containsExactly(transaction(1).id(), transaction(2).id());
  }

  /** Throws when somebody goes through it. */
  @SuppressWarnings("unchecked") // A proxy of an interface with type parameters.
  private static PMap<TransactionId, SenderTransaction> unlisted(
      PMap<TransactionId, SenderTransaction> map) {
    return (PMap<TransactionId, SenderTransaction>)
        Proxy.newProxyInstance(
            PMap.class.getClassLoader(),
            new Class<?>[] {PMap.class},
            (proxy, method, arguments) -> {
              if (!Set.of("get", "plus", "minus", "containsKey").contains(method.getName())) {
                throw new AssertionError("All transactions were gone through: " + method);
              }
              try {
                var answer = method.invoke(map, arguments);
                return answer instanceof PMap<?, ?> next
                    ? unlisted((PMap<TransactionId, SenderTransaction>) next)
                    : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
