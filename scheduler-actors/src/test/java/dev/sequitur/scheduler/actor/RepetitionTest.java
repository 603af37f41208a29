package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueEffect.BatchAnswer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.scheduler.storage.CommandDigest;
import dev.sequitur.scheduler.storage.QueueMemory;
import dev.sequitur.scheduler.storage.RecentCommands.Remembered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was done before this version made its digests otherwise: they cannot be compared. */
class RepetitionTest {
  private static final AccountId BOB = new AccountId("bob");
  private static final Operation FUND = new Operation.Fund(BOB, new Amount(5));
  private static final Operation BATCH =
      new Operation.Batch(List.of(new PlanOperation.Pause()), false);
  private static final Answer TAKEN =
      new Answer("id", Optional.empty(), Optional.empty(), Optional.empty());
  private static final BatchAnswer KEPT = new BatchAnswer("id", true, List.of(TAKEN));

  private final CommandDigest digests = new CommandDigest();

  @Test
  void whatComesUnderTheIdOfAnEarlierVersionsCommandIsItsRepetition() {
    assertThat(answer(FUND, TAKEN)).isEqualTo(TAKEN);
    assertThat(answer(BATCH, KEPT)).isEqualTo(KEPT);
  }

  @Test
  void aCommandUnderTheIdOfAnEarlierVersionsBatchIsAnotherOne() {
    assertThat(answer(FUND, KEPT))
        .isInstanceOfSatisfying(Answer.class, RepetitionTest::assertReused);
  }

  @Test
  void aBatchUnderTheIdOfAnEarlierVersionsCommandIsAnotherOne() {
    assertThat(answer(BATCH, TAKEN))
        .isInstanceOfSatisfying(BatchAnswer.class, batch -> assertReused(batch.each().get(0)));
  }

  /** Memory has the newest only; what is older was read from the store before. */
  @Test
  void whatOnlyTheStoreRemembersIsARepetitionToo() {
    var command = new Command("id", BOB, FUND);
    var recalled = Map.of("id", new Remembered(digests.of(command), TAKEN));

    assertThat(new Repetition(digests, QueueMemory.EMPTY, recalled).answer(command))
        .contains(TAKEN);
    assertThat(new Repetition(digests, QueueMemory.EMPTY, Map.of()).answer(command)).isEmpty();
  }

  private QueueEffect answer(Operation operation, QueueEffect known) {
    var command = new Command("id", BOB, operation);
    // The layout stands in the highest bits; none will ever have this one.
    long madeOtherwise = digests.of(command) ^ (1L << 62);
    return Repetition.answer(digests, new Remembered(madeOtherwise, known), command);
  }

  private static void assertReused(Answer answer) {
    assertThat(answer.refusal())
        .hasValueSatisfying(
            refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.COMMAND_REUSED));
  }
}
