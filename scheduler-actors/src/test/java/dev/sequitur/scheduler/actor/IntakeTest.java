package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.queue.QueueEffect;
import dev.sequitur.schedule.queue.QueueEffect.Answer;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What waits in front of a queue, of which there is never more than it may. */
class IntakeTest {
  private static final AccountId ALICE = new AccountId("alice");

  private final Intake intake = new Intake(3);
  private final TestInbox<QueueReply> caller = TestInbox.create("caller");
  private final TestInbox<QueueReply> other = TestInbox.create("other");

  private static Command command(String id) {
    return new Command(id, ALICE, new Operation.Fund(ALICE, new Amount(1)));
  }

  private static Answer done(String id) {
    return new Answer(id, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private boolean offer(TestInbox<QueueReply> from, String... ids) {
    var commands = Stream.of(ids).map(IntakeTest::command).toList();
    return intake.offer(
        new QueueRequest.Submit(commands, from.getRef()), command -> Optional.empty());
  }

  private static List<QueueReply> received(TestInbox<QueueReply> by) {
    return by.getAllReceived();
  }

  @Test
  void soManyAreTakenAsThereIsRoomForAndOfMoreNone() {
    assertThat(offer(caller, "a")).isTrue();
    assertThat(offer(caller, "b", "c", "d")).isFalse();
    assertThat(offer(caller, "e", "f")).as("none of those before").isTrue();
    assertThat(offer(caller, "g")).isFalse();

    assertThat(intake.take(10)).containsExactly(command("a"), command("e"), command("f"));
    assertThat(intake.isEmpty()).isTrue();
    assertThat(offer(caller, "h")).isTrue();
  }

  @Test
  void whatThereIsNoRoomForIsAnsweredAtOnceAndWhatWasDoneBeforeAsThen() {
    offer(caller, "a", "b", "c");

    intake.offer(
        new QueueRequest.Submit(List.of(command("new"), command("old")), other.getRef()),
        command -> Optional.of((QueueEffect) done("old")).filter(any -> isOld(command)));

    var answers = ((QueueReply.Answers) received(other).getFirst()).answers();
    assertThat(((Answer) answers.get(0)).refusal().orElseThrow().code())
        .isEqualTo(Refusal.Code.BUSY);
    assertThat(answers.get(1)).isEqualTo(done("old"));
    assertThat(intake.awaits("new")).isFalse();
  }

  private static boolean isOld(Command command) {
    return command.command().equals("old");
  }

  @Test
  void whoSubmitsNothingIsAnsweredAtOnce() {
    assertThat(offer(caller)).isTrue();

    assertThat(received(caller)).containsExactly(new QueueReply.Answers(List.of()));
    assertThat(intake.isEmpty()).isTrue();
  }

  @Test
  void theCommandsOfACallerAreAnsweredTogetherInItsOrder() {
    offer(caller, "a", "b");
    intake.answer("b", done("b"));
    assertThat(received(caller)).isEmpty();

    intake.answer("a", done("a"));
    assertThat(received(caller))
        .containsExactly(new QueueReply.Answers(List.of(done("a"), done("b"))));
  }

  @Test
  void whoHasSentTheSameIdFirstIsAnsweredFirst() {
    offer(caller, "a");
    offer(other, "a");

    intake.answer("a", done("first"));
    assertThat(received(caller)).containsExactly(new QueueReply.Answers(List.of(done("first"))));
    assertThat(received(other)).isEmpty();
    assertThat(intake.awaits("a")).isTrue();

    intake.answer("a", done("second"));
    assertThat(received(other)).containsExactly(new QueueReply.Answers(List.of(done("second"))));
    assertThat(intake.awaits("a")).isFalse();
  }

  @Test
  void anAnswerThatNobodyAwaitsIsNoMatter() {
    offer(caller, "a");

    intake.answer("b", done("b"));

    assertThat(received(caller)).isEmpty();
    assertThat(intake.awaits("a")).isTrue();
  }

  @Test
  void theOldestAreTakenFirstAndNoMoreThanAreWanted() {
    offer(caller, "a", "b");
    intake.report(new QueueInput.CutBlock());

    assertThat(intake.take(2)).containsExactly(command("a"), command("b"));
    assertThat(intake.isEmpty()).isFalse();
    assertThat(intake.take(2)).containsExactly(new QueueInput.CutBlock());
  }

  @Test
  void whenItGivesUpEachCallerIsToldOnce() {
    offer(caller, "a", "b");
    offer(other, "a");

    intake.giveUp("Try again.");

    for (var each : List.of(caller, other)) {
      assertThat(received(each)).containsExactly(new QueueReply.Unavailable("Try again."));
    }
    intake.answer("a", done("a"));
    assertThat(received(caller)).isEmpty();
    assertThat(intake.awaits("a")).isFalse();
  }
}
