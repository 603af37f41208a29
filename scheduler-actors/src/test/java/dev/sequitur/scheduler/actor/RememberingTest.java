package dev.sequitur.scheduler.actor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.CommandStore;
import dev.sequitur.persistence.store.CommandStore.Done;
import dev.sequitur.persistence.store.CommandStore.Extent;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.SchedulerNode;
import dev.sequitur.scheduler.SchedulerSettings;
import dev.sequitur.scheduler.storage.CommandDigest;
import dev.sequitur.scheduler.storage.QueueFormat;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.QueueRecord.Answered;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When commands that were done go to their store, when they leave memory, and when the store. */
class RememberingTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final AccountId BOB = new AccountId("bob");
  private static final CommandDigest DIGESTS = new CommandDigest();

  /** How many memory always keeps, and for how many more a write is worth while. */
  private static final int KEPT = 30;

  private static final int WORTH_WHILE = KEPT / 10;

  private final Stored store = new Stored();
  private final Deque<Runnable> computing = new ArrayDeque<>();
  private final Remembering remembering = new Remembering(services(), "queue");

  private QueueServices services() {
    var gas = new GasPriority(new GasPrioritySettings(100, 100, 100, 100, 1, 10_240));
    return new QueueServices(
        new ScheduleQueue(QueueSetup.of(new AccountId("operator"), gas)),
        SchedulerSettings.DEFAULT
            .withRememberedCommands(KEPT)
            .withMostRememberedCommands(1_000)
            .withCommandsRememberedFor(Duration.ofHours(100)),
        new NodeClocks(InstantSource.fixed(NOW), () -> 0),
        null,
        null,
        null,
        new Recall(store, new QueueFormat(), DIGESTS),
        null,
        null,
        DIGESTS,
        computing::add,
        null,
        null,
        null);
  }

  /** What another thread does. */
  private void compute() {
    while (!computing.isEmpty()) {
      computing.poll().run();
    }
  }

  private static Command command(String id) {
    return new Command(id, BOB, new Operation.Withdraw(BOB, new Amount(id.length())));
  }

  private static QueueMemory done(List<String> ids) {
    return QueueMemory.EMPTY.with(
        QueueState.initial(),
        ids.stream().map(id -> new Answered(id, DIGESTS.of(command(id)), answer(id))).toList());
  }

  private static QueueMemory done(int number) {
    return done(IntStream.rangeClosed(1, number).mapToObj(each -> "command " + each).toList());
  }

  private static Answer answer(String id) {
    return new Answer(id, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Hash hash(String id) {
    return Hash.sha256(id.getBytes(UTF_8));
  }

  @Test
  void theNewestStayInMemoryAndAFewMoreAreNotWorthAWrite() {
    assertThat(remembering.write(done(KEPT + WORTH_WHILE - 1))).isEmpty();

    var written = remembering.write(done(KEPT + WORTH_WHILE)).orElseThrow();
    assertThat(store.added).as("nothing on the caller's thread").isEmpty();
    compute();

    assertThat(written).isCompletedWithValue(new Extent(1, WORTH_WHILE));
    assertThat(store.added.keySet())
        .containsExactlyInAnyOrder(hash("command 1"), hash("command 2"), hash("command 3"));
    assertThat(store.at).isEqualTo(NOW);
  }

  @Test
  void whatWasWrittenIsNotWrittenAgainAndOneWriteIsUnderWayAtATime() {
    remembering.write(done(KEPT + WORTH_WHILE));
    compute();
    assertThat(remembering.write(done(KEPT + 2 * WORTH_WHILE))).isEmpty();

    remembering.written(new Extent(1, WORTH_WHILE));
    store.added.clear();
    assertThat(remembering.write(done(KEPT + 2 * WORTH_WHILE - 1))).isEmpty();
    assertThat(remembering.write(done(KEPT + 2 * WORTH_WHILE))).isPresent();
    compute();

    assertThat(store.added.keySet())
        .containsExactlyInAnyOrder(hash("command 4"), hash("command 5"), hash("command 6"));
  }

  @Test
  void afterAStoreThatStoodStillOneWriteIsNoLargerThanUsual() {
    remembering.write(done(KEPT + 10_005));
    compute();

    assertThat(store.added).hasSize(10_000);
    assertThat(store.upTo).isEqualTo(10_000);
  }

  @Test
  void whatComesOnceIsNotKeptThoughItCounts() {
    var ids = new ArrayList<>(List.of(SchedulerNode.ONCE + "a", "twice", SchedulerNode.ONCE + "b"));
    IntStream.range(0, KEPT).forEach(each -> ids.add("newer " + each));

    remembering.write(done(ids));
    compute();

    assertThat(store.added.keySet()).containsExactly(hash("twice"));
    assertThat(store.upTo).isEqualTo(3);
  }

  @Test
  void whatTheStoreHasIsAnsweredAsItWas() {
    remembering.write(done(KEPT + WORTH_WHILE));
    compute();
    var recall = new Recall(store, new QueueFormat(), DIGESTS);

    assertThat(recall.answer("queue", command("command 2")))
        .isCompletedWithValue(Optional.of(answer("command 2")));
    assertThat(recall.answer("queue", command("command 9"))).isCompletedWithValue(Optional.empty());
    var another = new Command("command 2", BOB, new Operation.Withdraw(BOB, new Amount(77)));
    assertThat(recall.answer("queue", another))
        .isCompletedWithValueMatching(
            answer ->
                ((Answer) answer.orElseThrow()).refusal().orElseThrow().code()
                    == Refusal.Code.COMMAND_REUSED);
  }

  /** Never less than the newest (SCH-9). */
  @Test
  void memoryDropsWhatTheStoreHasButNeverTheNewest() {
    var commands = done(100).commands();

    assertThat(remembering.droppable(commands)).as("nothing is stored").isZero();
    remembering.begin(new Extent(1, 50));
    assertThat(remembering.droppable(commands)).isEqualTo(50);
    remembering.begin(new Extent(1, 90));
    assertThat(remembering.droppable(commands)).isEqualTo(100 - KEPT);
  }

  /** For a day, as the setting says (SCH-9). */
  @Test
  void afterEachWriteThoseAreForgottenWhoseTimeIsOver() {
    remembering.write(done(KEPT + WORTH_WHILE));
    compute();

    assertThat(store.forgotten)
        .as("a hundredth longer than is promised")
        .containsExactly(NOW.minus(Duration.ofHours(101)));
    assertThat(store.mostForgotten).as("faster than they can come").isGreaterThan(10_000);
  }

  @Test
  void alsoWhenThereIsNothingToWriteButOnlyIfTheStoreHasAny() {
    assertThat(remembering.hasAny()).isFalse();
    assertThat(remembering.forget()).isEmpty();

    remembering.begin(new Extent(5, 5));
    assertThat(remembering.hasAny()).isTrue();
    assertThat(remembering.forget()).isPresent();
    assertThat(store.forgotten).containsExactly(NOW.minus(Duration.ofHours(101)));
    assertThat(remembering.forget()).as("one at a time").isEmpty();
    remembering.written(new Extent(6, 5));
    assertThat(remembering.forget()).as("none is left").isEmpty();
  }

  @Test
  void whileNothingCanBeStoredMemoryTakesTenTimesAsManyAndNoMore() {
    assertThat(remembering.refusal(done(10 * KEPT - 1).commands())).isEmpty();

    var refusal = remembering.refusal(done(10 * KEPT).commands()).orElseThrow();

    assertThat(refusal.code()).isEqualTo(Refusal.Code.BUSY);
    assertThat(refusal.sentence()).contains("cannot store at the moment");
  }

  /** Nothing is unbounded (SCH-10). */
  @Test
  void whoSendsMoreKeysThanMayBeRememberedIsToldWhichSettingItIs() {
    remembering.begin(new Extent(2, 1_000));
    assertThat(remembering.refusal(done(1).commands())).isEmpty();

    remembering.begin(new Extent(1, 1_000));

    var refusal = remembering.refusal(done(1).commands()).orElseThrow();
    assertThat(refusal.code()).isEqualTo(Refusal.Code.BUSY);
    assertThat(refusal.sentence()).contains("scheduler.most-remembered-commands");
  }

  /** Has stored at once, and forgets nothing. */
  private static final class Stored implements CommandStore {
    private final Map<Hash, byte[]> added = new HashMap<>();
    private final List<Instant> forgotten = new ArrayList<>();
    private long upTo;
    private Instant at;
    private int mostForgotten;

    @Override
    public CompletionStage<Void> add(
        String queue, long theUpTo, Instant theTime, List<Done> commands) {
      upTo = theUpTo;
      at = theTime;
      commands.forEach(done -> added.put(done.id(), done.content()));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Map<Hash, byte[]>> find(String queue, Collection<Hash> ids) {
      var found = new HashMap<>(added);
      found.keySet().retainAll(ids);
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletionStage<Extent> extent(String queue) {
      throw new AssertionError("Nobody asks here.");
    }

    @Override
    public CompletionStage<Extent> forget(String queue, Instant before, int atMost) {
      forgotten.add(before);
      mostForgotten = atMost;
      return CompletableFuture.completedFuture(new Extent(1, upTo));
    }
  }
}
