package dev.sequitur.ethereum;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A chain of one node on this machine, to try things on: anvil in a process of its own. */
public final class LocalChain implements AutoCloseable {
  /** The package of npm, and the release that is tried. */
  public static final String PACKAGE = "@foundry-rs/anvil@1.7.1";

  private static final String LISTENING = "Listening on ";

  /** What it is told wrongly it says first, and then where there is help. */
  private static final int LAST_LINES = 5;

  private final Process process;
  private final URI rpc;

  /**
   * @param port where it listens; 0 for one that is free
   * @param blockSeconds between two blocks; empty if they are made only when somebody asks
   * @param blockGas that a block may use
   * @param baseFee of the first block for each unit of gas; 0 charges nothing, ever
   * @param state file in which it keeps its chain when it is asked to end; empty to keep nothing
   * @param more options of anvil
   */
  public record Options(
      long chainId,
      int port,
      Optional<Integer> blockSeconds,
      long blockGas,
      long baseFee,
      Optional<Path> state,
      List<String> more) {
    /** On a free port, without a price for gas and without a state that is kept. */
    public static Options of(
        long chainId, Optional<Integer> blockSeconds, long blockGas, List<String> more) {
      return new Options(chainId, 0, blockSeconds, blockGas, 0, Optional.empty(), more);
    }
  }

  private LocalChain(Process process, URI rpc) {
    this.process = process;
    this.rpc = rpc;
  }

  /**
   * The program, if it is installed: on the path, or where npx has it, which is a project's folder
   * or what npx has run before. Nothing is installed.
   */
  public static Optional<Path> installed() {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return onPath(path, "anvil").or(() -> onPath(path, "npx").flatMap(LocalChain::foundBy));
  }

  private static Optional<Path> onPath(String path, String program) {
    return Stream.of(path.split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Without an input npx asks nobody whether it may install something, and gives up. */
  private static Optional<Path> foundBy(Path npx) {
    var command =
        List.of(npx.toString(), "--no-install", "--package=" + PACKAGE, "-c", "command -v anvil");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var out = process.inputReader()) {
        return Optional.ofNullable(out.readLine()).map(Path::of).filter(Files::isExecutable);
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns when it listens.
   *
   * @throws IOException if it does not
   */
  public static LocalChain start(Path program, Options options) throws IOException {
    var command = new ArrayList<String>();
    command.add(program.toString());
    command.addAll(List.of("--port", Integer.toString(options.port())));
    command.addAll(List.of("--chain-id", Long.toString(options.chainId())));
    command.addAll(List.of("--gas-limit", Long.toString(options.blockGas())));
    command.addAll(List.of("--base-fee", Long.toString(options.baseFee())));
    if (options.baseFee() == 0) {
      command.addAll(List.of("--gas-price", "0"));
    }
    command.addAll(
        options
            .blockSeconds()
            .map(seconds -> List.of("--block-time", Integer.toString(seconds)))
            .orElse(List.of("--no-mining")));
    options.state().ifPresent(file -> command.addAll(List.of("--state", file.toString())));
    command.addAll(options.more());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new LocalChain(process, listening(process));
  }

  private static URI listening(Process process) throws IOException {
    var out = process.inputReader();
    var last = new ArrayDeque<String>();
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(LISTENING)) {
        // Nobody reads on: it says a line for each call, so the pipe is kept empty by a thread.
        Thread.ofPlatform().daemon().start(() -> readAll(out));
        return URI.create("http://" + line.substring(LISTENING.length()));
      }
      if (!line.isBlank()) {
        last.add(line.strip());
      }
      if (last.size() > LAST_LINES) {
        last.remove();
      }
    }
    throw new IOException(
        "anvil ended before it listened; it said last: " + String.join(" ", last));
  }

  private static void readAll(BufferedReader out) {
    try (out) {
      while (out.readLine() != null) {}
    } catch (IOException ended) {
      // Its pipe was closed as it ended.
    }
  }

  /** Where it is asked. */
  public URI rpc() {
    return rpc;
  }

  /** Its process. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /**
   * As a machine that stops: nothing is kept. What npm installs is a script that starts the chain.
   */
  @Override
  public void close() {
    var started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }
}
