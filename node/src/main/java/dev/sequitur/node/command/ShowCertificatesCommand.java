package dev.sequitur.node.command;

import static java.util.stream.Collectors.joining;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.NodeCertificate;
import dev.sequitur.links.tls.OwnCertificate;
import dev.sequitur.links.tls.PemFile;
import dev.sequitur.node.configuration.OwnCertificates;
import dev.sequitur.protocol.text.Counted;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code sequitur certificates show}. */
@Command(
    name = "show",
    description = {
      "Shows the certificates that a node shows of itself, and when each ends: to other nodes"
          + " (transport), callers (rpc), the other JVMs of the node (cluster), and the ledger.",
      "",
      "It reads the files as they are now, and asks no node. The exit code is 1 if one of them could"
          + " not be used.",
      ""
    },
    footer = {"", "Example:", "  sequitur certificates show --config node1.conf"})
final class ShowCertificatesCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private ConfigurationOption config;

  @Mixin private final AnswerOption answer = new AnswerOption();

  ShowCertificatesCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var now = Instant.now();
    var all = OwnCertificates.of(config.read()).stream().map(each -> Shown.of(each, now)).toList();
    answer.print(context.console().out(), new All(all), All::text);
    return all.stream().allMatch(each -> each.problem() == null) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private record All(List<Shown> certificates) {
    String text() {
      return certificates.isEmpty()
          ? "The node shows no certificate: it has no TLS of its own."
          : certificates.stream().map(Shown::text).collect(joining("\n"));
    }
  }

  /**
   * What can't be read is null, and the problem says why.
   *
   * @param names for whom it speaks
   * @param days that are left
   * @param problem a sentence; null if there is none
   */
  private record Shown(
      String use,
      String key,
      String file,
      List<String> names,
      String issuer,
      Instant from,
      Instant until,
      Long days,
      String problem) {
    static Shown of(OwnCertificate own, Instant now) {
      var use = own.use().name().toLowerCase(Locale.ROOT);
      var file = own.file().toString();
      X509Certificate first;
      try {
        first = new PemFile("certificate file", own.file()).certificates().get(0);
      } catch (BadCertificate e) {
        return new Shown(use, own.key(), file, null, null, null, null, null, e.getMessage());
      }
      var until = first.getNotAfter().toInstant();
      return new Shown(
          use,
          own.key(),
          file,
          List.copyOf(NodeCertificate.names(first)),
          first.getIssuerX500Principal().getName(),
          first.getNotBefore().toInstant(),
          until,
          Duration.between(now, until).toDays(),
          problem(own, now));
    }

    private static String problem(OwnCertificate own, Instant now) {
      try {
        var unused = own.reader().apply(now);
        return null;
      } catch (BadCertificate e) {
        return e.getMessage();
      }
    }

    String text() {
      var what =
          until == null
              ? ""
              : "%n           for %s, by %s%n           from %s until %s, %s left"
                  .formatted(
                      String.join(", ", names),
                      issuer,
                      from,
                      until,
                      Counted.of(Math.max(days, 0), "day"));
      var trouble = problem == null ? "" : "%n           NOT usable: %s".formatted(problem);
      return "%-10s %s (%s)%s%s".formatted(use, file, key, what, trouble);
    }
  }
}
