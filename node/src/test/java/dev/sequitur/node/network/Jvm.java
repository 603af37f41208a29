package dev.sequitur.node.network;

import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One JVM of a node: the process that runs now, or the last one that did. */
public final class Jvm implements AutoCloseable {
  private static final String UP = "JSON-RPC +(http://\\S+)";

  private final String name;
  private final Path directory;
  private final String configuration;
  private final JsonRpcCaller caller;
  private SequiturProcess process;

  public Jvm(String name, Path directory, String configuration, JsonRpcCaller caller) {
    this.name = name;
    this.directory = directory;
    this.configuration = configuration;
    this.caller = caller;
  }

  public String name() {
    return name;
  }

  public JsonRpcCaller caller() {
    return caller;
  }

  public Faults faults() {
    return new Faults(caller);
  }

  /** A line of its file that holds from its next start on, in place of any before. */
  public void configure(String line) {
    try {
      Files.writeString(Path.of(configuration), "\n" + line + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it, on what it has on disk, and does not wait. */
  public void begin() {
    process = SequiturProcess.start(directory, "start", "--config", configuration);
  }

  /** As {@link #begin}, and its end takes longer: see {@link SequiturProcess#startLearning}. */
  public void beginLearning() {
    process = SequiturProcess.startLearning(directory, "start", "--config", configuration);
  }

  public void awaitUp() {
    process.awaitLine(UP);
  }

  /** Starts it anew and waits until it serves. */
  public void startAgain() {
    begin();
    awaitUp();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL. */
  public void kill() {
    process.kill();
  }

  /** SIGTERM; returns when it has handed over and ended. */
  public void stop() {
    process.stop();
  }

  /** SIGSTOP. */
  public void freeze() {
    process.freeze();
  }

  /** SIGCONT. */
  public void thaw() {
    process.thaw();
  }

  /** Waits until it has ended by itself. */
  public int awaitExit() {
    return process.awaitExit();
  }

  /** All that the process has said. */
  public String output() {
    return process.output();
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
