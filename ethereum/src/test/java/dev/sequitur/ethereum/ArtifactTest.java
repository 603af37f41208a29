package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiled contracts are those of the source. */
class ArtifactTest {
  private static final Path ARTIFACTS = Path.of("src/main/resources/dev/sequitur/ethereum");

  @TempDir private Path directory;

  /** With {@code -Dbuild.contracts.write=true} they are compiled anew and replaced. */
  @Test
  void theArtifactsComeFromTheSource() throws IOException, InterruptedException {
    var target = Boolean.getBoolean("build.contracts.write") ? ARTIFACTS : directory;
    var compile =
        List.of(
            "node",
            Node.CONTRACTS.resolve("compile.js").toString(),
            Node.modules().toString(),
            target.toAbsolutePath().toString());
    assertThat(Node.run(compile, Node.CONTRACTS)).isEmpty();

    try (var compiled = Files.list(target)) {
      var names = compiled.map(file -> file.getFileName().toString()).sorted().toList();
      assertThat(names).containsExactly("PrivacyGroup.json", "PrivacyGroupFactory.json");
    }
    for (var name : List.of("PrivacyGroup.json", "PrivacyGroupFactory.json")) {
      assertThat(Files.readString(target.resolve(name)))
          .as("Run ArtifactTest with -Dbuild.contracts.write=true")
          .isEqualTo(Files.readString(ARTIFACTS.resolve(name)));
    }
  }

  /** The same of the contract that tests of public transactions call. */
  @Test
  void theArtifactOfTheTestContractComesFromTheSource() throws IOException, InterruptedException {
    var resources = Path.of("src/test/resources/dev/sequitur/ethereum");
    var target = Boolean.getBoolean("build.contracts.write") ? resources : directory;
    var compile =
        List.of(
            "node",
            Node.CONTRACTS.resolve("compile.js").toString(),
            Node.modules().toString(),
            target.toAbsolutePath().toString(),
            Node.CONTRACTS.resolve("test").toString());
    assertThat(Node.run(compile, Node.CONTRACTS)).isEmpty();
    assertThat(Files.readString(target.resolve("Counter.json")))
        .as("Run ArtifactTest with -Dbuild.contracts.write=true")
        .isEqualTo(Files.readString(resources.resolve("Counter.json")));
  }

  /** The compiler and its settings decide the bytes, so they are told with them. */
  @ParameterizedTest
  @ValueSource(strings = {"PrivacyGroup", "PrivacyGroupFactory"})
  void anArtifactTellsWhatCompiledIt(String name) throws IOException {
    assertThat(Files.readString(ARTIFACTS.resolve(name + ".json")))
        .contains("\"compiler\": \"0.8.37+", "\"evmVersion\": \"london\"", "\"creation\": \"0x60");
  }
}
