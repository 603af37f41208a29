package dev.sequitur.scheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.InfoFound;
import dev.sequitur.schedule.multisignature.MultiSignatureQuery;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import org.junit.jupiter.api.Test;

class QuestionThrottleTest {
  private static final FamilyQuery<InfoFound> GET_INFO =
      new MultiSignatureQuery.ScheduleGetInfo(EntityId.FIRST);

  /** As a JVM counts, it may begin below zero. */
  private long now = -7;

  private final QuestionThrottle throttle =
      new QuestionThrottle(
          QueueSetup.of(new AccountId("operator"), new MultiSignature(MultiSignatureSettings.MVP)),
          () -> now);

  private long answered(int asked) {
    long answered = 0;
    for (int i = 0; i < asked; i++) {
      answered += throttle.refusal(GET_INFO).isEmpty() ? 1 : 0;
    }
    return answered;
  }

  @Test
  void soManyAreAnsweredInASecondAndTheNextOneIsBusy() {
    long limit = MultiSignatureSettings.MVP.throttles().getInfo();
    assertThat(answered((int) limit + 5)).isEqualTo(limit);
    assertThat(throttle.refusal(GET_INFO).orElseThrow().status()).isEqualTo(ResponseCode.BUSY);

    now += 500_000_000;

    assertThat(answered((int) limit)).isEqualTo(limit / 2);
  }

  @Test
  void otherQuestionsAreNotCounted() {
    answered(100_000);

    assertThat(throttle.refusal(new MultiSignatureQuery.GetAccount(EntityId.FIRST))).isEmpty();
  }

  @Test
  void norDoTheyTakeRoomFromThoseThatAre() {
    for (int i = 0; i < 100_000; i++) {
      throttle.refusal(new MultiSignatureQuery.GetAccount(EntityId.FIRST));
    }

    assertThat(throttle.refusal(GET_INFO)).isEmpty();
  }
}
