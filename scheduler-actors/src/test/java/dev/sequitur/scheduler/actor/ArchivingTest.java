package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.BodyStore;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureState;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.signing.Bodies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePMap;

/** When executed bodies go to their store, and what the queue is told of it. */
class ArchivingTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final int BATCH = MultiSignatureSettings.MVP.limits().maxUnarchived() / 20;

  private final List<List<Hash>> written = new ArrayList<>();
  private final Deque<Runnable> computing = new ArrayDeque<>();
  private CompletableFuture<Void> disk = new CompletableFuture<>();
  private final Archiving archiving =
      new Archiving(
          new BodyStore() {
            @Override
            public CompletionStage<Void> add(String queue, long upTo, List<Hash> bodies) {
              written.add(bodies);
              return disk;
            }

            @Override
            public CompletionStage<Long> storedUpTo(String queue) {
              throw new AssertionError("Nobody asks here.");
            }

            @Override
            public CompletionStage<Boolean> contains(String queue, Hash body) {
              throw new AssertionError("Nobody asks here.");
            }
          },
          computing::add,
          "queue",
          QueueSetup.of(OPERATOR, new MultiSignature(MultiSignatureSettings.MVP)));

  private Bodies bodies = Bodies.EMPTY;

  /** What another thread does. */
  private void compute() {
    while (!computing.isEmpty()) {
      computing.poll().run();
    }
  }

  private void execute(int number) {
    for (int i = 0; i < number; i++) {
      bodies = bodies.execute(Hash.sha256(Bytes.utf8("body " + bodies.executed()).toByteArray()));
    }
  }

  private QueueState state() {
    var initial = (MultiSignatureState) new MultiSignature(MultiSignatureSettings.MVP).initial();
    return QueueState.initial()
        .withFamilies(TreePMap.singleton(FamilyKind.MULTI_SIGNATURE, initial.withBodies(bodies)));
  }

  @Test
  void aFewStayInMemory() {
    assertThat(archiving.write(QueueState.initial())).isEmpty();
    execute(BATCH - 1);

    assertThat(archiving.write(state())).isEmpty();
    assertThat(written).isEmpty();
  }

  @Test
  void theQueueIsToldOnceTheyAreDurable() {
    execute(BATCH);

    var telling = archiving.write(state()).orElseThrow().toCompletableFuture();

    assertThat(written).as("nothing on the caller's thread").isEmpty();
    compute();
    assertThat(written).singleElement().satisfies(some -> assertThat(some).hasSize(BATCH));
    assertThat(telling).isNotDone();
    disk.complete(null);
    assertThat(telling).isCompletedWithValue(new QueueInput.BodiesStored(BATCH));
  }

  @Test
  void oneWriteIsUnderWayAtATime() {
    execute(BATCH);
    archiving.write(state());
    compute();
    execute(BATCH);
    assertThat(archiving.write(state())).isEmpty();

    archiving.written();
    bodies = bodies.archive(BATCH);

    assertThat(archiving.write(state())).isPresent();
    compute();
    assertThat(written).hasSize(2);
    assertThat(written.get(1)).hasSize(BATCH).doesNotContainAnyElementsOf(written.get(0));
  }

  @Test
  void aWriteThatFailedIsTriedAgainLaterAndNotLargerHoweverManyMoreThereAre() {
    execute(BATCH);
    archiving.write(state());
    compute();
    disk.completeExceptionally(new IllegalStateException("no disk"));
    execute(3 * BATCH);
    assertThat(archiving.write(state())).isEmpty();

    archiving.failed();
    archiving.tryAgain();
    disk = CompletableFuture.completedFuture(null);

    for (int piece = 1; piece <= 4; piece++) {
      var telling = archiving.write(state()).orElseThrow().toCompletableFuture();
      compute();
      assertThat(telling).isCompletedWithValue(new QueueInput.BodiesStored((long) piece * BATCH));
      assertThat(written.get(piece)).hasSize(BATCH);
      bodies = bodies.archive((long) piece * BATCH);
      archiving.written();
    }
    assertThat(archiving.write(state())).isEmpty();
  }
}
