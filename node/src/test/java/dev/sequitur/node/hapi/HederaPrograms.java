package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
    return run(javaScript(sdk), Stream.concat(Stream.of("node"), Stream.of(arguments)).toList());
  }

  /**
   * One of the examples, beside those of JavaScript so that it finds the SDK.
   *
   * @param arguments what it is given
   */
  Run example(Path program, String sdk, String... arguments)
      throws IOException, InterruptedException {
    var home = javaScript(sdk);
    var name = program.getFileName();
    Files.copy(program, home.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    return run(
        home, Stream.concat(Stream.of("node", name.toString()), Stream.of(arguments)).toList());
  }

  private Path javaScript(String sdk) throws IOException, InterruptedException {
    return installed(
        "javascript",
        Path.of("node_modules").resolve(sdk),
        List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
  }

  /** Where those of Java are, with the SDK's libraries. */
  Path java() throws IOException, InterruptedException {
    return installed(
        "java",
        Path.of("lib"),
        List.of("mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib"));
  }

  /**
   * One class of these at a time: clients give up by the clock, and each keeps a processor busy.
   *
   * @return to be closed when the class is done
   */
  static FileChannel takeTurn() throws IOException {
    Files.createDirectories(INSTALLED);
    var turn =
        FileChannel.open(
            INSTALLED.resolve("turn.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    assertThat(turn.lock().isValid()).isTrue();
    return turn;
  }

  /**
   * Two classes in two JVMs may want one at once: the second waits until it is whole.
   *
   * @param needed is there once the command has been run
   */
  private Path installed(String program, Path needed, List<String> command)
      throws IOException, InterruptedException {
    Files.createDirectories(INSTALLED);
    var lock = INSTALLED.resolve(program + ".lock");
    try (var channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var held = channel.lock()) {
      assertThat(held.isValid()).isTrue();
      var home = copied(program);
      if (!Files.exists(home.resolve(needed))) {
        var install = run(home, command);
        assumeTrue(install.succeeded(), () -> "The SDKs cannot be had: " + install.output());
      }
      return home;
    }
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
