package dev.sequitur.node.process;

import static org.awaitility.Awaitility.await;

import dev.sequitur.node.NodeMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sequitur} in a process of its own, as a person starts it. */
public final class SequiturProcess implements AutoCloseable {
  /** Longer than the demonstration waits at a standstill, so that it tells its own end. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** None of them outlives the tests, however those end. */
  private static final Set<Process> ALL = ConcurrentHashMap.newKeySet();

  static {
    var killing = new Thread(() -> ALL.forEach(Process::destroyForcibly), "processes of tests");
    Runtime.getRuntime().addShutdownHook(killing);
  }

  private final Process process;
  private final Thread reader;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private List<ProcessHandle> started = List.of();

  private SequiturProcess(Process process) {
    this.process = process;
    ALL.add(process);
    process.onExit().thenAccept(ALL::remove);
    this.reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts one with its own working directory. */
  public static SequiturProcess start(Path directory, String... commandLine) {
    return start(directory, NodeMain.class, List.of(), commandLine);
  }

  /** Starts one from whose end the JDK keeps how all later ones start. */
  public static SequiturProcess startLearning(Path directory, String... commandLine) {
    var options = optionsOfJvm(LearnedStart.ofBuild().orElseThrow().learning());
    return start(directory, options, NodeMain.class.getName(), commandLine);
  }

  /**
   * Starts another program of the same class path.
   *
   * @param flags of the JVM, besides those of this one
   */
  public static SequiturProcess start(
      Path directory, Class<?> main, List<String> flags, String... commandLine) {
    var all = new ArrayList<>(optionsOfJvm());
    all.addAll(flags);
    return start(directory, all, main.getName(), commandLine);
  }

  /** As {@link #start(Path, Class, List, String...)}, of another class path. */
  public static SequiturProcess start(
      Path directory, String main, String classPath, List<String> flags, String... commandLine) {
    var all = optionsOfJvm(List.of("-cp", classPath));
    all.addAll(flags);
    return start(directory, all, main, commandLine);
  }

  private static SequiturProcess start(
      Path directory, List<String> options, String main, String... commandLine) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(main);
    command.addAll(List.of(commandLine));
    try {
      return new SequiturProcess(
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What each of these processes is started with, its class path among it. */
  public static List<String> optionsOfJvm() {
    return optionsOfJvm(
        LearnedStart.ofBuild()
            .filter(LearnedStart::isThere)
            .map(LearnedStart::options)
            .orElseGet(() -> List.of("-cp", System.getProperty("java.class.path"))));
  }

  private static List<String> optionsOfJvm(List<String> classPath) {
    var options = new ArrayList<String>();
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(SequiturProcess::isOfEveryJvm)
        .forEach(options::add);
    options.add("-Xmx512m");
    options.addAll(classPath);
    // The tests' own Logback configuration is on the class path, too.
    options.add("-Dlogback.configurationFile=dev/sequitur/node/logback-file.xml");
    return options;
  }

  /** The multi-node test kit, where it is on the class path, is of another version of Akka. */
  private static boolean isOfEveryJvm(String flag) {
    return flag.startsWith("--")
        || flag.contains("ForkJoinPool")
        || flag.contains("sun.misc.unsafe")
        || flag.contains("TieredStopAtLevel")
        || flag.contains("akka.fail-mixed-versions");
  }

  private void read() {
    try (var output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(the output ended: " + e.getMessage() + ")");
    }
  }

  /** Waits for a line that has the pattern in it. */
  public MatchResult awaitLine(String regex) {
    var pattern = Pattern.compile(regex);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> match(pattern).isPresent() || (!process.isAlive() && !reader.isAlive()));
    return match(pattern)
        .orElseThrow(
            () -> new AssertionError("It ended before it said '" + regex + "':\n" + output()));
  }

  private Optional<MatchResult> match(Pattern pattern) {
    return lines.stream()
        .map(pattern::matcher)
        .filter(Matcher::find)
        .map(Matcher::toMatchResult)
        .findFirst();
  }

  /** Waits for the end and tells its exit code. */
  public int awaitExit() {
    return awaitExit(PATIENCE);
  }

  /** As {@link #awaitExit()}, for what takes its time. */
  public int awaitExit(Duration most) {
    try {
      if (!process.waitFor(most.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("It does not end:\n" + output());
      }
      reader.join(PATIENCE.toMillis());
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** SIGTERM, then as {@link #awaitExit}. */
  public int stop() {
    // Not process.destroy(), which would close its output too.
    process.toHandle().destroy();
    return awaitExit();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL. */
  public void kill() {
    process.toHandle().destroyForcibly();
    awaitExit();
  }

  /** All that it has said. */
  public String output() {
    return String.join("\n", lines);
  }

  /** SIGSTOP: it stands still until {@link #thaw}. */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
  }

  /** SIGTERM to it and to all that it has started. */
  public void terminateWithAllThatItHasStarted() {
    started = process.descendants().toList();
    started.stream().filter(ProcessHandle::isAlive).forEach(each -> signal("TERM", each.pid()));
    signal("TERM");
  }

  /** Whether something lives of what it had started when it was terminated. */
  public boolean hasLeftAProcess() {
    return started.stream().anyMatch(ProcessHandle::isAlive);
  }

  public long pid() {
    return process.pid();
  }

  private void signal(String name) {
    signal(name, process.pid());
  }

  /** To a process that another one has started. */
  public static void signal(String name, long pid) {
    try {
      int exit = new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
      if (exit != 0) {
        throw new AssertionError("kill -" + name + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
