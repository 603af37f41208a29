package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import org.junit.jupiter.api.Test;

class OccurrenceKeyTest {
  @Test
  void whichScheduleMadeAKeyIsReadFromItAndACallersOwnKeyIsOfNone() {
    var schedule = new ScheduleId(FamilyKind.RECURRING, Hash.hex("ab".repeat(32)));
    var key = new OccurrenceKey(schedule, 3, 12, 2).idempotencyKey("default");

    assertThat(OccurrenceKey.scheduleOf(key)).contains("default/" + schedule);
    assertThat(OccurrenceKey.scheduleOf("invoice/7/8/9/10")).isEmpty();
    assertThat(OccurrenceKey.scheduleOf(OccurrenceKey.PREFIX + "1/2")).isEmpty();
    assertThat(OccurrenceKey.scheduleOf(OccurrenceKey.PREFIX + "/1/2/3")).isEmpty();
  }
}
