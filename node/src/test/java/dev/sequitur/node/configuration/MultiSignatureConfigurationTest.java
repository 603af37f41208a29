package dev.sequitur.node.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node's file says of multi-signature schedules is what its queues go by. */
class MultiSignatureConfigurationTest {
  @TempDir Path directory;

  private SchedulerConfiguration read(String said) throws IOException {
    var file = directory.resolve("node.conf");
    Files.writeString(
        file,
        "node { name = node1, data-directory = data }\nscheduler.multi-signature { "
            + said
            + " }\n");
    return NodeConfiguration.read(file).scheduler();
  }

  private MultiSignatureSettings settings(String said) throws IOException {
    return ((MultiSignature) read(said).queues().family(FamilyKind.MULTI_SIGNATURE)).settings();
  }

  @Test
  void withoutAWordTheDefaultsOfTheProfileHold() throws IOException {
    assertThat(settings("")).isEqualTo(MultiSignatureSettings.MVP);
    assertThat(settings("profile = current")).isEqualTo(MultiSignatureSettings.CURRENT);
    assertThat(SchedulerConfiguration.DEFAULT.queues().throttles())
        .isEqualTo(read("").queues().throttles());
  }

  @Test
  void eachOperationsThrottleReachesTheQueues() throws IOException {
    assertThat(
            read("creates-per-second = 3, signs-per-second = 4, deletes-per-second = 5")
                .queues()
                .throttles())
        .containsEntry("ScheduleCreate", 3L)
        .containsEntry("ScheduleSign", 4L)
        .containsEntry("ScheduleDelete", 5L);
    assertThat(settings("infos-per-second = 6").throttles().getInfo()).isEqualTo(6);
  }

  @Test
  void theTextsWayOfBodiesThatRunAgainIsASwitch() throws IOException {
    assertThat(settings("same-body-again = allowed").bodiesExecuteOnce()).isFalse();
    assertThat(settings("profile = current, same-body-again = never").bodiesExecuteOnce()).isTrue();
  }

  @Test
  void eachLimitIsSet() throws IOException {
    var settings =
        settings(
            "limits { transaction-bytes = 100, transfers = 20, signatures = 3, twins = 4,"
                + " valid-time = 30s, records = 60, unarchived = 70, overdue-per-step = 8 }");

    assertThat(settings.limits())
        .isEqualTo(new MultiSignatureSettings.Limits(100, 20, 3, 4, 30, 60, 70));
    assertThat(settings.expiry().perStep()).isEqualTo(8);
  }

  @Test
  void aLimitThatCannotBeIsToldBySentence() {
    assertThatThrownBy(() -> settings("limits.valid-time = 10ms"))
        .hasMessageContaining("scheduler.multi-signature");
    assertThatThrownBy(() -> settings("limits.transfers = 1"))
        .hasMessageContaining("scheduler.multi-signature.limits.transfers");
  }

  @Test
  void feesAndTimesAreSet() throws IOException {
    var settings =
        settings(
            "expiry-time = 60s, longest-expiry-time = 1h, expiring-per-second = 7,"
                + " fees { create = 50, private-transaction = 0 }");

    assertThat(settings.fees().create()).isEqualTo(new Amount(50));
    assertThat(settings.fees().privateTransaction()).isEqualTo(Amount.ZERO);
    assertThat(settings.fees().sign()).isEqualTo(new Amount(1));
    assertThat(settings.expiry().txExpiryTimeSecs()).isEqualTo(60);
    assertThat(settings.expiry().maxFutureSecs()).isEqualTo(3_600);
    assertThat(settings.expiry().maxPerSecond()).isEqualTo(7);
  }
}
