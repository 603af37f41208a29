package dev.sequitur.schedule.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An execution's window has both its ends in it. */
class PlanTest {
  private static final Plan PLAN = Plan.of(50, 60, 100, Optional.empty());

  @ParameterizedTest
  @CsvSource({
    " 939, true,  false",
    " 940, false, false",
    "1000, false, false",
    "1060, false, false",
    "1061, false, true"
  })
  void whatIsScheduledFor1000RunsFromTheFirstToTheLastSecondOfItsWindow(
      long now, boolean tooSoon, boolean over) {
    assertThat(PLAN.isTooSoon(1_000, now)).isEqualTo(tooSoon);
    assertThat(PLAN.isOver(1_000, now)).isEqualTo(over);
  }

  @Test
  void withoutAWindowItRunsInItsSecondAlone() {
    var plan = Plan.of(50, 0, 100, Optional.empty());
    assertThat(plan.isTooSoon(1_000, 999)).isTrue();
    assertThat(plan.isTooSoon(1_000, 1_000)).isFalse();
    assertThat(plan.isOver(1_000, 1_000)).isFalse();
    assertThat(plan.isOver(1_000, 1_001)).isTrue();
  }

  @Test
  void whatNobodyHasAddedOrScheduledIsNoPlanAndNoExecution() {
    var state = PlanState.initial(AccountId.FEES);
    var id = new ScheduleId(FamilyKind.PLAN_EXECUTION, new Hash(0, 0, 0, 1));

    assertThat(state.plan(0)).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> state.require(0))
        .withMessageContaining("no plan 0");
    assertThatIllegalStateException()
        .isThrownBy(() -> state.on(new PlanEvent.ExecutionEnded(id, Outcome.RUN), 1))
        .withMessageContaining("No such execution");
  }

  @Test
  void priceWindowAndGasMayBeZeroAndNotLess() {
    assertThat(Plan.of(0, 0, 0, Optional.empty()).total(3).orElseThrow().isZero()).isTrue();
    for (var negative : new long[][] {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Plan.of(negative[0], negative[1], negative[2], Optional.empty()));
    }
  }
}
