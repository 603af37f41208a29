package dev.sequitur.node.hapi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs in {@code src/test/hedera}, each in a process of its own with its SDK's libraries.
 *
 * @param directory for what they say
 */
record HederaPrograms(Path directory) {
  private static final Path PROGRAMS = Path.of("src", "test", "hedera").toAbsolutePath();
  private static final Path INSTALLED = Path.of("target", "hedera").toAbsolutePath();

  /**
   * @param said without what it complained of
   */
  record Run(boolean succeeded, String said, String output) {}

  /**
   * A program of JavaScript; the test is left out where Node.js or the SDK cannot be had.
   *
   * @param arguments the program and what it is given
   */
  Run javaScript(String sdk, String... arguments) throws IOException, InterruptedException {
    var home = copied("javascript");
    if (!Files.exists(home.resolve("node_modules").resolve(sdk))) {
      var install = run(home, List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
      assumeTrue(install.succeeded(), () -> "npm cannot install the SDKs: " + install.output());
    }
    return run(home, Stream.concat(Stream.of("node"), Stream.of(arguments)).toList());
  }

  /** Where those of Java are, with the SDK's libraries. */
  Path java() throws IOException, InterruptedException {
    var home = copied("java");
    if (!Files.exists(home.resolve("lib"))) {
      var install =
          run(
              home,
              List.of("mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib"));
      assumeTrue(install.succeeded(), () -> "Maven cannot fetch the SDK: " + install.output());
    }
    return home;
  }

  private static Path copied(String program) throws IOException {
    var home = Files.createDirectories(INSTALLED.resolve(program));
    try (var files = Files.list(PROGRAMS.resolve(program))) {
      for (var file : files.toList()) {
        Files.copy(file, home.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return home;
  }

  Run run(Path home, List<String> command) throws InterruptedException, IOException {
    var said = directory.resolve("said.txt");
    var complained = directory.resolve("complained.txt");
    try {
      var process =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectOutput(said.toFile())
              .redirectError(complained.toFile())
              .start();
      boolean ended = process.waitFor(3, TimeUnit.MINUTES);
      process.destroyForcibly();
      var text = Files.readString(said);
      return new Run(ended && process.exitValue() == 0, text, text + Files.readString(complained));
    } catch (IOException e) {
      return new Run(false, "", command.get(0) + " cannot be started: " + e.getMessage());
    }
  }
}
