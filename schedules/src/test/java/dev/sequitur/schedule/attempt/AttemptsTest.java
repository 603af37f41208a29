package dev.sequitur.schedule.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.attempt.Attempts.Effect;
import dev.sequitur.schedule.attempt.Attempts.Input;
import dev.sequitur.schedule.attempt.Attempts.Settings;
import dev.sequitur.schedule.port.ScheduledCalls.Ended;
import dev.sequitur.schedule.queue.QueueEffect.HandOver;
import dev.sequitur.schedule.queue.QueueInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** So many attempts are carried out at once, and whoever has to wait has a turn. */
class AttemptsTest {
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Settings SETTINGS =
      new Settings("queue", 2, 3, new Backoff(WAIT, WAIT), 100);
  private static final TransactionId TRANSACTION = new TransactionId(new UUID(1, 2));

  private static final int STUCK = 1;
  private static final int OTHER = 2;

  private Host<Input, Attempts.State, Void, Effect> attempts = host(SETTINGS);
  private final List<OccurrenceKey> begun = new ArrayList<>();
  private List<Effect> last = List.of();
  private Instant now = Instant.EPOCH;

  private static Host<Input, Attempts.State, Void, Effect> host(Settings settings) {
    var machine = new Attempts(settings).machine();
    return new Host<>(machine, machine.initial());
  }

  private void tell(Input input) {
    last = attempts.fold(List.of(input), now).effects();
    for (var effect : last) {
      if (effect instanceof Effect.Submit submit) {
        begun.add(submit.key());
      }
    }
  }

  private void handedOver(int number) {
    tell(new Input.Submitted(key(number), TRANSACTION));
  }

  private void ended(int number) {
    tell(new Input.Seen(key(number), Optional.of(new Ended(true, ""))));
  }

  private boolean isEmpty() {
    return attempts.state().isEmpty();
  }

  private void pass(Duration time) {
    now = now.plus(time);
    tell(new Input.Tick());
  }

  private static Effect answered(Conclusion conclusion) {
    return new Effect.Tell(new QueueInput.Answered(key(0), conclusion));
  }

  @Test
  void soManyAreOnTheirWayAndTheNextBeginsWhenOneHasEnded() {
    begin(0, 3);
    assertThat(begun).hasSize(2);

    ended(1);

    assertThat(begun).containsExactly(key(0), key(1), key(2));
  }

  @Test
  void thoseThatTheSequencerHasKeepNobodyWaitingHoweverLongTheyTake() {
    begin(0, 3);

    handedOver(0);
    handedOver(0);

    assertThat(begun).containsExactly(key(0), key(1), key(2));
    assertThat(isEmpty()).isFalse();
  }

  @Test
  void butTheyAreBoundedToo() {
    begin(0, 100);
    for (int number = 0; number < 100; number++) {
      handedOver(number);
    }
    assertThat(begun).hasSize(20);

    ended(3);

    assertThat(begun).hasSize(21);
  }

  @Test
  void whatIsSaidAgainIsDoneOnce() {
    begin(0, 2);
    begin(2, 1);
    begin(0, 3);

    handedOver(0);
    begin(0, 3);
    ended(0);
    ended(1);
    ended(2);

    assertThat(begun).containsExactly(key(0), key(1), key(2));
    assertThat(isEmpty()).isTrue();
  }

  @Test
  void aGroupWhoseTransactionsDoNotEndLeavesRoomForTheOthers() {
    beginOf(STUCK, 0, 1_000);
    handOver(0, 1_000);
    assertThat(begun).hasSize(20);

    beginOf(OTHER, 1_000, 1_000);
    assertThat(begun).contains(key(1_000), key(1_001));

    for (int number = 1_000; number < 2_000; number++) {
      handedOver(number);
      ended(number);
    }
    assertThat(begun).hasSize(20 + 1_000);
  }

  @Test
  void evenManySuchGroupsDo() {
    for (int group = 1; group < 30; group++) {
      beginOf(group, group * 100, 100);
      handOver(group * 100, 100);
    }

    assertThat(begun).hasSizeLessThanOrEqualTo(40);
    for (int group = 1; group < 5; group++) {
      assertThat(begun).contains(key(group * 100));
    }
  }

  @Test
  void groupsThatWaitTakeTurns() {
    beginOf(STUCK, 0, 5);
    beginOf(OTHER, 10, 5);
    assertThat(begun).containsExactly(key(0), key(1), key(10));

    ended(0);
    ended(1);

    assertThat(begun).containsExactly(key(0), key(1), key(10), key(2), key(11));
  }

  @Test
  void aCallGoesOutUnderItsKeyAndTheQueueIsToldWhenItIsTakenAndHowItEnded() {
    begin(0, 1);
    assertThat(last)
        .containsExactly(new Effect.Submit(key(0), key(0).idempotencyKey("queue"), call(0)));

    handedOver(0);
    assertThat(last)
        .containsExactly(
            new Effect.Tell(new QueueInput.HandedOver(key(0), TRANSACTION)),
            new Effect.Look(key(0), TRANSACTION));

    ended(0);
    assertThat(last).containsExactly(answered(new Conclusion.Succeeded(100)));
  }

  @Test
  void anAttemptThatRevertedMayBeConfirmedLateSoNoOtherMayFollow() {
    begin(0, 1);
    handedOver(0);

    tell(new Input.Seen(key(0), Optional.of(new Ended(false, "It cannot be."))));

    assertThat(last).containsExactly(answered(new Conclusion.Failed(100, "It cannot be.", false)));
  }

  @Test
  void aReceiptThatIsNotThereIsLookedForAgainAfterAPause() {
    begin(0, 1);
    handedOver(0);

    tell(new Input.Seen(key(0), Optional.empty()));
    assertThat(last).singleElement().isInstanceOf(Effect.WakeIn.class);
    pass(WAIT.dividedBy(2));
    assertThat(last).singleElement().isInstanceOf(Effect.WakeIn.class);
    pass(WAIT);

    assertThat(last).containsExactly(new Effect.Look(key(0), TRANSACTION));
  }

  @Test
  void whatIsInDoubtIsOfferedAgainUnderTheSameKey() {
    begin(0, 1);
    var offered = last;

    tell(new Input.Failed(key(0)));
    pass(WAIT);

    assertThat(last).isEqualTo(offered);
  }

  @Test
  void whatStaysInDoubtIsOfferedLessAndLessOften() {
    attempts = host(withBackoff(new Backoff(WAIT, WAIT.multipliedBy(8))));
    begin(0, 1);
    var waits = new ArrayList<Duration>();
    for (int time = 0; time < 3; time++) {
      tell(new Input.Failed(key(0)));
      var wait = wakeIn();
      waits.add(wait);
      pass(wait);
    }

    assertThat(waits.get(0)).isBetween(WAIT.multipliedBy(3).dividedBy(4), WAIT);
    assertThat(waits.get(1)).isGreaterThan(waits.get(0).plus(WAIT.dividedBy(2)));
    assertThat(waits.get(2)).isGreaterThan(waits.get(1).plus(WAIT));
  }

  @Test
  void whoIsWokenTooSoonAsksForTheRest() {
    begin(0, 1);
    tell(new Input.Failed(key(0)));
    var wait = wakeIn();
    pass(Duration.ofMillis(10));

    assertThat(wakeIn()).isEqualTo(wait.minusMillis(10));
  }

  @Test
  void thoseThatGoOnAtTheSameMomentAllDoInTheOrderInWhichTheyWerePutOff() {
    // Too short for jitter, which would part them.
    attempts = host(withBackoff(new Backoff(Duration.ofMillis(3), Duration.ofMillis(3))));
    begin(0, 2);
    beginOf(OTHER, 2, 1);
    for (int number : new int[] {1, 2, 0}) {
      tell(new Input.Failed(key(number)));
    }
    begun.clear();

    pass(Duration.ofMillis(3));

    assertThat(begun).containsExactly(key(1), key(2), key(0));
  }

  @Test
  void howeverManyGroupsWaitEachCallIsCarriedOutOnceAndNothingIsLeft() {
    for (int round = 0; round < 20; round++) {
      for (int group = 1; group <= 7; group++) {
        beginOf(group, 100 * group + round, 1);
        if (!begun.isEmpty() && round % 3 == 0) {
          ended((int) begun.get(begun.size() - 1).incarnation() - 1);
        }
      }
    }
    for (int i = 0; i < begun.size(); i++) {
      ended((int) begun.get(i).incarnation() - 1);
    }

    assertThat(begun).hasSize(7 * 20).doesNotHaveDuplicates();
    assertThat(isEmpty()).isTrue();
    assertThat(attempts.state().onTheWay()).isEqualTo(Attempts.Places.FREE);
    assertThat(attempts.state().out()).isEqualTo(Attempts.Places.FREE);
  }

  private Duration wakeIn() {
    return last.stream()
        .filter(Effect.WakeIn.class::isInstance)
        .map(effect -> ((Effect.WakeIn) effect).time())
        .findFirst()
        .orElseThrow();
  }

  private static Settings withBackoff(Backoff backoff) {
    return new Settings(SETTINGS.queue(), SETTINGS.most(), 3, backoff, SETTINGS.gas());
  }

  @Test
  void aRefusalCountsWhenItWasSaidThreeTimes() {
    begin(0, 1);
    for (int time = 0; time < 2; time++) {
      tell(new Input.Refused(key(0), "No such group."));
      assertThat(last).singleElement().isInstanceOf(Effect.WakeIn.class);
      pass(WAIT);
    }

    tell(new Input.Refused(key(0), "No such group."));

    assertThat(last).containsExactly(answered(new Conclusion.Failed(100, "No such group.", true)));
    assertThat(isEmpty()).isTrue();
  }

  @Test
  void whatIsNoPrivateTransactionCannotBeCarriedOut() {
    tell(new Input.Begin(new HandOver(key(0), new Target.ByFamily())));

    assertThat(last)
        .containsExactly(
            answered(
                new Conclusion.Failed(
                    100, "This node cannot run what the schedule asks for.", false)));
  }

  @Test
  void anAnswerThatComesTooLateSaysNothing() {
    begin(0, 1);
    handedOver(0);
    ended(0);

    handedOver(0);
    assertThat(last).isEmpty();
    tell(new Input.Failed(key(0)));
    assertThat(last).isEmpty();
    tell(new Input.Refused(key(0), "No."));
    assertThat(last).isEmpty();
    ended(0);
    assertThat(last).isEmpty();
  }

  private void beginOf(int group, int first, int count) {
    for (int number = first; number < first + count; number++) {
      tell(new Input.Begin(new HandOver(key(number), call(group))));
    }
  }

  private void handOver(int first, int count) {
    for (int number = first; number < first + count; number++) {
      handedOver(number);
    }
  }

  private static Target.PrivateCall call(int group) {
    return new Target.PrivateCall(
        new ContractAddress("0x" + String.format("%040x", group)),
        "domain",
        "transfer",
        Identity.parse("alice@node1"),
        Bytes.of(new byte[0]));
  }

  private void begin(int first, int count) {
    beginOf(0, first, count);
  }

  private static OccurrenceKey key(int number) {
    var id = new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, number));
    return new OccurrenceKey(id, 1L + number, 1, 1);
  }
}
