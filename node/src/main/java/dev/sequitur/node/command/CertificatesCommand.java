package dev.sequitur.node.command;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.WrongOption;
import dev.sequitur.links.tls.BadCertificate;
import dev.sequitur.links.tls.Certificates;
import dev.sequitur.links.tls.Certificates.Validity;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code sequitur certificates}. */
@Command(
    name = "certificates",
    description = {
      "Makes an authority and a certificate for each node, for trying out the transport between"
          + " processes.",
      "",
      "An authority that is in the directory already issues the new certificates too. Its key lies"
          + " there unprotected: in earnest, let your own authority sign certificates whose names"
          + " are those of the nodes.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur certificates --directory examples/two-nodes/certificates node1 node2 ledger",
      "  sequitur certificates show --config node1.conf"
    })
final class CertificatesCommand implements Callable<Integer> {
  private static final Duration A_YEAR = Duration.ofDays(365);

  /** For clocks that differ a little. */
  private static final Duration BEFORE_NOW = Duration.ofMinutes(5);

  private final CommandContext context;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "certificates",
      description = "Where the files are written (default: certificates).")
  private Path directory;

  @Parameters(
      paramLabel = "NODE",
      arity = "0..*",
      converter = Name.class,
      description = "The names of the nodes.")
  private List<NodeName> nodes = List.of();

  @Mixin private final AnswerOption answer = new AnswerOption();

  private record Written(List<String> files) {}

  private static final class Name implements ITypeConverter<NodeName> {
    @Override
    public NodeName convert(String text) {
      try {
        return new NodeName(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  private CertificatesCommand(CommandContext context) {
    this.context = context;
  }

  /** With its own command. */
  static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new CertificatesCommand(context))
        .addSubcommand(new ShowCertificatesCommand(context));
  }

  @Override
  public Integer call() {
    if (nodes.isEmpty()) {
      throw new WrongOption(
          "Name the nodes that are to have certificates, as in `sequitur certificates node1 node2`;"
              + " `sequitur certificates show` shows those of a node's configuration.");
    }
    var now = Instant.now();
    try {
      var written =
          Certificates.writeNetwork(
              directory, nodes, new Validity(now.minus(BEFORE_NOW), now.plus(A_YEAR)));
      answer.print(
          context.console().out(),
          new Written(written.stream().map(Path::toString).toList()),
          all -> String.join("\n", all.files()));
      return ExitCode.OK;
    } catch (IOException e) {
      throw new StartFailure(
          "The certificates cannot be written to "
              + directory
              + " ("
              + e.getMessage()
              + "): name another --directory.",
          e);
    } catch (BadCertificate e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }
}
