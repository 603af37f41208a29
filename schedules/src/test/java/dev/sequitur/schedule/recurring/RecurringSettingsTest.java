package dev.sequitur.schedule.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RecurringSettingsTest {
  private static RecurringSettings least() {
    return new RecurringSettings(Duration.ofMillis(1), Duration.ofMillis(1), 1, 1, 1, 0, 0, false);
  }

  @Test
  void eachHasALeastValueAndOneBelowItIsRefused() {
    assertThat(least().slot()).isEqualTo(Duration.ofMillis(1));
    refused(least -> least.withSlot(Duration.ZERO));
    refused(least -> least.withTaskSlot(Duration.ZERO));
    refused(least -> least.withHorizon(Duration.ZERO));
    refused(least -> least.withMaxTimes(0));
    refused(least -> least.withTasksPerSlot(0));
    refused(least -> least.withBlockBudget(0));
    refused(least -> least.withFeePerTime(-1));
    refused(least -> least.withMaxSize(-1));
  }

  private static void refused(UnaryOperator<RecurringSettings> change) {
    assertThatIllegalArgumentException().isThrownBy(() -> change.apply(least()));
  }

  @Test
  void aSlotTakes256TimesUnlessTheOperatorSaysOtherwise() {
    assertThat(RecurringSettings.DEFAULT.tasksPerSlot()).as("REC-3").isEqualTo(256);
  }

  @Test
  void aSlotOfATaskIsWholeSlotsAndNoLongerThanTheHorizon() {
    var settings = RecurringSettings.DEFAULT;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withSlot(Duration.ofMinutes(7)))
        .withMessageContaining("PT7M")
        .withMessageContaining("scheduler.recurring.task-slot");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withHorizon(Duration.ofMinutes(59)));
  }

  @Test
  void theLastSlotThatALongHoldsBeginsInItAndThoseAfterItAtTheEndOfTime() {
    var minute = RecurringSettings.DEFAULT.slot().toMillis();
    long last = Long.MAX_VALUE / minute;
    assertThat(RecurringSettings.DEFAULT.begin(last)).isEqualTo(last * minute);
    assertThat(RecurringSettings.DEFAULT.begin(last + 1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aTimeAtTheHorizonIsTakenAndOneAfterItIsNot() {
    var settings = RecurringSettings.DEFAULT;
    long hour = settings.taskSlot().toMillis();
    long horizon = settings.horizon().toMillis();
    assertThat(settings.refusal(horizon, 0)).isEmpty();
    assertThat(settings.refusal(horizon + hour, 0)).isPresent();
  }
}
