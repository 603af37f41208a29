package dev.sequitur.node;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
    name = "sequitur",
    description = "Puts private transactions in order and runs scheduled ones on time.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** The version is the jar's own, so that there is one place for it: the root pom. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"sequitur " + (version == null ? "(not packaged)" : version)};
    }
  }
}
