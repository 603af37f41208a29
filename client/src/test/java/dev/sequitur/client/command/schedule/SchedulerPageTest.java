package dev.sequitur.client.command.schedule;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.TypedLine;
import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.node.rpc.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/scheduler.md tells people to type, in its order: each line is taken and does what it
 * says. {@code ID}, or the beginning of an id, is what the page has created last.
 */
class SchedulerPageTest {
  private static final Path PAGE = Path.of("..", "docs", "scheduler.md");
  private static final Pattern CSV = Pattern.compile("```csv\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern CREATED =
      Pattern.compile("(?m)(?:^scheduled +|^Scheduled |\"taskId\":\")([a-z-]+:0x[0-9a-f]{64})");

  /** A part of a line, and what it has to print. */
  private static final Map<String, String> PRINTED =
      Map.ofEntries(
          entry("pay bob 25", "runs +pays 25 to bob"),
          entry("list --owner alice --node", "waiting .* pays 25 to bob"),
          entry("explain gas-priority", "It is not due yet"),
          entry("'2030-11-30 09:30 Europe/Berlin'", "at +Sat 2030-11-30 09:30:00 Europe/Berlin"),
          entry("--cron '0 9 1 * *' --zone", "-01 09:00:00 Europe/Berlin"),
          entry("'tomorrow 17:00'", "17:00:00 .*(?s:.*)set aside +10: at most 10 gas"),
          entry("every 24h", "a fee of 1 for each time"),
          entry("cron '30 9", "09:30:00 Europe/Zurich"),
          entry("pay -f", "Scheduled 2 of 2 payments"),
          entry("list --key-file", "0\\.0\\.1003 +0\\.0\\.1001"),
          entry("--link", "/page/#/schedule/0\\.0\\.1003"),
          entry("approve 0.0.1003 --key-file", ": SUCCESS"),
          entry("explain 0.0.1003", "occurrence 0 of incarnation 1: run"),
          entry(
              "show ID",
              "10:00:00 Europe/Berlin(?s:.*)pause by alice(?s:.*)run-now by alice"
                  + "(?s:.*)resume by alice(?s:.*)skip-next by alice(?s:.*)change by alice"),
          entry("--not-before", "at first +Mon 2030-01-07 09:00:00 Europe/Berlin"),
          entry("schedule days-off", "berlin"),
          entry("back-fill ID", "RUNS AS\n20.*:00Z  recurring:0x"),
          entry("list --label rent", "\\[flat=12, rent\\]"),
          entry("--order due", "waiting"),
          entry("'tomorrow 9:30' --dry-run", "nothing done(?s:.*)set aside +15"),
          entry("purchase 0 3", "3 left to schedule then"),
          entry("next ID --count 5", "(.*-01 09:00:00 .*\n?){5}"),
          entry("calendar", " alice  pays 1 to bob"),
          entry("webhook create", "whsec_"),
          entry("webhook list", "books(?s:.*)watch"),
          entry("statement alice", "paid +-20 +landlord(?s:.*)alice can spend"),
          entry("outcomes --owner", "paid 20 to landlord, .*Run now by alice: asked for by phone"));

  /** What needs a whole network, or a chain; it has tests of its own. */
  private static final List<String> ELSEWHERE =
      List.of("./sequitur demo", "./sequitur provider", "--queue provider");

  @TempDir private Path directory;

  private final RunningRpc rpc = RunningRpc.withDefaults();
  private final String node = rpc.uri("/").toString();
  private final TypedLine shell = new TypedLine(this::named, this::printed);
  private Instant clock = Sample.NOW;
  private String id = "";

  @AfterEach
  void stop() {
    rpc.close();
  }

  @Test
  void eachLineOfThePageIsTaken() throws IOException {
    var page = Files.readString(PAGE);
    var wages = CSV.matcher(page);
    assertThat(wages.find()).isTrue();
    Files.writeString(directory.resolve("wages.csv"), wages.group(1));

    // The page's rent is due on the first of a month: on some days that is while this test passes.
    run(List.of("schedule", "fund", "alice", "100000"));
    var tried = new ArrayList<String>();
    var printed = new HashSet<String>();
    page.lines()
        .map(String::strip)
        .filter(line -> line.startsWith("./sequitur ") || line.startsWith("curl "))
        .filter(line -> ELSEWHERE.stream().noneMatch(line::contains))
        .forEach(
            line -> {
              var answer = type(line);
              PRINTED.forEach(
                  (part, said) -> {
                    if (line.contains(part)) {
                      assertThat(answer).as(line).containsPattern(said);
                      printed.add(part);
                    }
                  });
              tried.add(line);
            });

    // What was back-filled runs in the next block.
    passTo(clock.plusSeconds(1));
    assertThat(tried).hasSizeGreaterThan(50);
    assertThat(printed).isEqualTo(PRINTED.keySet());
    assertThat(run(List.of("schedule", "audit"))).startsWith("Conserved: ");
    var ran = run(List.of("schedule", "outcomes", "--owner", "alice", "--limit", "1000"));
    assertThat(ran.lines().filter(row -> row.contains(" paid 1 to bob, "))).hasSizeGreaterThan(45);
  }

  private String type(String line) {
    // Transactions are valid from the time of this machine's clock on.
    passTo(Instant.now().plusSeconds(60));
    var words = shell.words(line);
    String answer;
    if (words.getFirst().equals("curl")) {
      answer = new JsonRpcCaller(node).post(words.getLast());
      assertThat(answer).as(line).contains("\"result\"");
    } else {
      answer = run(words.subList(1, words.size()).stream().map(this::meant).toList());
    }
    var created = CREATED.matcher(answer);
    while (created.find()) {
      id = created.group(1);
    }
    return answer;
  }

  private void passTo(Instant time) {
    if (time.isAfter(clock)) {
      rpc.scheduler.pass(Duration.between(clock, time));
      clock = time;
    }
  }

  private String run(List<String> words) {
    var all = new ArrayList<>(words);
    if (!words.contains("--node") && !words.contains("key")) {
      all.addAll(List.of("--node", node));
    }
    var console = new RecordedConsole();
    assertThat(ScheduleConsole.execute(console, all)).as("%s%n%s", all, console.err()).isZero();
    return console.out();
  }

  /** Files are in a directory of the test's, and who follows events never ends. */
  private String meant(String word) {
    if (word.equals("ID") || word.endsWith(":0x…")) {
      return id;
    }
    return word.endsWith(".pem") || word.endsWith(".csv")
        ? directory.resolve(word).toString()
        : word.equals("--follow") ? "--json" : word;
  }

  private String named(String name) {
    return switch (name) {
      case "NODE" -> node;
      case "CONTRACT" -> Sample.CONTRACT.value();
      default -> throw new AssertionError("The page names no " + name);
    };
  }

  private String printed(String command) {
    return type(command).strip();
  }
}
