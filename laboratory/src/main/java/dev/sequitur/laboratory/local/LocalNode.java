package dev.sequitur.laboratory.local;

import dev.sequitur.node.process.StartFailure;
import dev.sequitur.protocol.id.NodeName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One node in a process of its own, with its ledger inside, that can be killed and started again on
 * what it has on disk. Blocks the caller; confined to one thread.
 */
public final class LocalNode implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration STOP = Duration.ofSeconds(25);
  private static final Pattern URL = Pattern.compile("JSON-RPC +(http://\\S+)");

  /** The line after the one that has the URL: when it is there, that line is whole. */
  private static final String UP = "health, metrics";

  private final NodeName name;
  private final Path directory;
  private final Path configuration;
  private ChildProcess process;

  private LocalNode(NodeName name, Path directory, Path configuration) {
    this.name = name;
    this.directory = directory;
    this.configuration = configuration;
  }

  /**
   * Starts one, and returns when it serves.
   *
   * @param directory where its configuration, its data and what it says are
   * @param settings by their path in its configuration
   * @throws StartFailure with a sentence for the person; nothing is left running
   */
  public static LocalNode start(NodeName name, Path directory, Map<String, String> settings) {
    var values = new HashMap<String, Object>(settings);
    values.put("node.name", name.value());
    values.put("node.data-directory", name.value());
    values.put("rpc.port", 0);
    try {
      Files.createDirectories(directory);
      var file = directory.resolve(name + ".conf");
      PrivateFile.configuration(file, values);
      var node = new LocalNode(name, directory, file);
      node.startAgain();
      return node;
    } catch (IOException e) {
      throw new StartFailure(
          "The directory %s cannot be written: %s".formatted(directory, e.getMessage()), e);
    }
  }

  /**
   * Starts it on what it has on disk, and returns when it serves.
   *
   * @throws StartFailure with a sentence for the person; then it does not run
   */
  public void startAgain() {
    process =
        ChildProcess.start(name.value(), directory, "start", "--config", configuration.toString());
    try {
      new Starting(UP, START, "").await(process);
    } catch (StartFailure e) {
      process.kill();
      throw e;
    }
  }

  /** Where it answers JSON-RPC; another port after each start. */
  public URI url() {
    var said = process.said();
    var url = URL.matcher(said);
    if (!url.find()) {
      throw new StartFailure(name + " did not say where it answers: " + said.strip());
    }
    return URI.create(url.group(1));
  }

  /** The process that runs it now, or ran it last. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL, as by a machine that loses its power; returns when the process is gone. */
  public void kill() {
    process.kill();
  }

  /** Stops it in order. */
  @Override
  public void close() {
    process.stop();
    process.awaitEnd(STOP);
  }
}
