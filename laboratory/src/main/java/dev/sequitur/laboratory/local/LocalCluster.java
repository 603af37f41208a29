package dev.sequitur.laboratory.local;

import dev.sequitur.console.Console;
import dev.sequitur.console.ProgressBar;
import dev.sequitur.console.StopSignal;
import dev.sequitur.laboratory.local.ClusterPlan.Jvm;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.LocalServer;
import dev.sequitur.persistence.postgres.PostgresSettings;
import dev.sequitur.persistence.postgres.ServerLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts a network on this machine, watches it, and stops it. Confined to one thread. */
public final class LocalCluster implements AutoCloseable {
  private static final Duration STOP = Duration.ofSeconds(25);
  private static final String UP = " is up;";
  private static final int FEWEST_AT_ONCE = 2;
  private static final PostgresSettings NONE =
      new PostgresSettings("jdbc:postgresql:", "", "", "none");

  private final ClusterPlan plan;
  private final Console console;
  private final List<String> options;
  private final Way way;
  private final ClusterFiles files;
  private final Map<Jvm, ChildProcess> jvms = new LinkedHashMap<>();
  private Optional<ChildProcess> ledger = Optional.empty();
  private Optional<LocalServer> server = Optional.empty();
  private Optional<DirectoryInUse> inUse = Optional.empty();
  private PostgresSettings database = NONE;

  /** How a JVM reaches the database. */
  public interface Way {
    /**
     * @param direct as others reach it
     */
    PostgresSettings to(PostgresSettings direct, Jvm of);
  }

  public LocalCluster(ClusterPlan plan, Console console) {
    this(plan, console, (direct, jvm) -> direct);
  }

  /**
   * One whose JVMs reach the database in ways of their own.
   *
   * @param way is asked at each start of a JVM
   */
  public LocalCluster(ClusterPlan plan, Console console, Way way) {
    this(plan, console, ChildProcess.ownOptions(), way);
  }

  /**
   * @param options of its JVMs, their class path among them
   */
  public LocalCluster(ClusterPlan plan, Console console, List<String> options) {
    this(plan, console, options, (direct, jvm) -> direct);
  }

  private LocalCluster(ClusterPlan plan, Console console, List<String> options, Way way) {
    this.plan = plan;
    this.console = console;
    this.options = List.copyOf(options);
    this.way = way;
    this.files = new ClusterFiles(plan);
  }

  /**
   * Blocks until everything serves, or until a stop is asked for.
   *
   * @throws StartFailure with a sentence that says what to do
   */
  public void start(StopSignal stop) {
    try {
      Files.createDirectories(plan.directory());
      inUse = Optional.of(DirectoryInUse.by(plan.directory()));
      files.certificates();
      database = plan.needsDatabase() ? database() : NONE;
      startLedger();
      startJvms(stop);
    } catch (StartFailure e) {
      if (!stop.hasEndedOthers()) {
        throw e;
      }
    } catch (IOException e) {
      throw new StartFailure(
          "The directory %s cannot be written (%s): name another one by --data."
              .formatted(plan.directory(), e.getMessage()),
          e);
    } catch (UncheckedIOException | DatabaseException e) {
      throw new StartFailure(e.getMessage(), e);
    }
  }

  private PostgresSettings database() {
    if (plan.database().isPresent()) {
      ServerLimits.require(plan.database().get(), plan.jvms().size());
      return plan.database().get();
    }
    var programs =
        LocalServer.programs()
            .orElseThrow(
                () ->
                    new StartFailure(
                        "Nodes of several JVMs share a PostgreSQL, and there is none here: install"
                            + " it (apt-get install postgresql), name one by --postgres"
                            + " jdbc:postgresql://host:port/database, or try --jvms-per-node 1."));
    var started =
        LocalServer.start(programs, plan.directory().resolve("postgresql"), plan.databasePort());
    server = Optional.of(started);
    return new PostgresSettings(started.url(), started.user(), started.password(), "any");
  }

  private void startLedger() throws IOException {
    var process =
        ChildProcess.start(
            "ledger", plan.directory(), options, "ledger", "--config", files.ledger().toString());
    ledger = Optional.of(process);
    starting("The ledger is up").await(process);
  }

  private Starting starting(String up) {
    return new Starting(up, plan.mostStart(), ", or give it more time by --start-timeout");
  }

  private ChildProcess startJvm(Jvm jvm) throws IOException {
    var file = files.jvm(jvm, plan.needsDatabase() ? way.to(database, jvm) : database);
    return ChildProcess.start(
        jvm.fileName(), plan.directory(), options, "start", "--config", file.toString());
  }

  /**
   * As many at once as there are processors: with more, those of a node hear so little of each
   * other while they start that they leave each other out.
   */
  private void startJvms(StopSignal stop) throws IOException {
    int atOnce = Math.max(FEWEST_AT_ONCE, Runtime.getRuntime().availableProcessors());
    var all = plan.jvms();
    try (ProgressBar progress = console.progress("JVMs up", all.size())) {
      for (int up = 0; up < all.size() && !stop.isRequested(); up++) {
        for (int next = jvms.size(); next < Math.min(up + atOnce, all.size()); next++) {
          jvms.put(all.get(next), startJvm(all.get(next)));
        }
        var jvm = all.get(up);
        var process =
            starting(UP)
                .await(
                    jvms.get(jvm),
                    () -> {
                      startAgain(jvm);
                      return jvms.get(jvm);
                    });
        progress.update(up + 1L, process.name());
      }
    }
  }

  /** Where to reach what runs. */
  public List<String> addresses() {
    var lines = new ArrayList<String>();
    jvms.forEach(
        (jvm, process) ->
            lines.add(
                "  %s  JVM %d  http://127.0.0.1:%d  (process %d)"
                    .formatted(jvm.nodeName(), jvm.number(), plan.rpcPort(jvm), process.pid())));
    return lines;
  }

  /** SIGKILL to one of the JVMs, as by a machine that loses its power. */
  public void kill(Jvm jvm) {
    jvms.get(jvm).kill();
  }

  /** SIGTERM to one of the JVMs, and its end is awaited: it hands over before it goes. */
  public void leave(Jvm jvm) {
    jvms.get(jvm).stop();
    jvms.get(jvm).awaitEnd(STOP);
  }

  /**
   * Starts a JVM anew on what it has on disk, and does not wait for it.
   *
   * @throws StartFailure with a sentence that says what to do
   */
  public void startAgain(Jvm jvm) {
    try {
      jvms.put(jvm, startJvm(jvm));
    } catch (IOException e) {
      throw new StartFailure(
          "%s cannot be started again: %s".formatted(jvm.fileName(), e.getMessage()), e);
    }
  }

  public boolean isAlive(Jvm jvm) {
    return jvms.get(jvm).isAlive();
  }

  /** Whether it serves since it was started last. */
  public boolean isUp(Jvm jvm) {
    return isAlive(jvm) && jvms.get(jvm).hasSaid(UP);
  }

  /** The process ids by name, the ledger's first. */
  public Map<String, Long> processes() {
    var pids = new LinkedHashMap<String, Long>();
    ledger.ifPresent(process -> pids.put(process.name(), process.pid()));
    jvms.values().forEach(process -> pids.put(process.name(), process.pid()));
    return pids;
  }

  /**
   * Sentences about processes that have ended since it was asked last. One that the others of its
   * node have left out is started again, as a supervisor would.
   */
  public List<String> ended() {
    var sentences = new ArrayList<String>();
    for (var jvm : List.copyOf(jvms.keySet())) {
      if (jvms.get(jvm).wasLeftOut()) {
        startAgain(jvm);
        sentences.add(
            "%s JVM %d was left out by the others and is started again (process %d)."
                .formatted(jvm.nodeName(), jvm.number(), jvms.get(jvm).pid()));
      } else if (!jvms.get(jvm).isAlive()) {
        jvms.remove(jvm);
        sentences.add(
            "%s JVM %d has ended. Start it again: ./sequitur start --config %s"
                .formatted(
                    jvm.nodeName(),
                    jvm.number(),
                    plan.directory().resolve(jvm.fileName() + ".conf")));
      }
    }
    return sentences;
  }

  /** Stops everything, the nodes before what they need. Blocks. */
  @Override
  public void close() {
    jvms.values().forEach(ChildProcess::stop);
    if (!jvms.isEmpty()) {
      awaitJvms();
    }
    ledger.ifPresent(ChildProcess::stop);
    ledger.ifPresent(process -> process.awaitEnd(STOP));
    server.ifPresent(LocalServer::close);
    inUse.ifPresent(DirectoryInUse::close);
  }

  private void awaitJvms() {
    int ended = 0;
    try (ProgressBar progress = console.progress("JVMs stopped", jvms.size())) {
      for (var process : jvms.values()) {
        process.awaitEnd(STOP);
        progress.update(++ended, process.name());
      }
    }
  }
}
