package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
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
