package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.client.NodeCalls;
import dev.sequitur.node.rpc.RunningRpc;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simple way in: what and when, and nothing of gas, price or family. */
class PlainCommandsTest {
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

  @Test
  void aPaymentIsMadeAtATimeAndWhatWasChosenIsTold() {
    var told = run("pay", "bob", "5", "--as", "alice", "--at", "2026-11-21 11:30 Europe/Berlin");
    assertThat(told.lines().skip(1))
        .startsWith(
            "runs         pays 5 to bob",
            "at           Sat 2026-11-21 11:30:00 Europe/Berlin (2026-11-21T10:30:00Z)",
            "paid by      alice",
            "set aside    15: 5 to be paid, and at most 10 gas at 1 each",
            "if late      run-once");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 985.");
    cli.rpc().scheduler.pass(Duration.ofMinutes(31));
    assertThat(cli.run("balance bob")).isEqualTo("bob can spend 5.");
  }

  /** Other payments cannot take what was accepted: who wants that says so. */
  @Test
  void theAmountIsSetAsideUnlessItIsSaidOtherwise() {
    var aside = run("pay", "bob", "900", "--as", "alice", "--at", "2026-11-21T10:30:00Z");
    var id = aside.lines().findFirst().orElseThrow().split(" +")[1];
    assertThat(cli.execute("pay carol 900 --as alice --at 2026-11-21T10:05:00Z")).isOne();
    assertThat(cli.err()).contains("The deposit and what it pays are 910");
    assertThat(run("pay", "carol", "80", "--no-set-aside", "--as", "alice", "--at", "+20m"))
        .contains("set aside    10: at most 10 gas at 1 each", "then needed  80");
    assertThat(cli.run("show " + id)).contains("set aside");
    cli.run("cancel " + id + " --as alice");
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend 990.");
  }

  /** As an outage of a day: the payment is late, and not lost. */
  @Test
  void itIsMadeLateRatherThanNever() {
    run("pay", "bob", "5", "--as", "alice", "--at", "2026-11-21T10:05:00Z");
    cli.run("pause gas-priority");
    cli.rpc().scheduler.pass(Duration.ofDays(1));
    cli.run("resume gas-priority");
    cli.rpc().scheduler.pass(Duration.ofSeconds(1));
    assertThat(cli.run("balance bob")).isEqualTo("bob can spend 5.");
    assertThat(cli.run("outcomes")).contains("paid 5 to bob, 23 h 55 min late, ");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ms late",
    "59999, 59999 ms late",
    "60000, 1 min 0 s late",
    "3599999, 59 min 59 s late",
    "3600000, 1 h 0 min late",
    "86400000, 1 d 0 h late",
    "180000000, 2 d 2 h late",
  })
  void howLateIsToldInUnitsThatAPersonReads(long lateMs, String told) {
    assertThat(RunText.late(NodeCalls.JSON.createObjectNode().put("lateMs", lateMs)))
        .isEqualTo(told);
  }

  @Test
  void aSeriesBeginsWithTheNextSlotThatIsFreeAndHasANameOfItsOwn() {
    var told = run("every", "24h", "--as", "alice", "--pay", "5", "--to", "bob", "--runs", "2");
    assertThat(told).contains("runs         pays 5 to bob", "at first     2026-11-21T10:01:00Z\n");
    assertThat(told).contains("paid by      alice, a fee of 1 for each time\n");
    assertThat(told).containsPattern("called       [0-9a-f]{8}");
    cli.rpc().scheduler.pass(Duration.ofMinutes(61));
    assertThat(cli.run("balance bob")).isEqualTo("bob can spend 5.");
  }

  @Test
  void aSeriesRunsEachMinuteOrAtAnyOfTheHour() {
    assertThat(run("every", "1m", "--as", "alice", "--say", "tick"))
        .contains("at first     2026-11-21T10:01:00Z\n             2026-11-21T10:02:00Z");
    assertThat(run("cron", "*/5 * * * *", "--zone", "UTC", "--as", "alice", "--say", "tock"))
        .contains("2026-11-21 10:05:00", "2026-11-21 10:10:00");
    assertThat(
            run("cron", "30 9 * * 1-5", "--zone", "Europe/Zurich", "--as", "alice", "--say", "tea"))
        .contains("Mon 2026-11-23 09:30:00 Europe/Zurich (2026-11-23T08:30:00Z)");
  }

  @Test
  void cronGoesByTheZoneThatIsNamedAndItsTimesAreShownThere() {
    var told =
        run(
            "cron",
            "0 9 * * 1-5",
            "--zone",
            "Europe/Berlin",
            "--id",
            "tea",
            "--as",
            "alice",
            "--say",
            "tea");
    assertThat(told)
        .contains(
            "called       tea",
            "at first     Mon 2026-11-23 09:00:00 Europe/Berlin (2026-11-23T08:00:00Z)\n"
                + "             Tue 2026-11-24 09:00:00 Europe/Berlin");
  }

  @Test
  void aSeriesHasAStartAndAnEndAndDaysOff() {
    assertThat(cli.run("days-off")).isEqualTo("There is no such list.");
    cli.run("days-off berlin 2026-11-25 2026-11-26 --zone Europe/Berlin");
    var told =
        run(
            "cron",
            "0 9 * * 1-5",
            "--zone",
            "Europe/Berlin",
            "--as",
            "alice",
            "--say",
            "tea",
            "--not-before",
            "2026-11-24 00:00 Europe/Berlin",
            "--not-after",
            "2026-11-30 23:00 Europe/Berlin",
            "--days-off",
            "berlin");
    assertThat(told.lines().filter(line -> line.contains("Europe/Berlin (")))
        .extracting(line -> line.strip().replace("at first     ", "").substring(0, 14))
        .containsExactly("Tue 2026-11-24", "Fri 2026-11-27", "Mon 2026-11-30");
    var id = told.lines().findFirst().orElseThrow().split(" +")[1];
    assertThat(cli.run("show " + id))
        .contains("not before   2026-11-23T23:00:00Z", "not after    2026-11-30T22:00:00Z")
        .contains("days off     berlin");
    assertThat(cli.run("days-off berlin"))
        .contains("berlin", "Europe/Berlin", "2026-11-25 2026-11-26");
    assertThat(cli.execute("days-off berlin --remove")).isNotZero();
    assertThat(cli.err()).contains("1 series stand on it");
    cli.run("change " + id + " --as alice --days-off none --not-after none");
    assertThat(cli.run("show " + id)).doesNotContain("days off", "not after");
    assertThat(cli.run("days-off berlin --remove")).isEqualTo("Removed berlin.");
    assertThat(cli.run("days-off berlin --clear")).isEqualTo("Set berlin.");
  }

  @Test
  void aSeriesHasPoliciesThatAreShownAndChanged() {
    var told =
        run(
            "every",
            "24h",
            "--as",
            "alice",
            "--pay",
            "5000",
            "--to",
            "bob",
            "--overlap",
            "skip",
            "--jitter",
            "2h",
            "--pause-after",
            "1",
            "--pause",
            "1m",
            "--pause",
            "5m",
            "--late",
            "run-once 90m");
    var id = told.lines().findFirst().orElseThrow().split(" +")[1];
    assertThat(cli.run("show " + id))
        .contains("overlap      skip", "jitter       2h", "pause after  1")
        .contains("attempts     at most 3, after 1m, 5m", "if late      run-once 90m");
    for (int minute = 0; minute < 240; minute++) {
      cli.rpc().scheduler.pass(Duration.ofMinutes(1));
    }
    assertThat(cli.run("show " + id))
        .contains("parked for   paused", "failed       1")
        .contains("pause by @queue", "1 runs in a row have failed");
    cli.run("change " + id + " --as alice --overlap wait --jitter none --pause-after 0");
    assertThat(cli.run("show " + id)).doesNotContain("overlap", "jitter", "pause after");
  }

  @Test
  void aSeriesRunsAgainForPastTimesAndNoneTwice() {
    var told =
        run("cron", "0 * * * *", "--zone", "UTC", "--as", "alice", "--pay", "5", "--to", "bob");
    var id = told.lines().findFirst().orElseThrow().split(" +")[1];
    var again =
        "back-fill " + id + " --as alice --from 2026-11-21T07:00:00Z --until 2026-11-21T09:00:00Z";
    var filled = cli.run(again + " --note lost");
    assertThat(filled.lines())
        .hasSize(4)
        .anySatisfy(line -> assertThat(line).startsWith("2026-11-21T08:00:00Z  recurring:0x"));
    cli.rpc().scheduler.pass(Duration.ofSeconds(5));
    assertThat(cli.run("balance bob")).isEqualTo("bob can spend 15.");
    assertThat(cli.run(again)).isEqualTo("Nothing new: 3 filled before.");
    var task = filled.lines().toList().get(1).split(" +")[1];
    assertThat(cli.run("show " + task))
        .contains("back-fill of " + id, "for          2026-11-21T07:00:00Z");
    assertThat(cli.run("show " + id)).contains("back-fill by alice", "lost");
    assertThat(cli.execute(again.replace("until 2026-11-21T09", "until 2026-11-21T10"))).isOne();
    assertThat(cli.err()).contains("A back-fill is of times that have passed");
    var once = run("at", "2026-11-21T10:05:00Z", "--as", "alice", "--say", "hello");
    var other = once.lines().findFirst().orElseThrow().split(" +")[1];
    assertThat(cli.execute(again.replace(id, other))).isOne();
    assertThat(cli.err()).contains("is no series");
  }

  @Test
  void whatToRunMayBeAnything() {
    assertThat(run("at", "2026-11-21T10:05:00Z", "--as", "alice", "--say", "hello"))
        .contains("runs         says \"hello\"", "set aside    10");
  }

  @Test
  void withoutANameTheUserPays() {
    cli.run("fund " + System.getProperty("user.name") + " 100");
    assertThat(run("pay", "bob", "5", "--at", "2026-11-21T10:05:00Z"))
        .contains("paid by      " + System.getProperty("user.name"));
  }

  @Test
  void underAKeyASeriesIsMadeOnce() {
    var line = "every 2h --first 2026-11-21T12:00:00Z --as alice --say tea --key once";
    assertThat(cli.run(line)).isEqualTo(cli.run(line)).contains("called       once");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pay,bob,5 | Say whom to pay how much and when",
        "pay,bob,--at,+1h | Say whom to pay how much and when",
        "pay,bob,5,--at,+1h,--every,2h | Say when once: --at TIME, or --every SPAN, or --cron",
        "pay,bob,5,--at,+1h,--cron,0 9 * * * | Say when once: --at TIME",
        "pay,bob,-5,--at,+1h | '-5' is not a whole number from 1 to 9223372036854775807",
        "pay,bob,0,--at,+1h | '0' is not a whole number",
        "pay,bob,five,--every,1h | 'five' is not a whole number",
        "pay,bob,5.50,--at,+1h | '5.50' is not a whole number",
        "pay,bob,9223372036854775808,--at,+1h | '9223372036854775808' is not a whole number",
        "at,+1h,--pay,x,--to,bob | '--pay': 'x' is not a whole number",
        "fund,alice,-1 | '-1' is not a whole number",
        "withdraw,alice,much | 'much' is not a whole number",
        "pay,bob,5,--every,2h,--cron,0 9 * * * | Say how often it runs",
        "pay,bob,5,--every,2h,--zone,UTC | Say how often it runs",
        "pay,bob,5,--at,+1h,--runs,3 | --at runs once",
        "pay,bob,5,--at,2026-03-29 02:30 Europe/Berlin | clocks in Europe/Berlin jump over",
        "pay,bob,5,--at,2026-10-25 02:30 Europe/Berlin"
            + "| show twice: write 2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00",
        "pay,bob,5,--at,2026-11-30 9:30 Berlin"
            + "| There is no time zone 'Berlin': did you mean Europe/Berlin?",
        "pay,bob,5,--at,2026-11-30 9:30 Europe/Berln"
            + "| There is no time zone 'Europe/Berln': did you mean Europe/Berlin?",
        "pay,bob,5,--at,2026-02-30 9:30 UTC | is on no calendar or clock",
        "pay,bob,5,--at,2026-11-30 25:30 UTC | is on no calendar or clock",
        "pay,bob,5,--at,soon | 'soon' is no time to come: write it such as",
        "every,90s,--say,tea,--as,alice | A frequency is so many slots of PT1M: take PT1M or PT2M.",
        "every,2h,--say,tea,--key,k | name its first time by --first",
        "pay,bob,5,--at,+1h,--days-off,swiss | --at runs once",
        "pay,bob,5,--at,+1h,--overlap,skip | --at runs once: leave out all that is for a series",
        "every,2h,--say,tea,--as,alice,--days-off,swiss | There is no list of days off that is called",
        "every,2h,--say,tea,--as,alice,--not-after,2026-11-21T10:00:30Z | between its start and its",
        "every,2h,--say,tea,--as,alice,--jitter,90s | A jitter is so many slots of PT1M.",
        "every,2h,--say,tea,--as,alice,--jitter,1h,--overlap,buffer-one | buffers none",
        "every,2h,--say,tea,--as,alice,--overlap,twice | Send wait, skip or buffer-one.",
        "every,2h,--say,tea,--as,alice,--pause-after,1001 | '1001' is not a whole number from 0 to 1000",
        "every,2h,--say,tea,--as,alice,--pause-after,-1 | '-1' is not a whole number from 0",
        "every,2h,--say,tea,--as,alice,--runs,0 | '0' is not a whole number from 1",
        "every,2h,--say,tea,--as,alice,--attempts,0 | '0' is not a whole number from 1 to 100",
        "every,2h,--say,tea,--as,alice,--late,soon | 'soon' says nothing of what is late: write skip",
        "every,2h,--say,tea,--as,alice,--attempts,101,--pause,1m | '101' is not a whole number from 1 to 100",
        "days-off,--clear | Name the list.",
        "calendar,--days,0 | '0' is not a whole number from 1 to 3650",
        "calendar,--days,-1 | '-1' is not a whole number",
        "calendar,--days,many | 'many' is not a whole number",
        "pause,recuring,--as,alice | 'recuring' is neither a family nor the id of a schedule",
        "pause,recuring | 'recuring' is neither a family nor the id of a schedule",
        "pause,recurring,--as,alice | --as and --note are for one schedule",
        "shutdown,all | 'all' is no family: name one of",
        "days-off,a,2026-11-25,--remove | Give the days of the list, or --clear, or --remove.",
        "days-off,a,christmas | A day looks like 2030-12-25.",
        "pay,-f,x.csv,--at,+1h | The file says whom to pay",
        "pay,bob,5,--at,2026-11-21T10:05:00Z,--as,carol | SQ020310: The deposit and what it",
      })
  void whatCannotBeMeantIsRefusedWithASentence(String line, String sentence) {
    assertThat(cli.execute(List.of(line.split(",")))).isNotZero();
    assertThat(cli.err()).contains(sentence);
  }
}
