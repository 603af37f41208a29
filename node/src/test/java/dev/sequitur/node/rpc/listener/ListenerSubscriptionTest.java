package dev.sequitur.node.rpc.listener;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.Effect;
import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.ListenerFeed.Page;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.listener.Telling;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How batches are filled, step by step; the test moves all time. */
class ListenerSubscriptionTest {
  private static final Duration PATIENCE = Duration.ofMillis(75);
  private static final int BATCH = 3;

  private record Asked(long after, HeldBack heldBack, int most, CompletableFuture<Page> answer) {}

  private final ListenerStore store = new InMemoryNodeStore().listeners();
  private final Deque<Asked> asked = new ArrayDeque<>();
  private final List<ObjectNode> pushed = new ArrayList<>();
  private BehaviorTestKit<ListenerSubscription.Command> actor;
  private final List<Effect.TimerScheduled<?>> scheduled = new ArrayList<>();
  private Duration time = Duration.ZERO;
  private boolean ended;
  private boolean shared;

  @BeforeEach
  void start() {
    begin(PATIENCE);
  }

  private void begin(Duration patience) {
    var listener = listener(Instant.EPOCH);
    store.create(ListenerKind.EVENTS, listener);
    var feed =
        new ListenerFeed(
            "ptx_subscription",
            "events",
            BATCH,
            patience,
            (after, heldBack, most) -> {
              var answer = new CompletableFuture<Page>();
              asked.add(new Asked(after, heldBack, most, answer));
              return answer;
            });
    actor =
        BehaviorTestKit.create(
            ListenerSubscription.create(
                new ListenerSubscription.Setup(
                    "s",
                    ListenerKind.EVENTS,
                    listener,
                    feed,
                    store,
                    RpcSettings.Timeouts.DEFAULT,
                    () -> time.toNanos(),
                    new ListenerSubscription.Outlet() {
                      @Override
                      public void push(ObjectNode notification) {
                        pushed.add(notification);
                      }

                      @Override
                      public boolean keepsTurn() {
                        return !shared;
                      }

                      @Override
                      public boolean keepsLateTurn() {
                        return !shared;
                      }

                      @Override
                      public void answeredLate() {}

                      @Override
                      public void ended() {
                        ended = true;
                      }
                    })));
    actor.run(ListenerSubscription.Start.INSTANCE);
    assertThat(asked).as("not its turn").isEmpty();
    actor.run(ListenerSubscription.Turn.INSTANCE);
    work();
  }

  @Test
  void aBatchThatIsNotFullWaitsForMoreUntilItIsDue() {
    answer(15, 12, 14);

    assertThat(asked.peek().after()).isEqualTo(15);
    assertThat(asked.peek().most()).as("what is free in the batch").isEqualTo(1);
    answer(15);
    assertThat(pushed).isEmpty();

    pass(PATIENCE);

    assertThat(lastPushed()).containsExactly(12L, 14L);
  }

  @Test
  void aFullBatchGoesAtOnce() {
    answer(15, 12, 14);
    answer(16, 16);

    assertThat(lastPushed()).containsExactly(12L, 14L, 16L);
  }

  @Test
  void whatComesWhileABatchIsDueGoesAlong() {
    answer(15, 12);
    pass(PATIENCE);
    assertThat(pushed).isEmpty();

    answer(16, 16);

    assertThat(lastPushed()).containsExactly(12L, 16L);
  }

  @Test
  void aBatchThatIsDueGoesThoughNothingMoreCanBeRead() {
    answer(15, 12);
    pass(PATIENCE);

    asked.remove().answer().completeExceptionally(new IllegalStateException("away"));
    work();

    assertThat(lastPushed()).containsExactly(12L);
  }

  @Test
  void onceTakenItGoesOnBehindAllThatWasRead() {
    answer(15, 12, 14);
    answer(20, 18);
    assertThat(pushed).hasSize(1);

    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();

    assertThat(acknowledged()).isEqualTo(20);
    assertThat(asked.peek().after()).isEqualTo(20);
    assertThat(asked.peek().most()).isEqualTo(BATCH);
  }

  /** CLR-2: what is asked for next is asked behind what the store has, not before. */
  @Test
  void itGoesOnOnlyOnceTheAcknowledgementIsStored() {
    answer(15, 12, 14);
    answer(20, 18);

    actor.run(ListenerSubscription.Acknowledge.INSTANCE);

    assertThat(asked).as("it is being stored").isEmpty();
    work();
    assertThat(acknowledged()).isEqualTo(20);
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatTheListenerDoesNotWantIsRememberedAsTaken() {
    answer(99);

    assertThat(acknowledged()).isEqualTo(99);
    assertThat(pushed).isEmpty();
  }

  @Test
  void whatWasGatheredIsReadAgainAfterAStop() {
    answer(15, 12);
    store.stop(ListenerKind.EVENTS, "l", Optional.of(Instant.EPOCH));
    answer(15);
    actor.run(timer(RpcSettings.Timeouts.DEFAULT.receiptPoll()));
    work();

    store.stop(ListenerKind.EVENTS, "l", Optional.empty());
    actor.run(timer(RpcSettings.Timeouts.DEFAULT.receiptPoll()));

    assertThat(asked.peek().after()).isEqualTo(10);
    assertThat(asked.peek().most()).isEqualTo(BATCH);
    assertThat(pushed).isEmpty();
  }

  @Test
  void withoutPatienceABatchGoesAsItIs() {
    asked.clear();
    begin(Duration.ZERO);

    answer(15, 12);

    assertThat(lastPushed()).containsExactly(12L);
  }

  @Test
  void whoServesAListenerThatAnotherJvmHasDeletedIsToldSo() {
    store.delete(ListenerKind.EVENTS, "l");

    answer(15);
    work();

    assertThat(pushed.getLast().at("/params/error/message").asText())
        .contains("The blockchain event listener 'l' was deleted.");
    assertThat(ended).isTrue();
    assertThat(actor.isAlive()).isFalse();
  }

  /** It is told of what its maker has chosen, by whoever subscribes to it. */
  @Test
  void nothingIsTakenFromAnotherListenerOfTheSameName() {
    answer(15, 12, 13, 14);
    store.delete(ListenerKind.EVENTS, "l");
    store.create(ListenerKind.EVENTS, listener(Instant.EPOCH.plusSeconds(1)));

    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();

    assertThat(acknowledged()).isEqualTo(10);
    assertThat(ended).isTrue();
  }

  /** Clocks of two JVMs can have shown the same time as both were made. */
  @Test
  void nothingIsTakenFromAListenerOfTheSameNameAndTimeThatIsToldOfOtherThings() {
    answer(15, 12, 13, 14);
    store.delete(ListenerKind.EVENTS, "l");
    store.create(
        ListenerKind.EVENTS,
        new Listener("l", Bytes.utf8("of others"), Instant.EPOCH, 10, Optional.empty()));

    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();

    assertThat(acknowledged()).isEqualTo(10);
    assertThat(ended).isTrue();
  }

  @Test
  void whatIsRefusedComesAgainLessAndLessOftenUntilItIsTaken() {
    answer(15, 12, 13, 14);

    for (long millis :
        new long[] {200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 60_000, 60_000}) {
      actor.run(ListenerSubscription.Refuse.INSTANCE);
      int before = pushed.size();
      actor.run(timer(Duration.ofMillis(millis)));
      assertThat(pushed).hasSize(before + 1);
    }

    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();
    answer(20, 16, 17, 18);
    actor.run(ListenerSubscription.Refuse.INSTANCE);
    actor.run(timer(Duration.ofMillis(200)));
    assertThat(lastPushed()).containsExactly(16L, 17L, 18L);
  }

  /** What another has taken meanwhile does not come again. */
  @Test
  void whereOthersShareTheListenerItsTurnEndsWithABatchAndTheNextBeginsWhereTheListenerStands() {
    shared = true;
    answer(15, 12, 13, 14);
    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();
    assertThat(acknowledged()).isEqualTo(15);
    assertThat(asked).isEmpty();

    var listener = store.find(ListenerKind.EVENTS, "l").toCompletableFuture().join().orElseThrow();
    store.acknowledge(ListenerKind.EVENTS, listener, Taken.upTo(40)).toCompletableFuture().join();
    actor.run(ListenerSubscription.Turn.INSTANCE);
    work();

    assertThat(asked.peek().after()).isEqualTo(40);
  }

  @Test
  void whereOthersShareTheListenerABatchThatIsRefusedOrNotTakenIsLeftToThem() {
    shared = true;
    answer(15, 12, 13, 14);
    actor.run(ListenerSubscription.Refuse.INSTANCE);
    actor.run(timer(RpcSettings.Timeouts.DEFAULT.receiptRetry()));
    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    assertThat(pushed).hasSize(1);

    actor.run(ListenerSubscription.Turn.INSTANCE);
    work();
    answer(15, 12, 13, 14);
    actor.run(timer(Telling.LONGEST_TURN));
    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();

    assertThat(pushed).hasSize(2);
    assertThat(acknowledged()).as("another has it now").isEqualTo(10);
  }

  @Test
  void aloneItWaitsForABatchToBeTakenHoweverLong() {
    answer(15, 12, 13, 14);
    actor.run(timer(Telling.LONGEST_TURN));
    actor.run(timer(Telling.LONGEST_TURN));

    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();

    assertThat(acknowledged()).isEqualTo(15);
  }

  @Test
  void whatIsHeldBackIsStoredWithWhatWasReadAndToldLater() {
    answer(15, List.of(13L, 14L), List.of());
    assertThat(heldBack()).containsExactly(13L, 14L);
    assertThat(askedWith()).as("as it is stored").containsExactly(13L, 14L);

    answer(16, List.of(), List.of(13L), 13);
    assertThat(askedWith()).as("without what is gathered").containsExactly(14L);
    pass(PATIENCE);
    answer(16);
    assertThat(lastPushed()).containsExactly(13L);
    assertThat(heldBack()).as("it was not taken").containsExactly(13L, 14L);
    actor.run(ListenerSubscription.Acknowledge.INSTANCE);
    work();

    assertThat(heldBack()).containsExactly(14L);
    assertThat(askedWith()).containsExactly(14L);
  }

  @Test
  void whatIsHeldBackNoMoreIsForgottenThoughNothingIsTold() {
    answer(15, List.of(13L), List.of());

    answer(15, List.of(), List.of(13L));

    assertThat(heldBack()).isEmpty();
    assertThat(acknowledged()).isEqualTo(15);
    assertThat(pushed).isEmpty();
  }

  @Test
  void whatWasFoundIsHeldBackStillWhereTheTurnEndsBeforeItIsTaken() {
    shared = true;
    answer(15, List.of(13L), List.of());
    answer(19, List.of(17L), List.of(13L), 13, 18, 19);
    actor.run(timer(Telling.LONGEST_TURN));

    actor.run(ListenerSubscription.Turn.INSTANCE);
    work();

    assertThat(heldBack()).containsExactly(13L);
    assertThat(askedWith()).containsExactly(13L);
    assertThat(asked.peek().after()).isEqualTo(15);
  }

  @Test
  void whatIsHeldBackInWhatWasGatheredIsReadAgainAfterAStop() {
    answer(15, List.of(13L), List.of(), 12);
    store.stop(ListenerKind.EVENTS, "l", Optional.of(Instant.EPOCH));
    answer(15);
    actor.run(timer(RpcSettings.Timeouts.DEFAULT.receiptPoll()));
    work();
    store.stop(ListenerKind.EVENTS, "l", Optional.empty());
    actor.run(timer(RpcSettings.Timeouts.DEFAULT.receiptPoll()));

    assertThat(asked.peek().after()).isEqualTo(10);
    assertThat(askedWith()).isEmpty();
    assertThat(heldBack()).isEmpty();
  }

  /** Or it would be told nothing any more. */
  @Test
  void aTimerThatGoesOffTooEarlyIsSetAgain() {
    answer(10);
    var early = timer(RpcSettings.Timeouts.DEFAULT.receiptPoll());
    time = Duration.ZERO;
    long before = timers().count();

    actor.run(early);

    assertThat(asked).isEmpty();
    assertThat(timers()).hasSize((int) before + 1);
  }

  @Test
  void whatCannotBeReadIsSaidInTheLogWithItsReason() {
    asked.remove().answer().completeExceptionally(new IllegalStateException("The chain is away."));
    work();

    assertThat(actor.getAllLogEntries())
        .anySatisfy(
            entry -> {
              assertThat(entry.message()).contains("The blockchain event listener 'l'");
              assertThat(entry.getErrorCause().orElseThrow())
                  .hasRootCauseMessage("The chain is away.");
            });
  }

  private static Listener listener(Instant created) {
    return new Listener("l", Bytes.EMPTY, created, 10, Optional.empty());
  }

  /** The page that was asked for comes. */
  private void answer(long readTo, long... rows) {
    answer(readTo, List.of(), List.of(), rows);
  }

  private void answer(long readTo, List<Long> heldBack, List<Long> done, long... rows) {
    var all = LongStream.of(rows).mapToObj(row -> new Row(row, IntNode.valueOf((int) row)));
    var held = heldBack.stream().map(number -> new HeldBack.Row(number, true)).toList();
    asked.remove().answer().complete(new Page(all.toList(), readTo, held, done));
    work();
  }

  private List<Long> askedWith() {
    return numbers(asked.element().heldBack());
  }

  private List<Long> heldBack() {
    return numbers(stored().heldBack());
  }

  private static List<Long> numbers(HeldBack heldBack) {
    return heldBack.rows().stream().map(HeldBack.Row::number).toList();
  }

  private void work() {
    while (actor.selfInbox().hasMessages()) {
      actor.runOne();
    }
  }

  private void pass(Duration length) {
    time = time.plus(length);
    timers().reduce((earlier, later) -> later).ifPresent(last -> actor.run(message(last)));
  }

  /** What the last timer of that length would tell, when it is over. */
  private ListenerSubscription.Command timer(Duration length) {
    time = time.plus(length);
    return timers()
        .filter(scheduled -> scheduled.duration().equals(length))
        .reduce((earlier, later) -> later)
        .map(ListenerSubscriptionTest::message)
        .orElseThrow();
  }

  private Stream<Effect.TimerScheduled<?>> timers() {
    actor.getAllEffects().stream()
        .filter(Effect.TimerScheduled.class::isInstance)
        .forEach(effect -> scheduled.add((Effect.TimerScheduled<?>) effect));
    return scheduled.stream();
  }

  private static ListenerSubscription.Command message(Effect.TimerScheduled<?> timer) {
    return (ListenerSubscription.Command) timer.msg();
  }

  private long acknowledged() {
    return stored().acknowledged();
  }

  private Listener stored() {
    return store.find(ListenerKind.EVENTS, "l").toCompletableFuture().join().orElseThrow();
  }

  private List<Long> lastPushed() {
    var rows = new ArrayList<Long>();
    pushed.getLast().at("/params/result/events").forEach(row -> rows.add(row.longValue()));
    return rows;
  }
}
