package dev.sequitur.ethereum;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * Node.js with what {@code contracts/package.json} names: the compiler, and a chain. Tests that
 * need it are skipped with the reason where it is missing.
 */
final class Node {
  static final Path CONTRACTS = contracts();

  private static final Path HOME = CONTRACTS.resolveSibling("target").resolve("node");
  private static final long INSTALL_MINUTES = 3;
  private static final int MOST_LINES = 5;
  private static final List<String> NAMES = List.of("package.json", "package-lock.json");

  private Node() {}

  /** Tests of other modules, too, run in the folder of their module. */
  private static Path contracts() {
    var here = Path.of("contracts").toAbsolutePath();
    return Files.exists(here)
        ? here
        : Path.of("..", "ethereum", "contracts").toAbsolutePath().normalize();
  }

  /**
   * Where the packages are; they are installed on first use, by one of the JVMs that share out the
   * tests.
   */
  static synchronized Path modules() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    var lock = HOME.resolve("lock");
    try (var channel = FileChannel.open(lock, CREATE, WRITE);
        var held = channel.lock()) {
      install(held);
    }
    return HOME.resolve("node_modules");
  }

  private static void install(FileLock held) throws IOException, InterruptedException {
    if (held.isValid() && !isUpToDate()) {
      Files.deleteIfExists(HOME.resolve("installed"));
      for (var name : NAMES) {
        Files.write(HOME.resolve(name), Files.readAllBytes(CONTRACTS.resolve(name)));
      }
      var failure = run(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), HOME);
      Assumptions.assumeTrue(
          failure.isEmpty(),
          () -> "npm cannot install what contracts/package.json names: " + failure);
      Files.writeString(HOME.resolve("installed"), "");
    }
  }

  private static boolean isUpToDate() throws IOException {
    for (var name : NAMES) {
      var installed = HOME.resolve(name);
      if (!Files.exists(installed) || Files.mismatch(installed, CONTRACTS.resolve(name)) >= 0) {
        return false;
      }
    }
    return Files.exists(HOME.resolve("installed"));
  }

  /**
   * @return what it complained of; empty if it succeeded
   */
  static String run(List<String> command, Path directory) throws IOException, InterruptedException {
    var log = Files.createTempFile("sequitur-node", ".log");
    try {
      var process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return command + " did not end within " + INSTALL_MINUTES + " minutes.";
      }
      return process.exitValue() == 0
          ? ""
          : Files.readString(log).lines().limit(MOST_LINES).collect(Collectors.joining(" "));
    } catch (IOException e) {
      return command.get(0) + " cannot be started: " + e.getMessage();
    } finally {
      Files.delete(log);
    }
  }
}
