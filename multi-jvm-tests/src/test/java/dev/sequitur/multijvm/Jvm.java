package dev.sequitur.multijvm;

import dev.sequitur.node.process.JsonRpcCaller;
import dev.sequitur.node.process.SequiturProcess;
import java.nio.file.Path;

/** One JVM of a node: the process that runs now, or the last one that did. */
final class Jvm implements AutoCloseable {
  private static final String UP = "JSON-RPC +(http://\\S+)";

  private final String name;
  private final Path directory;
  private final String configuration;
  private final JsonRpcCaller caller;
  private SequiturProcess process;

  Jvm(String name, Path directory, String configuration, JsonRpcCaller caller) {
    this.name = name;
    this.directory = directory;
    this.configuration = configuration;
    this.caller = caller;
  }

  String name() {
    return name;
  }

  JsonRpcCaller caller() {
    return caller;
  }

  Faults faults() {
    return new Faults(caller);
  }

  /** Starts it, on what it has on disk, and does not wait. */
  void begin() {
    process = SequiturProcess.start(directory, "start", "--config", configuration);
  }

  void awaitUp() {
    process.awaitLine(UP);
  }

  /** Starts it anew and waits until it serves. */
  void startAgain() {
    begin();
    awaitUp();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL. */
  void kill() {
    process.kill();
  }

  /** SIGTERM; returns when it has handed over and ended. */
  void stop() {
    process.stop();
  }

  /** SIGSTOP. */
  void freeze() {
    process.freeze();
  }

  /** SIGCONT. */
  void thaw() {
    process.thaw();
  }

  /** Waits until it has ended by itself. */
  int awaitExit() {
    return process.awaitExit();
  }

  /** All that the process has said. */
  String output() {
    return process.output();
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
