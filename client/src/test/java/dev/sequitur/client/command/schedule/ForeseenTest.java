package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.node.rpc.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of schedules, found by it, and told before it happens. */
class ForeseenTest {
  private final ScheduleConsole cli = new ScheduleConsole(RunningRpc.withDefaults());

  @BeforeEach
  void fund() {
    cli.run("fund alice 1000");
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  private String run(String... line) {
    assertThat(cli.execute(List.of(line))).as(cli.err()).isZero();
    return cli.out().strip();
  }

  private String id(String told) {
    return told.lines().findFirst().orElseThrow().replace("scheduled", "").strip();
  }

  @Test
  void labelsAndADescriptionAreShownFoundChangedAndKeptWithTheOutcome() {
    var id =
        id(
            run(
                "pay",
                "bob",
                "5",
                "--as",
                "alice",
                "--at",
                "2026-11-21T10:30:00Z",
                "--label",
                "rent",
                "--label",
                "flat=12",
                "--description",
                "the flat in town"));
    run("pay", "bob", "7", "--as", "alice", "--at", "2026-11-21T10:40:00Z");

    assertThat(run("list", "--label", "rent"))
        .contains(id, "pays 5 to bob [flat=12, rent]")
        .doesNotContain("pays 7");
    assertThat(run("list", "--owner", "alice", "--due-since", "2026-11-21T10:35:00Z"))
        .contains("pays 7")
        .doesNotContain("pays 5");
    assertThat(run("list", "--owner", "alice", "--order", "due", "--limit", "1"))
        .contains("pays 5")
        .doesNotContain("pays 7")
        .containsPattern("More: --after \\d+/gas-priority/");
    assertThat(run("show", id))
        .contains("for          the flat in town", "labels       flat=12, rent");
    run("change", id, "--as", "alice", "--label", "home");
    assertThat(run("show", id)).contains("the flat in town", "labels       home");

    cli.rpc().scheduler.pass(Duration.ofHours(1));
    cli.rpc().scheduler.pass(Duration.ofSeconds(1));
    assertThat(run("outcomes", "--label", "home"))
        .contains(id, "paid 5 to bob [home], ")
        .doesNotContain("paid 7");
    assertThat(run("outcomes", "--label", "rent")).doesNotContain("paid 5");
    assertThat(run("list", "--label", "home")).contains("Nothing waits");
  }

  @Test
  void aDryRunTellsTimesAndPriceOrTheRefusalAndDoesNothing() {
    var told =
        run(
            "cron",
            "0 9 * * *",
            "--zone",
            "UTC",
            "--as",
            "alice",
            "--pay",
            "5",
            "--to",
            "bob",
            "--dry-run");
    assertThat(told)
        .contains("nothing done", "2026-11-22T09:00:00Z", "2026-12-01T09:00:00Z")
        .contains("set aside    1", "then left    999");
    assertThat(run("list", "--owner", "alice")).doesNotContain("pays 5");
    assertThat(run("balance", "alice")).isEqualTo("alice can spend 1000.");

    assertThat(
            cli.execute(
                List.of(
                    "pay",
                    "bob",
                    "5",
                    "--as",
                    "nobody",
                    "--at",
                    "2026-11-21T10:30:00Z",
                    "--dry-run")))
        .isEqualTo(1);
    assertThat(cli.err()).contains("fund the account");
  }

  @Test
  void aDryRunOfPlansTellsPriceTimeAndWhenItWouldBeOverdue() {
    cli.run("plan --price 50 --window 60 --gas 100");
    assertThat(cli.run("purchase 0 2 --as alice --value 100 --dry-run"))
        .contains(
            "nothing done", "set aside    100", "then left    900", "2 left to schedule then");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 1000.");
    cli.run("purchase 0 2 --as alice --value 100");
    var execution = "execution --as alice --plan 0 --at 2026-11-21T10:30:00Z --pay 25 --to bob";
    var told = cli.run(execution + " --dry-run");
    assertThat(told)
        .contains("set aside    25", "then left    875", "2026-11-21T10:30:00Z")
        .contains("ends by", "2026-11-21T10:31:00Z", "waits        It is not due yet");
    assertThat(cli.run("list --owner alice")).isEqualTo("Nothing waits or runs.");
    assertThat(cli.run(execution))
        .isEqualTo(
            "Scheduled "
                + told.lines().skip(1).findFirst().orElseThrow().replace("schedule", "").strip());
    var batch = "batch %s --as alice --value 25 --dry-run".formatted(encoded());
    assertThat(cli.run(batch)).contains("set aside    25", "plan-execution:0x");
    assertThat(cli.execute("purchase 0 2 --as alice --value 99 --dry-run")).isEqualTo(1);
    assertThat(cli.err()).contains("Send just the price");
  }

  private String encoded() {
    return cli.run("hash --as alice --plan 0 --at 2026-11-21T11:30:00Z --pay 25 --to bob")
        .replaceAll("(?s).*execution +(0x[0-9a-f]+).*", "$1");
  }

  @Test
  void aDryRunOfASignedCreationTellsWhoIsStillToSignAndWhenItWouldExpire(@TempDir Path directory) {
    cli.rpc().scheduler.pass(Duration.between(Sample.NOW, Instant.now()).plusSeconds(60));
    var alice = directory.resolve("alice.pem");
    cli.run("open " + cli.run("key " + alice + " --new ed25519"));
    var bob = cli.run("key " + directory.resolve("bob.pem") + " --new ed25519");
    cli.run("open " + bob);
    cli.run("fund 0.0.1001 1000");
    var create =
        "create --payer 0.0.1001 --only-pay --transfer 0.0.1002=-40 --transfer 0.0.1001=40 --key-file "
            + alice;
    assertThat(cli.run(create + " --dry-run"))
        .contains("nothing done", "0.0.1003", "ends by", "paid at once", "Still to sign: " + bob);
    assertThat(cli.run("balance 0.0.1001")).isEqualTo("0.0.1001 can spend 1000.");
    assertThat(cli.run(create)).startsWith("Schedule 0.0.1003 ");
  }

  @Test
  void theNextTimesAndTheCalendarAreShownByTheClockOfAPlace() {
    var id =
        id(
            run(
                "cron",
                "0 9 * * *",
                "--zone",
                "Europe/Zurich",
                "--as",
                "alice",
                "--say",
                "morning",
                "--label",
                "wake"));
    assertThat(run("next", id, "--count", "2", "--zone", "Europe/Zurich").lines())
        .containsExactly(
            "Sun 2026-11-22 09:00:00 Europe/Zurich (2026-11-22T08:00:00Z)",
            "Mon 2026-11-23 09:00:00 Europe/Zurich (2026-11-23T08:00:00Z)");
    assertThat(
            run(
                    "calendar",
                    "--from",
                    "2026-11-22T00:00:00Z",
                    "--days",
                    "2",
                    "--zone",
                    "Europe/Zurich",
                    "--label",
                    "wake")
                .lines())
        .containsExactly(
            "Sun 2026-11-22",
            "  09:00:00  alice  says \"morning\" [wake]  " + id,
            "Mon 2026-11-23",
            "  09:00:00  alice  says \"morning\" [wake]  " + id);
    assertThat(run("calendar", "--from", "2026-11-22T00:00:00Z", "--limit", "1", "--label", "wake"))
        .endsWith("More: --from 2026-11-23T08:00:00Z");
    run("pause", id, "--as", "alice");
    assertThat(run("next", id)).startsWith("No time of it is to come");
  }

  /** Who says when by the clock of a place reads it by that clock, wherever he types. */
  @Test
  void timesAreShownByTheClockThatTheScheduleGoesBy() {
    var line =
        List.of("cron", "30 9 * * 1-5", "--zone", "Europe/Berlin", "--as", "alice", "--say", "tea");
    var monday = "Mon 2026-11-23 09:30:00 Europe/Berlin (2026-11-23T08:30:00Z)";
    var trial = new ArrayList<>(line);
    trial.add("--dry-run");
    assertThat(run(trial.toArray(String[]::new))).contains("runs at      " + monday);
    var id = id(run(line.toArray(String[]::new)));
    assertThat(run("next", id, "--count", "1")).isEqualTo(monday);
    assertThat(run("next", id, "--count", "1", "--zone", "UTC"))
        .isEqualTo("Mon 2026-11-23 08:30:00 UTC (2026-11-23T08:30:00Z)");
    assertThat(run("show", id)).contains("next         " + monday + " by 30 9 * * 1-5");
    var once = "2026-11-30 09:30 Europe/Berlin";
    assertThat(run("pay", "bob", "5", "--as", "alice", "--at", once, "--dry-run"))
        .contains("runs at      Mon 2026-11-30 09:30:00 Europe/Berlin (2026-11-30T08:30:00Z)");
  }
}
