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
 * Node.js with what {@code contracts/package.json} names, the compiler and a chain, and with a
 * second chain. Tests that need it are skipped with the reason where it is missing.
 */
final class Node {
  static final Path CONTRACTS = contracts();

  private static final long INSTALL_MINUTES = 3;
  private static final int MOST_LINES = 5;

  /** The folders beside the one of the contracts' module in which is installed. */
  private static final Path TARGET = CONTRACTS.resolveSibling("target");

  private Node() {}

  /** Tests of other modules, too, run in the folder of their module. */
  private static Path contracts() {
    var here = Path.of("contracts").toAbsolutePath();
    return Files.exists(here)
        ? here
        : Path.of("..", "ethereum", "contracts").toAbsolutePath().normalize();
  }

  /** Where the packages are that {@code contracts/package.json} names. */
  static Path modules() throws IOException, InterruptedException {
    return installed(CONTRACTS, TARGET.resolve("node")).resolve("node_modules");
  }

  /** The folder of the chain that {@code contracts/hardhat} describes, with all that it needs. */
  static Path hardhat() throws IOException, InterruptedException {
    return installed(CONTRACTS.resolve("hardhat"), TARGET.resolve("hardhat"));
  }

  /**
   * A copy of a folder's files, with the packages that it names; they are installed on first use,
   * by one of the JVMs that share out the tests.
   */
  private static synchronized Path installed(Path folder, Path home)
      throws IOException, InterruptedException {
    Files.createDirectories(home);
    try (var channel = FileChannel.open(home.resolve("lock"), CREATE, WRITE);
        var held = channel.lock()) {
      install(held, folder, home);
    }
    return home;
  }

  private static void install(FileLock held, Path folder, Path home)
      throws IOException, InterruptedException {
    var names = names(folder);
    if (held.isValid() && !isUpToDate(folder, home, names)) {
      Files.deleteIfExists(home.resolve("installed"));
      for (var name : names) {
        Files.write(home.resolve(name), Files.readAllBytes(folder.resolve(name)));
      }
      var failure = run(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), home);
      Assumptions.assumeTrue(
          failure.isEmpty(),
          () -> "npm cannot install what " + folder + "/package.json names: " + failure);
      Files.writeString(home.resolve("installed"), "");
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("package") || name.endsWith(".config.js"))
          .toList();
    }
  }

  private static boolean isUpToDate(Path folder, Path home, List<String> names) throws IOException {
    for (var name : names) {
      var installed = home.resolve(name);
      if (!Files.exists(installed) || Files.mismatch(installed, folder.resolve(name)) >= 0) {
        return false;
      }
    }
    return Files.exists(home.resolve("installed"));
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
