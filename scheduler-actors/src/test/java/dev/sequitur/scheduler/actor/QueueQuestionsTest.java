package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.actor.QueueDecider.Recalled;
import dev.sequitur.scheduler.storage.QueueMemory;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is answered at once, what waits for which moment, and for how many. */
class QueueQuestionsTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");
  private static final Command GIFT =
      new Command("gift", OPERATOR, new Operation.Fund(ALICE, new Amount(5)));
  private static final QueueReply DONE =
      new QueueReply.Answers(
          List.of(new Answer("gift", Optional.empty(), Optional.empty(), Optional.empty())));

  private final QueueServices services =
      QueueBatchTest.services(
          new ScheduleQueue(
              QueueSetup.of(
                  OPERATOR,
                  new GasPriority(new GasPrioritySettings(100, 100, 100, 100, 1, 10_240)))));
  private final Set<String> underWay = new HashSet<>();
  private final QueueQuestions questions = new QueueQuestions(services, underWay::contains);
  private final TestInbox<QueueReply> asker = TestInbox.create();

  @Test
  void whatIsAskedBeforeAnythingIsKnownIsAnsweredWhenItIs() {
    ask(new QueueQuestion.Available(ALICE));
    assertThat(asker.getAllReceived()).isEmpty();

    questions.answerFrom(withTheGift());
    ask(new QueueQuestion.Available(ALICE));

    var five = new QueueReply.Balance(new Amount(5));
    assertThat(asker.getAllReceived()).containsExactly(five, five);
  }

  @Test
  void whetherACommandWasDoneIsSaidWhenItIsStoredAndOtherQuestionsDoNotWaitForThat() {
    questions.answerFrom(QueueMemory.EMPTY);
    underWay.add("gift");

    ask(new QueueQuestion.Remembered(GIFT));
    questions.answerFrom(QueueMemory.EMPTY);
    ask(new QueueQuestion.Available(ALICE));
    assertThat(asker.getAllReceived()).containsExactly(new QueueReply.Balance(new Amount(0)));

    underWay.clear();
    questions.answerFrom(withTheGift());
    assertThat(asker.getAllReceived()).containsExactly(DONE);
  }

  @Test
  void aCommandThatNobodyHasSentIsNotRemembered() {
    questions.answerFrom(QueueMemory.EMPTY);

    ask(new QueueQuestion.Remembered(GIFT));

    assertThat(asker.getAllReceived()).containsExactly(new QueueReply.Answers(List.of()));
  }

  @Test
  void onlySoManyWaitAndWhoeverComesThenIsToldToAskAgain() {
    for (int i = 0; i < QueueQuestions.MOST_WAITING; i++) {
      ask(new QueueQuestion.CountMoney());
    }
    assertThat(asker.getAllReceived()).isEmpty();

    ask(new QueueQuestion.CountMoney());

    assertThat(asker.getAllReceived())
        .containsExactly(new QueueReply.Unavailable("The queue is busy: ask again soon."));
    questions.answerFrom(QueueMemory.EMPTY);
    assertThat(asker.getAllReceived())
        .hasSize(QueueQuestions.MOST_WAITING)
        .hasOnlyElementsOfType(QueueReply.Counted.class);
  }

  @Test
  void whenTheQueueGivesUpAllWhoWaitAreToldOnce() {
    ask(new QueueQuestion.Overview());
    ask(new QueueQuestion.Available(ALICE));

    questions.giveUp("Ask again.");
    questions.giveUp("Ask again.");

    var told = new QueueReply.Unavailable("Ask again.");
    assertThat(asker.getAllReceived()).containsExactly(told, told);
  }

  private void ask(QueueQuestion question) {
    questions.ask(new QueueRequest.Ask(question, asker.getRef()));
  }

  private QueueMemory withTheGift() {
    var log = LoggerFactory.getLogger(QueueQuestionsTest.class);
    var batch = new QueueBatch(services, QueueMemory.EMPTY, new FailureLog(log), Recalled.NOTHING);
    batch.add(GIFT);
    return batch.memory();
  }
}
