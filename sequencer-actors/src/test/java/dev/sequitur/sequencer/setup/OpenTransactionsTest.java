package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.sender.EndedRoom;
import dev.sequitur.protocol.sender.LiveTransactions;
import dev.sequitur.protocol.sender.RecentlyEnded;
import dev.sequitur.protocol.sender.SenderState;
import dev.sequitur.protocol.sender.SenderTransaction;
import dev.sequitur.protocol.sender.SenderTransaction.Progress;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.protocol.trie.HashTrie;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.pcollections.PMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

class OpenTransactionsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T17:34:22.5Z");
  private static final ContractAddress ADDRESS = new ContractAddress("0x" + "ab".repeat(20));
  private static final NodeName B = new NodeName("b");
  private static final Duration LONG = Duration.ofMinutes(11);
  private static final Duration SHORT = Duration.ofMinutes(9);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final OpenTransactions open =
      new OpenTransactions(registry, () -> NOW, new EndedRoom(100));

  private void has(SenderTransaction... transactions) {
    var live = LiveTransactions.NONE;
    for (var each : transactions) {
      live = live.arrived(each.withOrder(live.arrivals()));
    }
    open.begin(ADDRESS).is(SenderState.initial().withLive(live));
  }

  private static SenderTransaction waiting(
      long number, TransactionState state, Duration age, NodeName delegate) {
    return waiting(transaction(number, SubmitMode.AUTO), state, age, delegate);
  }

  private static SenderTransaction waiting(
      PrivateTransaction transaction, TransactionState state, Duration age, NodeName delegate) {
    var accepted = NOW.minus(age);
    return new SenderTransaction(
        transaction,
        0,
        state,
        Progress.NONE.withDelegate(Optional.of(delegate)),
        accepted,
        accepted,
        accepted,
        accepted,
        0,
        accepted,
        HashTrie.emptySet(),
        Optional.empty(),
        TreePVector.empty());
  }

  private static SenderTransaction leftToItsCaller(long number) {
    return waiting(
        transaction(number, SubmitMode.EXTERNAL),
        TransactionState.PREPARED,
        Duration.ofHours(1),
        B);
  }

  private static PrivateTransaction transaction(long number, SubmitMode mode) {
    return new PrivateTransaction(
        new TransactionId(new UUID(0, number)),
        ADDRESS,
        "token",
        "transfer",
        Identity.parse("alice@a"),
        Bytes.EMPTY,
        mode,
        List.of(),
        Hash.sha256(new byte[0]));
  }

  @Test
  void whatHasWaitedForLongIsToldWithItsNumberItsAgeAndTheNodesItWaitsFor() {
    has(
        waiting(1, TransactionState.DELEGATED, LONG, B),
        waiting(2, TransactionState.DELEGATING, LONG.plusMinutes(1), new NodeName("c")),
        waiting(3, TransactionState.DELEGATED, SHORT, new NodeName("d")));

    assertThat(open.stuck(NOW))
        .contains(
            "2 transactions accepted more than 10 minutes ago have not ended, the oldest since"
                + " 2026-11-28T17:22:22Z; it is up to b, c. `sequitur transactions --stuck-for"
                + " 10m` says for whom each waits.");
  }

  @Test
  void noTransactionIsNamedAndOnlySomeOfManyNodes() {
    var many =
        IntStream.rangeClosed(1, 7)
            .mapToObj(i -> waiting(i, TransactionState.DELEGATED, LONG, new NodeName("node" + i)))
            .toArray(SenderTransaction[]::new);
    has(many);

    assertThat(open.stuck(NOW).orElseThrow())
        .contains("up to node1, node2, node3, node4, node5 and 2 more.")
        .doesNotContain(many[0].id().toString());
  }

  @Test
  void whatWaitsForAnOperatorOrItsCallerIsNotStuck() {
    has(waiting(1, TransactionState.PARKED, LONG, B), leftToItsCaller(2));

    assertThat(open.stuck(NOW)).isEmpty();
    assertThat(Shown.in(registry)).containsEntry("sequitur_transactions_oldest_seconds", 0.0);
  }

  @Test
  void theSendersOfAJvmShareTheRoomForWhatHasEnded() {
    var busy = open.begin(ADDRESS);
    var other = open.begin(new ContractAddress("0x" + "cd".repeat(20)));
    assertThat(busy.endedRoom()).isEqualTo(100);

    busy.is(remembering(90));
    other.is(remembering(10));

    assertThat(busy.endedRoom()).isEqualTo(90);
    assertThat(other.endedRoom()).as("its share").isEqualTo(50);
    other.is(remembering(30));
    assertThat(busy.endedRoom()).isEqualTo(70);
    open.left(ADDRESS, busy);
    assertThat(other.endedRoom()).isEqualTo(100);
  }

  private static SenderState remembering(int ended) {
    var byAge = TreePMap.<Long, TransactionId>empty();
    PMap<TransactionId, RecentlyEnded.Ended> endings = HashTrie.empty();
    for (long number = 0; number < ended; number++) {
      var key = transaction(number, SubmitMode.AUTO).key();
      byAge = byAge.plus(number, key.transaction());
      endings =
          endings.plus(
              key.transaction(),
              new RecentlyEnded.Ended(TransactionState.CONFIRMED, key.commitment(), true));
    }
    return SenderState.initial().withEnded(new RecentlyEnded(endings, byAge, ended));
  }

  @Test
  void whatIsOpenForAWhileIsNoRemarkYet() {
    has(waiting(1, TransactionState.DELEGATED, SHORT, B));

    assertThat(open.stuck(NOW)).isEmpty();
    assertThat(Shown.in(registry)).containsEntry("sequitur_transactions_oldest_seconds", 540.0);
  }
}
