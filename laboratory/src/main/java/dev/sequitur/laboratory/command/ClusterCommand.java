package dev.sequitur.laboratory.command;

import dev.sequitur.console.Values;
import dev.sequitur.console.WrongOption;
import dev.sequitur.laboratory.local.ClusterPlan;
import dev.sequitur.laboratory.local.LocalCluster;
import dev.sequitur.node.command.CommandContext;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.protocol.text.Counted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sequitur cluster}. */
@Command(
    name = "cluster",
    description = {
      "Runs a network on this machine until Ctrl-C: a ledger, and nodes of several JVMs, each a"
          + " process of its own.",
      "",
      "Kill one of the JVMs and see that nothing is lost. Nodes of several JVMs share a PostgreSQL:"
          + " an own one is started from the programs installed here (apt-get install postgresql),"
          + " or --postgres names one.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sequitur cluster --nodes 4 --jvms-per-node 2",
      "  sequitur cluster --postgres jdbc:postgresql://127.0.0.1:5432/sequitur --postgres-user me"
    })
final class ClusterCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int MOST_PORT = 65_535;

  private final CommandContext context;

  @Mixin private NetworkOptions network = new NetworkOptions(2);

  @Option(
      names = "--block-time",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Values.Time.class,
      description = "Between two blocks of the ledger, such as 500ms or 2s (default: 1s).")
  private Duration blockTime;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "cluster-data",
      description = "Where everything is kept, to be started again on it (default: cluster-data).")
  private Path data;

  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description = "A database of a PostgreSQL that runs already; each node takes a schema in it.")
  private String postgres;

  @Option(
      names = "--postgres-user",
      paramLabel = "USER",
      defaultValue = "",
      description = "Its user; the password is taken from the environment's PGPASSWORD.")
  private String user;

  ClusterCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    var plan =
        new ClusterPlan(
            network.nodes(),
            network.jvmsPerNode(),
            data.toAbsolutePath().normalize(),
            network.port(),
            blockTime,
            database(),
            network.settings(),
            network.startTimeout());
    if (network.port() == 0 || plan.lastPort() > MOST_PORT) {
      throw new WrongOption(
          "It takes the ports %d to %d, which are not all there: name another --port."
              .formatted(network.port(), plan.lastPort()));
    }
    var out = context.console().out();
    var stop = context.stop();
    try (var cluster = new LocalCluster(plan, context.console())) {
      cluster.start(stop);
      if (!stop.isRequested()) {
        out.println(
            Counted.of(network.nodes(), "node")
                + " up; data, logs and configurations are in "
                + data);
        cluster.addresses().forEach(out::println);
        out.println("Kill a JVM (kill -9 PROCESS) and its node goes on. Ctrl-C stops everything.");
        out.flush();
      }
      while (!stop.await(LOOK)) {
        cluster.ended().forEach(out::println);
        out.flush();
      }
    }
    out.println("Everything is stopped.");
    out.flush();
    return ExitCode.OK;
  }

  private Optional<PostgresSettings> database() {
    try {
      // The password of a server of one's own belongs in no command line.
      var password = System.getenv().getOrDefault("PGPASSWORD", "");
      return Optional.ofNullable(postgres)
          .map(url -> new PostgresSettings(url, user, password, "any"));
    } catch (IllegalArgumentException e) {
      throw new WrongOption(e.getMessage());
    }
  }
}
