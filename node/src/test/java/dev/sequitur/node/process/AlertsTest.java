package dev.sequitur.node.process;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alerts fire when they should, and each has a page that says what to do. */
class AlertsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path RULES = ROOT.resolve("distribution/src/monitoring/alerts.yaml");
  private static final Path TRIALS =
      ROOT.resolve("distribution/src/test/monitoring/alerts-test.yaml");
  private static final Path PAGE = ROOT.resolve("docs/alerts.md");

  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^ +runbook_url: (\\S+)$");

  @Test
  void eachAlertFiresOnWhatIsAmissAndIsSilentOnWhatIsWell() throws Exception {
    var promtool = promtool();
    assumeTrue(
        promtool.isPresent(),
        "promtool is not installed (Debian's package prometheus has it): alert rules are not tried.");

    var output = run(promtool.get(), "check", "rules", RULES.toString());
    assertThat(output.exit()).as(output.text()).isZero();
    output = run(promtool.get(), "test", "rules", TRIALS.toString());
    assertThat(output.exit()).as(output.text()).isZero();
  }

  @Test
  void eachAlertIsTriedWithFiguresOnWhichItFiresAndOthersOnWhichItIsSilent() throws IOException {
    var trials = Files.readString(TRIALS);
    for (var alert : alerts()) {
      assertThat(trials.split("alertname: " + alert + "\n", -1)).as(alert).hasSizeGreaterThan(2);
      assertThat(trials).contains("# " + alert + " fires").contains("# " + alert + " is silent");
    }
  }

  @Test
  void eachAlertHasItsSectionAndEachSectionItsAlert() throws IOException {
    var sections =
        Files.readString(PAGE)
            .lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();

    assertThat(sections).doesNotHaveDuplicates().containsExactlyElementsOf(alerts());
  }

  @Test
  void eachSectionSaysWhatItMeansWhereToLookAndWhatToDo() throws IOException {
    for (var section : Files.readString(PAGE).split("(?m)^## ", -1)) {
      if (section.startsWith("Sequitur")) {
        assertThat(section).contains("**Means.** ").contains("**Look.** ").contains("**Do.** ");
      }
    }
  }

  @Test
  void theRunbookOfEachAlertIsItsSection() throws IOException {
    var runbooks = RUNBOOK.matcher(Files.readString(RULES)).results().map(it -> it.group(1));

    assertThat(runbooks)
        .containsExactlyElementsOf(
            alerts().stream()
                .map(alert -> "docs/alerts.md#" + alert.toLowerCase(Locale.ROOT))
                .toList());
  }

  @Test
  void anAlertThatThePageNamesIsThere() throws IOException {
    var named =
        Pattern.compile("\\bSequitur[A-Z]\\w+")
            .matcher(Files.readString(PAGE))
            .results()
            .map(it -> it.group())
            .collect(toSet());

    assertThat(named).isEqualTo(Set.copyOf(alerts()));
  }

  private static List<String> alerts() throws IOException {
    var alerts = ALERT.matcher(Files.readString(RULES)).results().map(it -> it.group(1)).toList();
    assertThat(alerts).isNotEmpty();
    return alerts;
  }

  private static Optional<Path> promtool() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, "promtool"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private record Output(int exit, String text) {}

  private static Output run(Path program, String... arguments) throws Exception {
    var command = Stream.concat(Stream.of(program.toString()), Arrays.stream(arguments)).toList();
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Output(process.waitFor(), text);
  }
}
