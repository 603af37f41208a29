package dev.sequitur.laboratory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ./sequitur starts behaves as what is installed. */
class LauncherTest {
  private static final Path TOP = Path.of("..").toAbsolutePath().normalize();

  /**
   * In place of Java: says with which options it was called, and leaves the cache it was to make.
   */
  private static final String SAYS_ITS_OPTIONS =
      """
      #!/bin/sh
      for word in "$@"; do
        echo "$word"
        case "$word" in -XX:AOTCacheOutput=*) : > "${word#*=}" ;; esac
      done
      """;

  /** The two launchers, each in a folder that has no more than it needs to come to its JVM. */
  enum Launcher {
    BUILT {
      @Override
      Path in(Path home) throws IOException {
        for (var file : List.of("pom.xml", "laboratory/pom.xml", ".mvn/jvm.config")) {
          write(home.resolve(file), "");
        }
        Files.createDirectories(home.resolve("laboratory/target/quick/lib"));
        write(home.resolve("java"), SAYS_ITS_OPTIONS);
        write(
            home.resolve("scripts/find-java"),
            "#!/bin/sh\necho '%s'\necho 25\n".formatted(home.resolve("java")));
        copy("scripts/jvm-flags.sh", home.resolve("scripts/jvm-flags.sh"));
        copy("sequitur", home.resolve("sequitur"));
        write(home.resolve("laboratory/target/quick/built"), "");
        return home.resolve("sequitur");
      }

      @Override
      Path caches(Path home) {
        return home.resolve("laboratory/target/quick");
      }
    },
    INSTALLED {
      @Override
      Path in(Path home) throws IOException {
        write(home.resolve("runtime/bin/java"), SAYS_ITS_OPTIONS);
        copy("distribution/src/bin/sequitur", home.resolve("bin/sequitur"));
        return home.resolve("bin/sequitur");
      }

      @Override
      Path caches(Path home) {
        return home.resolve("cache");
      }
    };

    abstract Path in(Path home) throws IOException;

    abstract Path caches(Path home);
  }

  private record Ended(int code, List<String> lines) {}

  @TempDir Path home;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:G1PeriodicGCInterval=120000",
        "-XX:-CreateCoredumpOnCrash"
      })
  void aProcessEndsWhenItsMemoryIsUsedUpGivesBackWhatItNoLongerUsesAndLeavesNoPictureOfIt(
      String flag) throws IOException {
    assertThat(Files.readString(TOP.resolve("scripts/jvm-flags.sh"))).contains(flag);
    assertThat(Files.readString(TOP.resolve("distribution/pom.xml"))).contains(flag);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeForSchedulesHasTheCollectorThatHardlyPauses(Launcher launcher) throws Exception {
    var started = run(launcher.in(home), "schedules", "start", "--config", "node.conf");

    assertThat(started.lines()).contains("-XX:+UseZGC", "start");
  }

  @ParameterizedTest
  @EnumSource
  void aCommandThatEndsAtOnceKeepsItsSmallJvmWhateverTheNodeIsFor(Launcher launcher)
      throws Exception {
    var started = run(launcher.in(home), "schedules", "status");

    assertThat(started.lines()).contains("-XX:+UseSerialGC").doesNotContain("-XX:+UseZGC");
  }

  @ParameterizedTest
  @EnumSource
  void aNodeForNothingInParticularHasTheUsualCollector(Launcher launcher) throws Exception {
    var started = run(launcher.in(home), "", "start");

    assertThat(started.code()).isZero();
    assertThat(started.lines())
        .contains("start")
        .noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"));
  }

  @ParameterizedTest
  @CsvSource({
    "BUILT, '', process.aot",
    "BUILT, schedules, process-schedules.aot",
    "INSTALLED, '', process.aot",
    "INSTALLED, schedules, process-schedules.aot"
  })
  void eachCollectorHasACacheOfItsOwn(Launcher launcher, String purpose, String cache)
      throws Exception {
    var sequitur = launcher.in(home);
    for (var each : List.of("process.aot", "process-schedules.aot")) {
      write(launcher.caches(home).resolve(each), "");
    }

    assertThat(run(sequitur, purpose, "start").lines())
        .contains("-XX:AOTCache=" + launcher.caches(home).resolve(cache));
  }

  @ParameterizedTest
  @CsvSource({"'', process.aot", "schedules, process-schedules.aot"})
  void whatIsInstalledLearnsForWhatItsNodeIsFor(String purpose, String cache) throws Exception {
    assertThat(run(Launcher.INSTALLED.in(home), purpose, "learn").code()).isZero();

    try (var made = Files.list(Launcher.INSTALLED.caches(home))) {
      assertThat(made.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(cache, "brief.aot");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherPurposeIsRefusedAsAMistakeInTheConfiguration(Launcher launcher) throws Exception {
    var started = run(launcher.in(home), "schedule", "start");

    assertThat(started.code()).isEqualTo(2);
    assertThat(started.lines())
        .containsExactly(
            "sequitur: SEQUITUR_JVM_FOR is schedule: it may be schedules, or not be set.");
  }

  private static Ended run(Path sequitur, String purpose, String... words) throws Exception {
    var command = new ArrayList<>(List.of(sequitur.toString()));
    command.addAll(List.of(words));
    var process = new ProcessBuilder(command).redirectErrorStream(true);
    process.environment().keySet().removeIf(name -> name.startsWith("SEQUITUR_"));
    process.environment().put("SEQUITUR_JVM_FOR", purpose);
    var running = process.start();
    running.getOutputStream().close();
    var lines = new String(running.getInputStream().readAllBytes(), UTF_8).lines().toList();
    return new Ended(running.waitFor(), lines);
  }

  private static void copy(String from, Path to) throws IOException {
    write(to, Files.readString(TOP.resolve(from)));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
