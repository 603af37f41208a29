package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.OccurrenceKey;
import dev.sequitur.protocol.schedule.ScheduleId;
import dev.sequitur.protocol.schedule.Target;
import dev.sequitur.protocol.schedule.queue.QueueEffect.HandOver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** So many attempts are carried out at once, and whoever has to wait has a turn. */
class ExecutionsTest {
  private static final Target NOTHING = new Target.Notify(Bytes.of(new byte[0]));

  private static final int STUCK = 1;
  private static final int OTHER = 2;

  private final List<HandOver> begun = new ArrayList<>();
  private final Executions executions = new Executions(2, begun::add);

  @Test
  void soManyAreOnTheirWayAndTheNextBeginsWhenOneHasEnded() {
    begin(0, 3);
    assertThat(begun).hasSize(2);

    executions.ended(key(1));

    assertThat(begun).extracting(HandOver::key).containsExactly(key(0), key(1), key(2));
  }

  @Test
  void thoseThatTheSequencerHasKeepNobodyWaitingHoweverLongTheyTake() {
    begin(0, 3);

    executions.handedOver(key(0));
    executions.handedOver(key(0));

    assertThat(begun).extracting(HandOver::key).containsExactly(key(0), key(1), key(2));
    assertThat(executions.isEmpty()).isFalse();
  }

  @Test
  void butTheyAreBoundedToo() {
    begin(0, 100);
    for (int number = 0; number < 100; number++) {
      executions.handedOver(key(number));
    }
    assertThat(begun).hasSize(20);

    executions.ended(key(3));

    assertThat(begun).hasSize(21);
  }

  @Test
  void whatIsSaidAgainIsDoneOnce() {
    begin(0, 2);
    begin(2, 1);
    begin(0, 3);

    executions.handedOver(key(0));
    begin(0, 3);
    executions.ended(key(0));
    executions.ended(key(1));
    executions.ended(key(2));

    assertThat(begun).extracting(HandOver::key).containsExactly(key(0), key(1), key(2));
    assertThat(executions.isEmpty()).isTrue();
  }

  @Test
  void aGroupWhoseTransactionsDoNotEndLeavesRoomForTheOthers() {
    beginOf(STUCK, 0, 1_000);
    handOver(0, 1_000);
    assertThat(begun).hasSize(20);

    beginOf(OTHER, 1_000, 1_000);
    assertThat(begun).extracting(HandOver::key).contains(key(1_000), key(1_001));

    for (int number = 1_000; number < 2_000; number++) {
      executions.handedOver(key(number));
      executions.ended(key(number));
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
      assertThat(begun).extracting(HandOver::key).contains(key(group * 100));
    }
  }

  @Test
  void groupsThatWaitTakeTurns() {
    beginOf(STUCK, 0, 5);
    beginOf(OTHER, 10, 5);
    assertThat(begun).extracting(HandOver::key).containsExactly(key(0), key(1), key(10));

    executions.ended(key(0));
    executions.ended(key(1));

    assertThat(begun)
        .extracting(HandOver::key)
        .containsExactly(key(0), key(1), key(10), key(2), key(11));
  }

  private void beginOf(int group, int first, int count) {
    for (int number = first; number < first + count; number++) {
      executions.begin(new HandOver(key(number), call(group)));
    }
  }

  private void handOver(int first, int count) {
    for (int number = first; number < first + count; number++) {
      executions.handedOver(key(number));
    }
  }

  private static Target call(int group) {
    return new Target.PrivateCall(
        new ContractAddress("0x" + String.format("%040x", group)),
        "domain",
        "transfer",
        Identity.parse("alice@node1"),
        Bytes.of(new byte[0]));
  }

  private void begin(int first, int count) {
    for (int number = first; number < first + count; number++) {
      executions.begin(new HandOver(key(number), NOTHING));
    }
  }

  private static OccurrenceKey key(int number) {
    var id = new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, number));
    return new OccurrenceKey(id, 1, 1, 1);
  }
}
