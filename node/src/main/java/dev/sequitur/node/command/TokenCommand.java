package dev.sequitur.node.command;

import dev.sequitur.console.AnswerOption;
import dev.sequitur.console.CommandGroup;
import dev.sequitur.console.SequiturCommand.EndsAtOnce;
import dev.sequitur.console.WrongOption;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.guard.ApiToken;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code sequitur token}. */
@Command(
    name = "token",
    description = {
      "Makes, lists and revokes the tokens by which callers show a node who they are.",
      "",
      "A running node takes a new token, and refuses a revoked one, within a second. Run it as the"
          + " user of the node.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur token create ci --role owner --expires 90d --config node1.conf",
      "  sequitur token list --config node1.conf",
      "  sequitur token revoke ci --config node1.conf"
    })
final class TokenCommand extends CommandGroup implements EndsAtOnce {
  private static final int CHANCE_BYTES = 40;

  /** With its own commands. */
  static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new TokenCommand())
        .addSubcommand(new Create(context))
        .addSubcommand(new ListAll(context))
        .addSubcommand(new Revoke(context));
  }

  /** What they have in common: the file of the node's tokens. */
  private abstract static class OfNode implements Callable<Integer> {
    final CommandContext context;

    @Mixin private ConfigurationOption config;

    @Mixin final AnswerOption answer = new AnswerOption();

    OfNode(CommandContext context) {
      this.context = context;
    }

    NodeConfiguration configuration() {
      return config.read();
    }

    @Override
    public Integer call() {
      try {
        run(configuration());
        return ExitCode.OK;
      } catch (IllegalArgumentException e) {
        throw new WrongOption(e.getMessage());
      } catch (IOException e) {
        throw new StartFailure(e.getMessage(), e);
      } finally {
        context.console().out().flush();
        context.console().err().flush();
      }
    }

    static TokenFile tokens(NodeConfiguration configuration) {
      return new TokenFile(configuration.guard().tokens());
    }

    abstract void run(NodeConfiguration configuration) throws IOException;
  }

  /** {@code sequitur token create}. */
  @Command(
      name = "create",
      description = "Makes a token and prints it, this once: it is kept nowhere.")
  static final class Create extends OfNode {
    @Parameters(paramLabel = "NAME", description = "Whose it is, as logs will name it.")
    private String name;

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        required = true,
        description = "A role of the configuration (callers.roles); may be repeated.")
    private List<String> roles;

    @Option(
        names = "--expires",
        paramLabel = "TIME",
        converter = Lifetime.class,
        description = "How long it holds, such as 90d or 12h; without it, until it is revoked.")
    private Duration lifetime;

    Create(CommandContext context) {
      super(context);
    }

    @Override
    void run(NodeConfiguration configuration) throws IOException {
      var known = configuration.guard().roles().keySet();
      roles.stream()
          .filter(role -> !known.contains(role))
          .findFirst()
          .ifPresent(
              role -> {
                throw new WrongOption(
                    "There is no role %s: the configuration has %s."
                        .formatted(role, String.join(", ", known.stream().sorted().toList())));
              });
      var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      var expires = Optional.ofNullable(lifetime).map(now::plus);
      var chance = new byte[CHANCE_BYTES];
      new SecureRandom().nextBytes(chance);
      var made = ApiToken.make(new ApiToken.Grant(name, roles, now, expires), chance);
      tokens(configuration).update(tokens -> tokens.with(made.token(), now));
      context
          .console()
          .err()
          .println(
              "Token %s of %s%s. It is shown this once:"
                  .formatted(
                      name,
                      String.join(", ", roles),
                      expires.map(end -> ", until " + end).orElse(", until it is revoked")));
      context.console().err().flush();
      answer.print(
          context.console().out(), Shown.of(made.token(), made.secret(), now), Shown::secret);
    }
  }

  /**
   * One token.
   *
   * @param secret null once it has been made: it is kept nowhere
   * @param state {@code holds}, {@code expired} or {@code revoked}
   * @param expires null if it holds until it is revoked
   * @param revoked null if it was not
   */
  private record Shown(
      String name,
      List<String> roles,
      String state,
      String created,
      String expires,
      String revoked,
      String secret) {
    static Shown of(ApiToken token, String secret, Instant now) {
      var revoked = token.revoked().map(Instant::toString).orElse(null);
      return new Shown(
          token.name(),
          token.roles(),
          revoked != null ? "revoked" : token.holds(now) ? "holds" : "expired",
          token.created().toString(),
          token.expires().map(Instant::toString).orElse(null),
          revoked,
          secret);
    }

    String line() {
      var end =
          switch (state) {
            case "revoked" -> "revoked " + revoked;
            case "expired" -> "expired " + expires;
            default -> expires == null ? "holds until it is revoked" : "expires " + expires;
          };
      return "%-20s %-20s made %s, %s".formatted(name, String.join(",", roles), created, end);
    }
  }

  /** {@code sequitur token list}. */
  @Command(name = "list", description = "Lists the tokens, without their secrets.")
  static final class ListAll extends OfNode {
    ListAll(CommandContext context) {
      super(context);
    }

    @Override
    void run(NodeConfiguration configuration) throws IOException {
      var now = Instant.now();
      var tokens =
          tokens(configuration).read().list().stream()
              .map(token -> Shown.of(token, null, now))
              .toList();
      answer.print(context.console().out(), tokens, ListAll::lines);
    }

    private static String lines(List<Shown> tokens) {
      return tokens.isEmpty()
          ? "There are no tokens."
          : tokens.stream().map(Shown::line).collect(Collectors.joining("\n"));
    }
  }

  /** {@code sequitur token revoke}. */
  @Command(
      name = "revoke",
      description = "Takes a token back; a running node refuses it within a second.")
  static final class Revoke extends OfNode {
    @Parameters(paramLabel = "NAME", description = "That of the token.")
    private String name;

    Revoke(CommandContext context) {
      super(context);
    }

    @Override
    void run(NodeConfiguration configuration) throws IOException {
      var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      tokens(configuration).update(tokens -> tokens.revoke(name, now));
      answer.print(
          context.console().out(),
          new Revoked(name, now.toString()),
          gone -> "The token " + gone.name() + " is revoked.");
    }

    private record Revoked(String name, String revoked) {}
  }

  /** A time to come, as the configuration writes durations. */
  static final class Lifetime implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,5})([mhd])");

    @Override
    public Duration convert(String text) {
      var match = FORM.matcher(text);
      if (!match.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is no time to come: write it such as 90d, 12h or 30m");
      }
      long amount = Long.parseLong(match.group(1));
      return switch (match.group(2)) {
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    }
  }
}
