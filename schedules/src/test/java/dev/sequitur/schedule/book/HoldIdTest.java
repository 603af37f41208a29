package dev.sequitur.schedule.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds have one order, and no two have one place in it, so that equal books are equal bytes. */
class HoldIdTest {
  private static final List<HoldId> IN_ORDER =
      List.of(
          ofSchedule(FamilyKind.RECURRING, 9, 1),
          ofSchedule(FamilyKind.GAS_PRIORITY, 1, 1),
          ofSchedule(FamilyKind.GAS_PRIORITY, 3, 2),
          ofSchedule(FamilyKind.GAS_PRIORITY, 4, 2),
          named(FamilyKind.RECURRING, "b"),
          named(FamilyKind.PLAN_EXECUTION, "a"),
          named(FamilyKind.PLAN_EXECUTION, "b"));

  @Test
  void firstThoseOfSchedulesByIncarnationThenTheOthersByFamilyAndName() {
    var sorted = new ArrayList<>(IN_ORDER);
    Collections.reverse(sorted);
    Collections.sort(sorted);

    assertThat(sorted).isEqualTo(IN_ORDER);
  }

  @Test
  void twoHaveOnePlaceOnlyIfTheyAreTheSame() {
    for (int one = 0; one < IN_ORDER.size(); one++) {
      for (int other = 0; other < IN_ORDER.size(); other++) {
        assertThat(Integer.signum(IN_ORDER.get(one).compareTo(IN_ORDER.get(other))))
            .as("%s, %s", IN_ORDER.get(one), IN_ORDER.get(other))
            .isEqualTo(Integer.compare(one, other));
      }
    }
  }

  /** A hold is of a schedule, or has a name of a family (ACC-2). */
  @Test
  void eachIsOfTheFamilyWhoseSchedulesItServes() {
    assertThat(ofSchedule(FamilyKind.RECURRING, 1, 1).family()).isEqualTo(FamilyKind.RECURRING);
    assertThat(named(FamilyKind.PLAN_EXECUTION, "a").family()).isEqualTo(FamilyKind.PLAN_EXECUTION);
  }

  private static HoldId ofSchedule(FamilyKind family, long number, long incarnation) {
    return new HoldId.OfSchedule(new ScheduleId(family, new Hash(0, 0, 0, number)), incarnation);
  }

  private static HoldId named(FamilyKind family, String name) {
    return new HoldId.Named(family, name);
  }
}
