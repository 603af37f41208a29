package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.RunningRpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code sequitur schedule pay -f FILE}. */
class PaymentFileTest {
  private static final String AT = "2026-11-21T10:30:00Z";

  private final ScheduleConsole cli = new ScheduleConsole(RunningRpc.withDefaults());

  @TempDir private Path folder;

  @BeforeEach
  void fund() {
    cli.run("fund alice 100000");
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("wages.csv"), List.of(lines));
  }

  private int pay(Path file) {
    return cli.execute(List.of("pay", "-f", file.toString(), "--as", "alice"));
  }

  private List<String> answers(Path file) throws IOException {
    return Files.readAllLines(folder.resolve(file.getFileName() + ".answers"));
  }

  private long waiting() {
    return RunningRpc.parse(cli.run("overview --json")).get("schedules").asLong();
  }

  @Test
  void eachRowIsPaidOnceHoweverOftenTheFileIsSent() throws IOException {
    var file = file("to,amount,at", "bob,5," + AT, "carol,7," + AT, "bob,5," + AT);

    assertThat(pay(file)).as(cli.err()).isZero();

    assertThat(cli.out()).startsWith("Scheduled 3 of 3 payments. What became of each: ");
    assertThat(cli.err()).contains("100%  3 of 3");
    assertThat(waiting()).isEqualTo(3);
    assertThat(answers(file)).hasSize(5);

    // Two rows that say the same are two payments; the file again is none.
    assertThat(pay(file)).isZero();
    assertThat(waiting()).isEqualTo(3);
    assertThat(answers(file)).hasSize(5);
  }

  /** Killed before the answers were written: the node answers as it did. */
  @Test
  void whatWasMadeThoughItsAnswerWasLostIsNotMadeAgain() throws IOException {
    var file = file("to,amount,at", "bob,5," + AT, "carol,7," + AT);
    pay(file);
    var whole = answers(file);
    var half = new ArrayList<>(whole.subList(0, 3));
    half.add(whole.get(3).substring(0, 9));
    Files.writeString(folder.resolve("wages.csv.answers"), String.join("\n", half));

    assertThat(pay(file)).as(cli.err()).isZero();

    assertThat(waiting()).isEqualTo(2);
    assertThat(answers(file).get(answers(file).size() - 1)).isEqualTo(whole.get(3));
  }

  @Test
  void rowsMayBeAddedAndTheirOrderChanged() throws IOException {
    pay(file("to,amount,at", "bob,5," + AT, "carol,7," + AT));
    var more = file("to,amount,at", "dave,1," + AT, "carol,7," + AT, "bob,5," + AT);

    assertThat(pay(more)).isZero();

    assertThat(waiting()).isEqualTo(3);
  }

  /**
   * Killed with 6,000 rows made and the answers of 4,217 and a half written, it goes on to all
   * 10,000, each once, at more than 500 a second.
   */
  @Test
  void tenThousandRowsArePaidOnceThoughTheFirstRunWasKilled() throws IOException {
    cli.run("fund alice 1000000");
    var rows = new ArrayList<String>();
    rows.add("to,amount,at");
    for (int row = 1; row <= 10_000; row++) {
      rows.add("worker-%d,%d,%s".formatted(row % 5_000, row % 7 + 1, AT));
    }
    var begun = System.nanoTime();
    assertThat(pay(Files.write(folder.resolve("wages.csv"), rows.subList(0, 6_001)))).isZero();
    var answers = folder.resolve("wages.csv.answers");
    var written = Files.readAllLines(answers).subList(0, 2 + 4_217);
    Files.writeString(answers, String.join("\n", written) + "\n4218,\"half");

    assertThat(pay(Files.write(folder.resolve("wages.csv"), rows))).as(cli.err()).isZero();

    var took = Duration.ofNanos(System.nanoTime() - begun);
    assertThat(cli.out()).startsWith("Scheduled 10,000 of 10,000 payments.");
    assertThat(waiting()).isEqualTo(10_000);
    assertThat(
            Files.readAllLines(answers).stream().skip(2).map(line -> line.split(",")[2]).distinct())
        .hasSize(10_000);
    long paid = IntStream.rangeClosed(1, 10_000).mapToLong(row -> row % 7 + 1).sum();
    long left = 1_100_000 - paid - 10 * 10_000;
    assertThat(cli.run("balance alice")).isEqualTo("alice can spend " + left + ".");
    assertThat(took).as("of 10,000 rows").isLessThan(Duration.ofSeconds(20));
  }

  /** Such as a spreadsheet writes where a comma stands in numbers. */
  @Test
  void aSpreadsheetsFileIsReadAsItIs() throws IOException {
    var file = file("\uFEFFto;amount;at", "\"bob\";5;2026-11-21 11:30 Europe/Berlin", "");

    assertThat(pay(file)).as(cli.err()).isZero();

    assertThat(cli.run("list")).contains("2026-11-21T10:30:00Z", "pays 5 to bob");
  }

  @Test
  void manyGoInFewExchangesAndSoDoJsonLines() throws IOException {
    var lines =
        IntStream.range(0, 1_200)
            .mapToObj(row -> "{\"to\":\"bob\",\"amount\":%d,\"at\":\"%s\"}".formatted(row + 1, AT));
    var file = Files.write(folder.resolve("wages.jsonl"), lines.toList());
    cli.run("fund alice 1000000");

    assertThat(pay(file)).as(cli.err()).isZero();

    assertThat(cli.out()).contains("Scheduled 1,200 of 1,200 payments.");
    assertThat(waiting()).isEqualTo(1_200);
  }

  @Test
  void aRowThatIsRefusedHasItsReasonAndIsTriedAgain() throws IOException {
    var file = file("to,amount,at,as", "bob,5," + AT + ",", "bob,6," + AT + ",erin");

    assertThat(pay(file)).isEqualTo(1);

    assertThat(cli.out()).startsWith("Scheduled 1 of 2 payments; refused 1.");
    assertThat(answers(file).get(3)).contains("SQ020310: The deposit and what it pays are 16");
    cli.run("fund erin 100");
    assertThat(pay(file)).isZero();
    assertThat(waiting()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "to,amount;bob,5 | row 1: 'at' is missing",
        "to,amount,at,fee;bob,5,2026-11-21T10:30:00Z,1 | row 1: 'fee' is not known: there are to",
        "to,amount,at;bob,5,+5m | row 1: '+5m' is another time whenever the file is read",
        "to,amount,at;bob,5,2026-11-21 10:30 Berlin | row 1: There is no time zone 'Berlin'",
        "to,amount,at,key;a,1,2026-11-21T10:30:00Z,k;b,1,2026-11-21T10:30:00Z,k"
            + "| row 2: the key 'k' stands in a row above",
        "to,amount,at;bob,x,2026-11-21T10:30:00Z | row 1: 'x' is not a whole number from 1 to",
        "to,amount,at;bob,5.5,2026-11-21T10:30:00Z | row 1: '5.5' is not a whole number",
        "too,amount,at;bob,5,2026-11-21T10:30:00Z"
            + "| row 1: 'too' is not known: there are to, amount",
        "to,amount,at;bob,5,2026-11-21T10:30:00Z,1 | row 1 has more columns than the first one names",
        "to,amount,at | There is no payment in",
        "'' | its first row names no column: write to,amount,at",
        "{\"to\":\"bob\" | row 1 is no JSON object",
        "{\"to\":\"bob\",\"amount\":5,\"at\":\"2026-11-21T10:30:00Z\"};{\"to\" | row 2 is no JSON object",
        "{\"to\":\"bob\",\"amount\":5,\"at\":\"2026-11-21T10:30:00Z\"};[1] | row 2: it is no JSON object",
      })
  void aMistakeIsToldBeforeAnythingIsSent(String said, String sentence) throws IOException {
    var rows = Stream.concat(Stream.of(said.split(";")), Stream.empty());
    var file = Files.writeString(folder.resolve("w"), rows.collect(Collectors.joining("\n")));

    assertThat(pay(file)).isEqualTo(2);

    assertThat(cli.err()).contains(sentence);
    assertThat(waiting()).isZero();
    assertThat(folder.resolve("w.answers")).doesNotExist();
  }

  @Test
  void whatIsThereOfSomebodyElseIsNotWrittenOver() throws IOException {
    var file = file("to,amount,at", "bob,5," + AT);
    Files.writeString(folder.resolve("wages.csv.answers"), "mine");

    assertThat(pay(file)).isEqualTo(2);

    assertThat(cli.err()).contains("is not of an earlier run of these payments");
    assertThat(folder.resolve("wages.csv.answers")).hasContent("mine");
  }

  @Test
  void whereNoNodeAnswersNothingIsWaitedFor() throws IOException {
    var file = file("to,amount,at", "bob,5," + AT);
    cli.close();

    assertThat(pay(file)).isEqualTo(1);

    assertThat(cli.err())
        .contains("No node answers at", "0 of 1 payments are made: run the same again to go on.");
  }
}
