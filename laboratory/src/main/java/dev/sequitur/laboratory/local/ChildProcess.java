package dev.sequitur.laboratory.local;

import dev.sequitur.node.NodeMain;
import dev.sequitur.node.process.ParentProcess;
import dev.sequitur.node.process.StartFailure;
import dev.sequitur.node.process.StartFailure.LeftOut;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Another process of this program. What it says goes to a file. It ends with this process, however
 * this one ends.
 */
final class ChildProcess {
  private static final String PROGRAM = NodeMain.class.getName();

  private static final long LOOK_MILLIS = 100;
  private static final Duration KILL = Duration.ofSeconds(10);

  private final String name;
  private final Path output;
  private final Process process;

  private ChildProcess(String name, Path output, Process process) {
    this.name = name;
    this.output = output;
    this.process = process;
  }

  /** As this process has been started. */
  static List<String> ownOptions() {
    var options = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return options;
  }

  static ChildProcess start(String name, Path directory, String... arguments) {
    return start(name, directory, ownOptions(), arguments);
  }

  /**
   * @param options of the JVM, its class path among them
   */
  static ChildProcess start(
      String name, Path directory, List<String> options, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-Xmx512m");
    command.addAll(ParentProcess.flags());
    command.add(PROGRAM);
    command.addAll(List.of(arguments));
    return run(name, directory, command);
  }

  /** Another program. */
  static ChildProcess run(String name, Path directory, List<String> command) {
    var output = directory.resolve(name + ".out");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      return new ChildProcess(name, output, process);
    } catch (IOException e) {
      throw new StartFailure(name + " cannot be started: " + e.getMessage(), e);
    }
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  Path output() {
    return output;
  }

  /** Whether it has ended since the other JVMs of its node have left it out. */
  boolean wasLeftOut() {
    return !process.isAlive() && process.exitValue() == LeftOut.EXIT_CODE;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits until it has said so, it has ended or the time is over.
   *
   * @return the exit code if it has ended without having said so
   */
  OptionalInt awaitSaying(String text, Duration most) {
    try {
      long until = System.nanoTime() + most.toNanos();
      while (!hasSaid(text) && System.nanoTime() < until) {
        if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          return hasSaid(text) ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
        }
      }
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailure("Interrupted while " + name + " started.", e);
    }
  }

  /** Whether it has said so by now. */
  boolean hasSaid(String text) {
    return said().contains(text);
  }

  /** All it has said since it was started. */
  String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new StartFailure("The output " + output + " cannot be read.", e);
    }
  }

  /** SIGKILL, and its end is awaited. */
  void kill() {
    process.destroyForcibly();
    awaitEnd(KILL);
  }

  /** Asks it to stop. */
  void stop() {
    process.destroy();
  }

  /** Waits for its end, and then ends it. */
  void awaitEnd(Duration most) {
    try {
      if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
