package dev.sequitur.client.command.schedule;

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
import java.util.List;
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

  /** So long an outage there is before past times are run again. */
  private static final Duration OUTAGE = Duration.ofHours(5);

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
    page.lines()
        .map(String::strip)
        .filter(line -> line.startsWith("./sequitur ") || line.startsWith("curl "))
        .filter(line -> ELSEWHERE.stream().noneMatch(line::contains))
        .forEach(
            line -> {
              type(line);
              tried.add(line);
            });

    // What was back-filled runs in the next block.
    passTo(clock.plusSeconds(1));
    assertThat(tried).hasSizeGreaterThan(50);
    assertThat(run(List.of("schedule", "audit"))).startsWith("Conserved: ");
    assertThat(run(List.of("schedule", "outcomes", "--owner", "alice"))).contains("paid 1 to bob");
  }

  private String type(String line) {
    // Transactions are valid from the time of this machine's clock on.
    passTo(Instant.now().plusSeconds(60));
    if (line.contains(" back-fill ")) {
      passTo(clock.plus(OUTAGE));
    }
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
