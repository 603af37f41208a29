package dev.sequitur.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.console.RecordedConsole;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.guard.TokenFile;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.rpc.Diagnosable;
import dev.sequitur.node.rpc.RunningRpc;
import dev.sequitur.protocol.guard.ApiToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExitCode;

class DiagnoseCommandTest {
  private static final String NOBODY = "http://127.0.0.1:1";
  private static final String CONFIGURATION =
      """
      node { name = node1, data-directory = data }
      rpc { port = 0, authentication = required }
      akka.remote.shared-secret = secret-hunter2
      postgresql { url = "jdbc:postgresql://db.example/sequitur?password=url-hunter2", password = password-hunter2 }
      """;

  @TempDir Path directory;
  private RecordedConsole console = new RecordedConsole();

  private int diagnose(String node, String... more) {
    var words = new ArrayList<>(List.of("diagnose", "--out", archive().toString()));
    words.addAll(List.of("--node", node));
    words.addAll(List.of(more));
    console = new RecordedConsole();
    return ClientCommands.commandLine(console.console(), new StopSignal())
        .execute(words.toArray(String[]::new));
  }

  private Path archive() {
    return directory.resolve("node1.zip");
  }

  private Map<String, String> packed() throws IOException {
    var parts = new TreeMap<String, String>();
    try (var zip = new ZipInputStream(Files.newInputStream(archive()))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        parts.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return parts;
  }

  @Test
  void allThatHelpsIsInOneFile() throws IOException {
    var log = Files.writeString(directory.resolve("sequitur.log"), "one line\n");
    try (var rpc = RunningRpc.of(new Diagnosable("node { name = node1 }", Optional.of(log)))) {
      assertThat(diagnose(rpc.uri("/").toString())).as(console.err()).isZero();
    }

    assertThat(console.out()).contains("node1.zip has health.json, metrics.txt");
    var parts = packed();
    assertThat(parts)
        .containsOnlyKeys(
            "contents.txt",
            "health.json",
            "metrics.txt",
            "configuration.conf",
            "threads.txt",
            "log.txt",
            "versions.txt")
        .containsEntry("configuration.conf", "node { name = node1 }")
        .containsEntry("log.txt", "one line\n");
    assertThat(parts.get("health.json")).contains("\"peers\"").contains("node2");
    assertThat(parts.get("metrics.txt")).contains("sequitur_build_info");
    assertThat(parts.get("versions.txt")).contains("Sequitur ").contains("Java     ");
    assertThat(parts.get("contents.txt")).doesNotContain("Missing");
  }

  @Test
  void aNodeThatIsDownIsToldOfByWhatIsOnThisMachine() throws IOException {
    var file = Files.writeString(directory.resolve("node1.conf"), CONFIGURATION);
    Files.createDirectories(directory.resolve("data/log"));
    Files.writeString(directory.resolve("data/log/sequitur.log"), "its last words\n");

    assertThat(diagnose(NOBODY, "--config", file.toString())).isEqualTo(ExitCode.SOFTWARE);

    var parts = packed();
    assertThat(parts).containsOnlyKeys("contents.txt", "configuration.conf", "log.txt");
    assertThat(parts.get("log.txt")).isEqualTo("its last words\n");
    assertThat(parts.get("configuration.conf")).contains("name=node1").doesNotContain("hunter2");
    assertThat(parts.get("contents.txt"))
        .contains("Missing:\nhealth.json: No node answers at " + NOBODY)
        .contains("threads.txt: No node answers");
    assertThat(console.out()).contains("missing  metrics.txt: No node answers");
  }

  @Test
  void whatIsMissingIsToldAlsoIfNothingIsThere() throws IOException {
    var wrong = Files.writeString(directory.resolve("wrong.conf"), "password = { \"hunter2");

    assertThat(diagnose(NOBODY, "--config", wrong.toString())).isEqualTo(ExitCode.SOFTWARE);

    assertThat(packed()).containsOnlyKeys("contents.txt");
    assertThat(packed().get("contents.txt"))
        .contains("configuration.conf: ")
        .contains("sequitur config check")
        .contains("log.txt: ")
        .doesNotContain("hunter2");
  }

  @Test
  void aFileThatIsThereIsNotWrittenOver() throws IOException {
    Files.writeString(archive(), "mine");

    assertThat(diagnose(NOBODY)).isEqualTo(ExitCode.USAGE);

    assertThat(console.err()).contains("is there already");
    assertThat(Files.readString(archive())).isEqualTo("mine");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void onlyItsUserMayReadIt() throws IOException {
    diagnose(NOBODY);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive())))
        .isEqualTo("rw-------");
  }

  /** Of a whole node, which has some of each. */
  @Test
  void noPasswordTokenOrKeyIsInIt() throws IOException {
    var file = Files.writeString(directory.resolve("node1.conf"), CONFIGURATION);
    var owner = token("owner");
    var reader = token("reader");
    try (var node = new ProcessStarter().startNode(NodeConfiguration.read(file))) {
      assertThat(diagnose(node.url(), "--token-file", reader)).isEqualTo(ExitCode.SOFTWARE);
      assertThat(packed()).containsOnlyKeys("contents.txt", "health.json", "metrics.txt");
      assertThat(packed().get("contents.txt"))
          .contains("threads.txt: SQ010013: ")
          .contains("operate");
      Files.delete(archive());

      diagnose(node.url(), "--token-file", owner, "--config", file.toString());
    }

    var all = String.join("\n", packed().values());
    assertThat(packed())
        .containsKeys("health.json", "metrics.txt", "configuration.conf", "threads.txt");
    assertThat(packed().get("configuration.conf"))
        .contains("name=node1")
        .contains("jdbc:postgresql://db.example/…");
    var seed = Files.readAllBytes(directory.resolve("data/keys.seed"));
    assertThat(all)
        .doesNotContain("hunter2")
        .doesNotContain(Files.readString(Path.of(owner)))
        .doesNotContain(Files.readString(Path.of(reader)))
        .doesNotContain(new String(seed, StandardCharsets.UTF_8).strip())
        .doesNotContain(HexFormat.of().formatHex(seed))
        .doesNotContain(Base64.getEncoder().encodeToString(seed));
  }

  private String token(String role) throws IOException {
    var chance = new byte[40];
    Arrays.fill(chance, (byte) role.length());
    var made =
        ApiToken.make(
            new ApiToken.Grant(role, List.of(role), Instant.now(), Optional.empty()), chance);
    var tokens = Files.createDirectories(directory.resolve("data")).resolve("tokens.json");
    new TokenFile(tokens).update(all -> all.with(made.token(), Instant.now()));
    return Files.writeString(directory.resolve(role + ".token"), made.secret()).toString();
  }
}
