package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.Console;
import dev.sequitur.console.WrongOption;
import dev.sequitur.protocol.text.Counted;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExitCodeGenerator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sequitur schedule pay}: one payment, a series of them, or those of a file. */
@Command(
    name = "pay",
    description = {
      "Pays somebody at a time, again and again, or everybody in a file.",
      "",
      "A file is CSV whose first row names its columns, or has a JSON object in each line, with the"
          + " columns to, amount and at, and perhaps as, late and key. Each row is paid once, however"
          + " often the file is sent: a row that names no key has one made of what it says, so that"
          + " rows may be added. What became of each stands in FILE.answers, from which a run goes on"
          + " that was ended.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur schedule pay bob 5 --as alice --at '2026-11-30 09:30 Europe/Berlin'",
      "  sequitur schedule pay landlord 900 --as alice --cron '0 9 1 * *' --zone Europe/Berlin",
      "  sequitur schedule pay -f wages.csv --as company"
    })
final class PayCommand extends PlainCommand implements IExitCodeGenerator {
  @Parameters(index = "0", arity = "0..1", paramLabel = "ACCOUNT", description = "Who is paid.")
  private String to;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AMOUNT",
      converter = TargetOptions.WholeAmount.class,
      description = "A whole number above 0.")
  private String amount;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = WrittenMoment.At.class,
      description = "Once, " + WrittenMoment.EXAMPLES + ".")
  private WrittenMoment.Time at;

  @Mixin private SeriesOptions series;

  @Mixin private Named named;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Everybody in a file of CSV or of JSON lines.")
  private Path file;

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      description = "What became of each row of --file (default: beside it, ending in .answers).")
  private Path answers;

  private final Console console;
  private int exitCode = ExitCode.OK;

  PayCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    if (file != null) {
      payAll();
      return;
    }
    boolean isSeries = series.isEvery() || series.isCron();
    if (to == null || amount == null || answers != null || (at == null && !isSeries)) {
      throw new WrongOption(
          "Say whom to pay how much and when: ACCOUNT AMOUNT --at TIME, or --every SPAN, or --cron"
              + " FIELDS; or --file FILE.");
    } else if (at != null && isSeries) {
      throw new WrongOption("Say when once: --at TIME, or --every SPAN, or --cron FIELDS.");
    } else if (isSeries) {
      runAsSeries(TargetOptions.transfer(to, amount), named, series::addTo);
    } else if (series.hasMore() || named.isSaid()) {
      throw new WrongOption(
          "--at runs once: leave out all that is for a series, such as --zone, --runs, --id and"
              + " --overlap.");
    } else {
      runOnce(TargetOptions.transfer(to, amount), at);
    }
  }

  private void payAll() {
    boolean isMore =
        Stream.of(to, amount, at).anyMatch(each -> each != null)
            || series.isEvery()
            || series.isCron()
            || series.hasMore()
            || named.isSaid()
            || isOfOne()
            || node().hasKey();
    if (isMore) {
      throw new WrongOption(
          "The file says whom to pay how much, when and under which key: leave out all but --as,"
              + " --late, --no-set-aside and --answers.");
    }
    var payments = PaymentFile.read(file, account(), late());
    var beside =
        Optional.ofNullable(answers)
            .orElseGet(() -> file.resolveSibling(file.getFileName() + ".answers"));
    try (var kept = new PaymentAnswers(beside, Instant.now())) {
      var firstSent = kept.firstSent().toString();
      var sent =
          new PaymentsSent(
              some ->
                  node()
                      .batch(
                          "gasPriority_insert",
                          some.stream()
                              .map(each -> each.command(node().command(), setsAside(), firstSent))
                              .toList()),
              payments,
              kept);
      try (var progress = console.progress("Payments", payments.size())) {
        sent.run(progress);
      }
      exitCode = sent.refused() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
      var result =
          NodeCalls.JSON
              .createObjectNode()
              .put("payments", payments.size())
              .put("scheduled", sent.made())
              .put("refused", sent.refused())
              .put("answers", beside.toString());
      print(result, PayCommand::told);
    }
  }

  private static String told(JsonNode result) {
    long refused = result.path("refused").asLong();
    return "Scheduled %,d of %s%s. What became of each: %s"
        .formatted(
            result.path("scheduled").asLong(),
            Counted.of(result.path("payments").asLong(), "payment"),
            refused == 0 ? "" : "; refused %,d".formatted(refused),
            result.path("answers").asText());
  }

  /** 1 if any was refused. */
  @Override
  public int getExitCode() {
    return exitCode;
  }
}
