package dev.sequitur.node.hapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The programs in {@code src/test/hedera}, in processes of their own with their SDK's libraries:
 * those of one SDK one after the other in one process, since it takes seconds to load.
 *
 * @param directory for what they say
 */
record HederaPrograms(Path directory) {
  private static final Path PROGRAMS = Path.of("src", "test", "hedera").toAbsolutePath();
  private static final Path INSTALLED = Path.of("target", "hedera").toAbsolutePath();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String TOGETHER = "Together";

  /** What programs say before each of them, and its name. */
  private static final Pattern NAME = Pattern.compile("(?m)^== (.*)\n");

  /**
   * @param said without what it complained of
   */
  record Run(boolean succeeded, String said, String output) {}

  /**
   * One of several.
   *
   * @param name of its file, or of its class
   */
  record Program(String name, List<String> arguments) {
    static Program of(String name, String... arguments) {
      return new Program(name, List.of(arguments));
    }
  }

  /**
   * Programs of JavaScript; the test is left out where Node.js or the SDK cannot be had.
   *
   * @param examples that stand elsewhere, and are copied beside the others so that they find the
   *     SDK
   * @return by their names
   */
  Map<String, Run> javaScript(String sdk, List<Path> examples, List<Program> programs)
      throws IOException, InterruptedException {
    // What phones and browsers would need is "peer".
    var home =
        installed(
            "javascript",
            Path.of("node_modules").resolve(sdk),
            List.of(
                "npm",
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--omit=peer",
                "--prefer-offline"));
    for (var example : examples) {
      Files.copy(example, home.resolve(example.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    return run(home, List.of("node", "together.mjs"), programs);
  }

  /**
   * Those of Java.
   *
   * @return by their names
   */
  Map<String, Run> java(List<Program> programs) throws IOException, InterruptedException {
    return java(List.of(), programs);
  }

  /**
   * One of Java that uses what is tested, too; where both have a class it is the SDK's.
   *
   * @param arguments what it is given
   */
  Run javaBesideOurs(String program, String... arguments) throws IOException, InterruptedException {
    var ours = List.of(System.getProperty("java.class.path"));
    return java(ours, List.of(new Program(program, List.of(arguments)))).get(program);
  }

  private Map<String, Run> java(List<String> behind, List<Program> programs)
      throws IOException, InterruptedException {
    var home =
        installed(
            "java",
            Path.of("lib"),
            List.of("mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib"));
    var all = new ArrayList<String>();
    all.add(home.resolve("classes").toString());
    try (var jars = Files.list(home.resolve("lib"))) {
      jars.map(Path::toString).sorted().forEach(all::add);
    }
    all.addAll(behind);
    var path = String.join(File.pathSeparator, all);
    compile(home, path, programs);
    var start = List.of(JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path);
    return run(home, Stream.concat(start.stream(), Stream.of(TOGETHER)).toList(), programs);
  }

  /** All at once, and in this JVM. */
  private static void compile(Path home, String path, List<Program> programs) {
    var command = new ArrayList<String>();
    command.addAll(List.of("-proc:none", "-nowarn", "-encoding", "UTF-8", "-cp", path));
    command.addAll(List.of("-d", home.resolve("classes").toString()));
    Stream.concat(Stream.of(TOGETHER), programs.stream().map(Program::name))
        .map(name -> home.resolve(name + ".java").toString())
        .forEach(command::add);
    var said = new ByteArrayOutputStream();
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, said, said, command.toArray(String[]::new));
    assertThat(failed).as(said.toString(StandardCharsets.UTF_8)).isZero();
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
    var needs = new StringBuilder();
    try (var files = Files.list(PROGRAMS.resolve(program))) {
      for (var file : files.sorted().toList()) {
        var name = file.getFileName().toString();
        if (name.endsWith(".json") || name.endsWith(".xml")) {
          needs.append(Files.readString(file));
        }
      }
    }
    // What another version needs is not taken for what this one does.
    var version = Integer.toHexString(needs.toString().hashCode());
    var home = Files.createDirectories(INSTALLED.resolve(program + "-" + version));
    try (var files = Files.list(PROGRAMS.resolve(program))) {
      for (var file : files.toList()) {
        Files.copy(file, home.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return home;
  }

  private Map<String, Run> run(Path home, List<String> start, List<Program> programs)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(start);
    for (int i = 0; i < programs.size(); i++) {
      if (i > 0) {
        command.add("--");
      }
      command.add(programs.get(i).name());
      command.addAll(programs.get(i).arguments());
    }
    var all = run(home, command);
    var said = NAME.split(all.said());
    var found = new TreeMap<String, Run>();
    for (int i = 0; i < programs.size(); i++) {
      var text = i + 1 < said.length ? said[i + 1] : "";
      found.put(programs.get(i).name(), new Run(all.succeeded(), text, all.output()));
    }
    return found;
  }

  private Run run(Path home, List<String> command) throws InterruptedException, IOException {
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
